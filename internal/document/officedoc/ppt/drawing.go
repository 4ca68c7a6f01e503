package ppt

import (
	"slices"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// drawing gathers what is on a slide.
type drawing struct {
	outline []text
	links   map[uint32]string
	used    map[int]bool // texts of the outline that a shape shows
	shapes  []shape
}

// shape is a shape with text, or a table.
type shape struct {
	text    text
	table   *table
	repeats bool // shows the same on every slide
	title   bool // stands where the layout has the title
	area    area // inside its group
	place   area // on the slide; that of the outermost group it is in
	kind    int
}

type area struct{ left, top, right, bottom int }

// Shapes that a cell of a table can be, and a line, which draws its borders.
const shapeLine = 20

// collect walks groups and shapes. Around is the place of the outermost group.
func (d *drawing) collect(rec record, around area, depth int) {
	if depth > maxDepth {
		return
	}
	switch rec.kind {
	case artShape:
		s := d.shape(rec)
		if around != (area{}) {
			s.place = around
		}
		d.shapes = append(d.shapes, s)
		return
	case artGroup:
		if around == (area{}) {
			around = groupPlace(rec)
		}
		if isTable(rec) {
			d.shapes = append(d.shapes, shape{table: d.table(rec), place: around})
			return
		}
	}
	for _, k := range rec.kids() {
		d.collect(k, around, depth+1)
	}
}

// tableProperty is the option of a group that says that it is a table.
const tableProperty = 0x039F

func isTable(group record) bool {
	for _, k := range group.kids() {
		if k.kind != artShape {
			continue
		}
		for _, o := range k.kids() {
			if (o.kind == artOptions || o.kind == artOptions3) && option(o, tableProperty)&1 != 0 {
				return true
			}
		}
		return false // only the first shape speaks for the group
	}
	return false
}

// option gives the value of an option, or 0.
func option(rec record, id uint16) uint32 {
	for i := range rec.instance {
		if 6*i+6 > len(rec.data) {
			break
		}
		if le.Uint16(rec.data[6*i:])&0x3FFF == id {
			return le.Uint32(rec.data[6*i+2:])
		}
	}
	return 0
}

func (d *drawing) shape(rec record) shape {
	var s shape
	for _, k := range rec.kids() {
		switch k.kind {
		case artShapeInfo:
			s.kind = k.instance
		case artChildAnchor:
			if len(k.data) >= 16 {
				s.area = area{coord(k.data), coord(k.data[4:]), coord(k.data[8:]), coord(k.data[12:])}
			}
		case artAnchor:
			s.place = anchor(k.data)
		case artTextbox:
			s.text = d.textbox(k)
		case artClientData:
			if p, ok := k.first(recPlaceholder); ok && len(p.data) >= 5 {
				s.repeats, s.title = repeating(p.data[4]), titling(p.data[4])
			}
		}
	}
	for _, k := range rec.kids() { // numbers of lists are kept apart from the text
		if k.kind == artClientData {
			s.text.number(k)
		}
	}
	return s
}

func coord(b []byte) int { return int(int32(le.Uint32(b))) }

// repeating tells whether a placeholder holds a date, a footer, a number or the
// picture of the slide on its notes.
func repeating(kind byte) bool {
	switch kind {
	case 5, 7, 8, 9, 10, 11:
		return true
	}
	return false
}

// titling tells whether a placeholder is meant for the title, upright or not.
func titling(kind byte) bool {
	switch kind {
	case 13, 15, 17:
		return true
	}
	return false
}

// textbox reads the text of a shape, or finds it in the outline.
func (d *drawing) textbox(rec record) text {
	texts := textReader{links: d.links}
	for _, k := range rec.kids() {
		if k.kind == recOutlineRef && len(k.data) >= 4 {
			if i := int(le.Uint32(k.data)); i < len(d.outline) {
				d.used[i] = true
				return d.outline[i]
			}
		}
		texts.add(k)
	}
	if list := texts.finish(); len(list) > 0 {
		return list[0]
	}
	return text{}
}

// table is a table as it was drawn: cells with their places.
type table struct{ cells []shape }

func (d *drawing) table(group record) *table {
	t := &table{}
	first := true
	for _, k := range group.kids() {
		if k.kind != artShape {
			continue
		}
		s := d.shape(k)
		if !first && s.kind != shapeLine && s.area.right > s.area.left && s.area.bottom > s.area.top {
			t.cells = append(t.cells, s)
		}
		first = false
	}
	return t
}

const maxTableCells = 20_000

// node lays the cells out on the grid that their edges make.
func (t *table) node() *html.Node {
	var xs, ys []int
	for _, c := range t.cells {
		xs = append(xs, c.area.left)
		ys = append(ys, c.area.top)
	}
	xs, ys = edges(xs), edges(ys)
	if len(xs)*len(ys) > maxTableCells {
		return nil
	}
	rows := make([][]flow.Cell, len(ys))
	slices.SortStableFunc(t.cells, func(a, b shape) int { return a.area.left - b.area.left })
	for _, c := range t.cells {
		x, _ := slices.BinarySearch(xs, c.area.left)
		y, _ := slices.BinarySearch(ys, c.area.top)
		right, _ := slices.BinarySearch(xs, c.area.right)
		bottom, _ := slices.BinarySearch(ys, c.area.bottom)
		w := flow.New()
		c.text.write(w)
		rows[y] = append(rows[y], flow.Cell{Nodes: w.Nodes(), ColSpan: right - x, RowSpan: bottom - y})
	}
	return flow.Table(flow.Spread(rows))
}

func edges(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}
