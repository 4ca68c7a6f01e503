package ppt

import (
	"cmp"
	"slices"
)

// oneLine is how far the upper edges of shapes in a line may be apart: a sixth
// of an inch, of which there are 576 units.
const oneLine = 96

// arrange puts shapes in the order in which a slide is read. Shapes that do not
// say where they are come last.
func (d *drawing) arrange() {
	slices.SortStableFunc(d.shapes, func(a, b shape) int { return cmp.Compare(a.top(), b.top()) })
	for from := 0; from < len(d.shapes); {
		to := from + 1
		for to < len(d.shapes) && d.shapes[to].top()-d.shapes[from].top() <= oneLine {
			to++
		}
		slices.SortStableFunc(d.shapes[from:to], func(a, b shape) int { return cmp.Compare(a.place.left, b.place.left) })
		from = to
	}
}

const nowhere = 1 << 30 // below every slide

func (s shape) top() int {
	if s.place == (area{}) {
		return nowhere
	}
	return s.place.top
}

// groupPlace is where a group is: its first shape stands for all of it.
func groupPlace(group record) area {
	for _, k := range group.kids() {
		if k.kind != artShape {
			continue
		}
		for _, a := range k.kids() {
			if a.kind == artAnchor {
				return anchor(a.data)
			}
		}
		break
	}
	return area{}
}

// anchor reads a place on the slide: four edges of two bytes or of four.
func anchor(b []byte) area {
	switch {
	case len(b) >= 16:
		return area{top: coord(b), left: coord(b[4:]), right: coord(b[8:]), bottom: coord(b[12:])}
	case len(b) >= 8:
		short := func(b []byte) int { return int(int16(le.Uint16(b))) }
		return area{top: short(b), left: short(b[2:]), right: short(b[4:]), bottom: short(b[6:])}
	}
	return area{}
}
