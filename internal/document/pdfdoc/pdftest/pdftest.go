// Package pdftest writes small PDF files for tests and benchmarks: text, rules and
// pictures at given places, and the features that readers stumble over.
//
// Places are points from the top left corner, as in package page.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// Font is one of the fonts every reader has.
type Font string

// The fonts.
const (
	Sans       Font = "Helvetica"
	SansBold   Font = "Helvetica-Bold"
	Serif      Font = "Times-Roman"
	SerifBold  Font = "Times-Bold"
	Italic     Font = "Times-Italic"
	Typewriter Font = "Courier"
)

var fonts = []Font{Sans, SansBold, Serif, SerifBold, Italic, Typewriter}

// Doc is a file to be written.
type Doc struct {
	Info     map[string]string // "Title", "Author", …
	Outline  []Heading
	Password string // the user password; see Encrypted
	// Encrypted protects the file with Password, which may be empty.
	Encrypted bool
	pages     []*Page
}

// Heading is a top-level entry of the outline.
type Heading struct {
	Title string
	Page  int // counted from 0
}

// Page is one page.
type Page struct {
	width, height float64
	rotate        int
	content       bytes.Buffer
	links         []string
	fields        []string
	picture       bool
}

// Page adds a page.
func (d *Doc) Page(width, height float64) *Page {
	p := &Page{width: width, height: height}
	d.pages = append(d.pages, p)
	return p
}

// Rotate has readers turn the page clockwise.
func (p *Page) Rotate(degrees int) *Page {
	p.rotate = degrees
	return p
}

// Text writes one line; y is its base line.
func (p *Page) Text(x, y, size float64, font Font, text string) *Page {
	fmt.Fprintf(&p.content, "BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, p.height-y, escape(text))
	return p
}

// TurnedText writes a line that reads upwards from x, y.
func (p *Page) TurnedText(x, y, size float64, font Font, text string) *Page {
	fmt.Fprintf(&p.content, "BT /%s %g Tf 0 1 -1 0 %g %g Tm (%s) Tj ET\n", font, size, x, p.height-y, escape(text))
	return p
}

// Lines writes lines below each other, 1.2 times the size apart.
func (p *Page) Lines(x, y, size float64, font Font, lines ...string) *Page {
	for i, line := range lines {
		p.Text(x, y+1.2*size*float64(i), size, font, line)
	}
	return p
}

// Rule draws a thin line.
func (p *Page) Rule(x0, y0, x1, y1 float64) *Page {
	fmt.Fprintf(&p.content, "0.5 w %g %g m %g %g l S\n", x0, p.height-y0, x1, p.height-y1)
	return p
}

// Fill colours a rectangle grey.
func (p *Page) Fill(x0, y0, x1, y1 float64) *Page {
	fmt.Fprintf(&p.content, "0.85 g %g %g %g %g re f 0 g\n", x0, p.height-y1, x1-x0, y1-y0)
	return p
}

// Picture puts a grey picture onto the page.
func (p *Page) Picture(x0, y0, x1, y1 float64) *Page {
	p.picture = true
	fmt.Fprintf(&p.content, "q %g 0 0 %g %g %g cm /Im Do Q\n", x1-x0, y1-y0, x0, p.height-y1)
	return p
}

// Link makes an area lead to an address.
func (p *Page) Link(x0, y0, x1, y1 float64, url string) *Page {
	p.links = append(p.links, fmt.Sprintf("<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [%g %g %g %g] /A << /S /URI /URI (%s) >> >>",
		x0, p.height-y1, x1, p.height-y0, escape(url)))
	return p
}

// Field adds a form field with a value that is shown.
func (p *Page) Field(x0, y0, x1, y1 float64, value string) *Page {
	p.fields = append(p.fields, fmt.Sprintf("%g %g %g %g\x00%s", x0, p.height-y1, x1, p.height-y0, value))
	return p
}

func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(s)
}

// deflate packs a stream.
func deflate(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, _ = w.Write(b) // to memory
	_ = w.Close()
	return out.Bytes()
}
