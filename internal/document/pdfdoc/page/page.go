// Package page is the vocabulary that the PDF engine, the OCR reader and the
// layout share: what stands on one page and where, before anyone has said what
// it means.
//
// Lengths are points. The origin is the top left corner of the page as a reader
// sees it, and y grows downwards.
package page

// Page is what stands on one page.
type Page struct {
	Number        int // counted from 1
	Width, Height float64
	Glyphs        []Glyph // in the order of the file, which is often not the reading order
	Fonts         []Font  // what Glyph.Font counts into
	Rules         []Rule
	Images        []Rect
	Links         []Link
}

// Glyph is one character.
type Glyph struct {
	Rune   rune
	Box    Rect    // from the pen position to the next one, ascent to descent
	Base   float64 // y of the line it stands on, in its own direction of reading
	Size   float64 // effective font size
	Font   int
	Turn   Turn
	Hyphen bool // a hyphen that the end of a line made
}

// Turn is a direction of reading.
type Turn uint8

// The directions, clockwise, and the one for everything between them.
const (
	Upright Turn = iota
	Down
	Flipped
	Up
	Slanted
)

// Font is what the layout wants to know of a font.
type Font struct {
	Name               string
	Bold, Italic, Mono bool
}

// Rule is a straight line or a filled rectangle. A line is a rectangle, too: a
// long and narrow one.
type Rule struct {
	Rect
	Filled bool // an area with a colour, not an outline
	Light  bool // white or nearly so: a gap rather than a line
}

// Link is an area that leads somewhere.
type Link struct {
	Rect
	URL string
}

// Rect is a rectangle, X0 ≤ X1 and Y0 ≤ Y1.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// Width is its extent from left to right.
func (r Rect) Width() float64 { return r.X1 - r.X0 }

// Height is its extent from top to bottom.
func (r Rect) Height() float64 { return r.Y1 - r.Y0 }

// Area is its size.
func (r Rect) Area() float64 { return r.Width() * r.Height() }

// Empty says that it covers nothing and is no line either.
func (r Rect) Empty() bool { return r == Rect{} }

// Union is the smallest rectangle around both. The zero Rect adds nothing.
func (r Rect) Union(s Rect) Rect {
	if r.Empty() {
		return s
	}
	if s.Empty() {
		return r
	}
	return Rect{min(r.X0, s.X0), min(r.Y0, s.Y0), max(r.X1, s.X1), max(r.Y1, s.Y1)}
}

// Intersect is what both cover; it is the zero Rect where they are apart.
func (r Rect) Intersect(s Rect) Rect {
	t := Rect{max(r.X0, s.X0), max(r.Y0, s.Y0), min(r.X1, s.X1), min(r.Y1, s.Y1)}
	if t.X0 > t.X1 || t.Y0 > t.Y1 {
		return Rect{}
	}
	return t
}

// Grow moves every side outwards by d.
func (r Rect) Grow(d float64) Rect { return Rect{r.X0 - d, r.Y0 - d, r.X1 + d, r.Y1 + d} }

// Holds says whether the point lies in the rectangle.
func (r Rect) Holds(x, y float64) bool { return x >= r.X0 && x <= r.X1 && y >= r.Y0 && y <= r.Y1 }

// Centre is the point in the middle.
func (r Rect) Centre() (x, y float64) { return (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2 }

// OverlapX is the length both cover from left to right; negative: the gap.
func (r Rect) OverlapX(s Rect) float64 { return min(r.X1, s.X1) - max(r.X0, s.X0) }

// OverlapY is the length both cover from top to bottom; negative: the gap.
func (r Rect) OverlapY(s Rect) float64 { return min(r.Y1, s.Y1) - max(r.Y0, s.Y0) }
