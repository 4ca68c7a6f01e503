package ppt

import (
	"strings"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// slideRef is a slide of the show: where it is, and its texts in the outline.
type slideRef struct {
	slide   record
	outline []text
}

// slides lists the slides in the order of the show. Where the list of them is
// lost, all slides in the stream are taken.
func (r *reader) slides(show record) []slideRef {
	var list []slideRef
	for _, k := range show.kids() {
		if k.kind != recSlideList {
			continue
		}
		switch k.instance {
		case 0:
			list = r.persisted(k)
		case 2:
			for _, n := range r.persisted(k) {
				r.keepNotes(n.slide)
			}
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, rec := range children(r.stream) {
		if rec.kind == recSlide {
			list = append(list, slideRef{slide: rec})
		}
	}
	return list
}

// persisted reads a list of slides or notes: for each a number in the directory
// and the texts that the outline has of it.
func (r *reader) persisted(list record) []slideRef {
	var refs []slideRef
	texts := textReader{links: r.links}
	for _, k := range list.kids() {
		if k.kind == recPersist && len(k.data) >= 4 {
			if n := len(refs); n > 0 {
				refs[n-1].outline = texts.finish()
			}
			texts = textReader{links: r.links}
			rec, ok := r.at(r.places[le.Uint32(k.data)])
			if !ok || rec.kind != recSlide && rec.kind != recNotes {
				rec = record{}
			}
			refs = append(refs, slideRef{slide: rec})
			continue
		}
		texts.add(k)
	}
	if n := len(refs); n > 0 {
		refs[n-1].outline = texts.finish()
	}
	return refs
}

// keepNotes remembers notes by the number of the slide they belong to.
func (r *reader) keepNotes(notes record) {
	for _, k := range notes.kids() {
		if k.kind == recNotesAtom && len(k.data) >= 4 {
			r.notes[le.Uint32(k.data)] = notes
		}
	}
}

// slide writes a slide; false if it is hidden or lost.
func (r *reader) slide(ref slideRef) bool {
	for _, k := range ref.slide.kids() {
		if k.kind == recSlideInfo && len(k.data) >= 12 && le.Uint16(k.data[10:])&4 != 0 {
			return false
		}
	}
	if ref.slide.kind == 0 && len(ref.outline) == 0 {
		return false
	}
	d := &drawing{outline: ref.outline, links: r.links, used: map[int]bool{}}
	if art, ok := ref.slide.first(recDrawing); ok {
		d.collect(art, area{}, 0)
	}
	d.arrange()
	for i, t := range ref.outline { // what no shape of the slide refers to
		if !d.used[i] {
			d.shapes = append(d.shapes, shape{text: t})
		}
	}
	r.write(d)
	r.speaker(ref)
	return true
}

// write writes the title first, then the rest as it was arranged.
func (r *reader) write(d *drawing) {
	title := -1
	for i, s := range d.shapes {
		if (s.title || s.text.isTitle()) && strings.TrimSpace(s.text.chars) != "" {
			title = i
			break
		}
	}
	if title >= 0 {
		line := strings.Join(strings.FieldsFunc(d.shapes[title].text.chars, isBreak), " ")
		r.w.Para(flow.Para{Form: flow.Heading, Level: 2, Spans: []flow.Span{{Text: line}}})
	}
	for i, s := range d.shapes {
		switch {
		case i == title || s.repeats:
		case s.table != nil:
			if table := s.table.node(); table != nil {
				r.w.Block(table)
			}
		default:
			r.w.Break()
			s.text.write(r.w)
		}
	}
}

func isBreak(c rune) bool { return c == '\r' || c == '\v' || c == '\n' }

// speaker writes the speaker's notes of a slide.
func (r *reader) speaker(ref slideRef) {
	for _, k := range ref.slide.kids() {
		if k.kind != recSlideAtom || len(k.data) < 20 {
			continue
		}
		id := le.Uint32(k.data[16:])
		notes, ok := r.notes[id]
		if id == 0 || !ok {
			return
		}
		d := &drawing{links: r.links, used: map[int]bool{}}
		if art, ok := notes.first(recDrawing); ok {
			d.collect(art, area{}, 0)
		}
		for _, s := range d.shapes {
			if s.text.kind == textNotes && !s.repeats {
				r.w.Break()
				s.text.write(r.w)
			}
		}
	}
}
