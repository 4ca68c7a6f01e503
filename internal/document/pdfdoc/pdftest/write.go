package pdftest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bytes writes the file.
func (d *Doc) Bytes() []byte {
	w := &writer{key: d.key()}
	catalog, tree := w.reserve(), w.reserve()
	resources := w.resources()
	var kids []string
	pageIDs := make([]int, len(d.pages))
	for i, p := range d.pages {
		pageIDs[i] = w.page(p, tree, resources)
		kids = append(kids, ref(pageIDs[i]))
	}
	w.set(tree, fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids)))
	w.set(catalog, fmt.Sprintf("<< /Type /Catalog /Pages %s%s >>", ref(tree), w.outline(d, pageIDs)))
	return w.finish(d, catalog)
}

type writer struct {
	objects []string // by number, from 1
	key     []byte   // nil: not encrypted
}

func ref(id int) string { return fmt.Sprintf("%d 0 R", id) }

func (w *writer) reserve() int {
	w.objects = append(w.objects, "")
	return len(w.objects)
}

func (w *writer) set(id int, body string) { w.objects[id-1] = body }

func (w *writer) add(body string) int {
	id := w.reserve()
	w.set(id, body)
	return id
}

// stream adds a packed stream, encrypted where the file is.
func (w *writer) stream(dict string, body []byte) int {
	id := w.reserve()
	packed := w.encrypt(id, deflate(body))
	w.set(id, fmt.Sprintf("<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", dict, len(packed), packed))
	return id
}

// text is a string object.
func (w *writer) text(id int, s string) string {
	return fmt.Sprintf("<%x>", w.encrypt(id, []byte(s)))
}

func (w *writer) resources() string {
	var b strings.Builder
	b.WriteString("/Font << ")
	for _, f := range fonts {
		id := w.add(fmt.Sprintf("<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>", f))
		fmt.Fprintf(&b, "/%s %s ", f, ref(id))
	}
	b.WriteString(">>")
	return b.String()
}

func (w *writer) page(p *Page, tree int, resources string) int {
	content := w.stream("", p.content.Bytes())
	if p.picture {
		pixels := bytes.Repeat([]byte{0x40, 0xC0}, 32)
		id := w.stream("/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8", pixels)
		resources += fmt.Sprintf(" /XObject << /Im %s >>", ref(id))
	}
	annots := slices.Clone(p.links)
	for _, f := range p.fields {
		annots = append(annots, w.field(f, resources))
	}
	for i, a := range annots {
		if strings.HasPrefix(a, "<<") {
			annots[i] = ref(w.add(a))
		}
	}
	return w.add(fmt.Sprintf("<< /Type /Page /Parent %s /MediaBox [0 0 %g %g] /Rotate %d /Resources << %s >> /Contents %s /Annots [%s] >>",
		ref(tree), p.width, p.height, p.rotate, resources, ref(content), strings.Join(annots, " ")))
}

// field writes a form field and how it looks.
func (w *writer) field(spec, resources string) string {
	place, value, _ := strings.Cut(spec, "\x00")
	var x0, y0, x1, y1 float64
	_, _ = fmt.Sscan(place, &x0, &y0, &x1, &y1) // written by Field
	look := w.stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 %g %g] /Resources << %s >>", x1-x0, y1-y0, resources),
		fmt.Appendf(nil, "BT /%s 10 Tf 2 4 Td (%s) Tj ET", Sans, escape(value)))
	return fmt.Sprintf("<< /Type /Annot /Subtype /Widget /FT /Tx /F 4 /T (f) /Rect [%s] /AP << /N %s >> >>", place, ref(look))
}

// outline writes the outline and gives its entry for the catalogue.
func (w *writer) outline(d *Doc, pages []int) string {
	if len(d.Outline) == 0 {
		return ""
	}
	root := w.reserve()
	ids := make([]int, len(d.Outline))
	for i := range ids {
		ids[i] = w.reserve()
	}
	for i, h := range d.Outline {
		links := ""
		if i > 0 {
			links += " /Prev " + ref(ids[i-1])
		}
		if i+1 < len(ids) {
			links += " /Next " + ref(ids[i+1])
		}
		w.set(ids[i], fmt.Sprintf("<< /Title %s /Parent %s /Dest [%s /Fit]%s >>", w.text(ids[i], h.Title), ref(root), ref(pages[h.Page]), links))
	}
	w.set(root, fmt.Sprintf("<< /Type /Outlines /First %s /Last %s /Count %d >>", ref(ids[0]), ref(ids[len(ids)-1]), len(ids)))
	return " /Outlines " + ref(root)
}

func (w *writer) finish(d *Doc, catalog int) []byte {
	trailer := fmt.Sprintf("/Root %s", ref(catalog))
	if len(d.Info) > 0 {
		id := w.reserve()
		var b strings.Builder
		for _, k := range slices.Sorted(maps.Keys(d.Info)) {
			fmt.Fprintf(&b, "/%s %s ", k, w.text(id, d.Info[k]))
		}
		w.set(id, "<< "+b.String()+">>")
		trailer += " /Info " + ref(id)
	}
	if w.key != nil {
		trailer += d.encryption()
	}
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n")
	offsets := make([]int, len(w.objects))
	for i, body := range w.objects {
		offsets[i] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(w.objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n", len(w.objects)+1, trailer, start)
	return out.Bytes()
}
