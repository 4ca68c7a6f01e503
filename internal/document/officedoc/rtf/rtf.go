// Package rtf reads Rich Text Format.
//
// RTF is a stream of commands that change a state, with groups that save and
// restore it. Text goes wherever the state says: into the document, into a
// table of fonts or styles, or nowhere. Headers, footers, comments, hidden and
// deleted text go nowhere.
package rtf

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/flow"
)

const (
	what     = "RTF document"
	maxDepth = 2000 // groups inside each other; what is deeper is skipped
	maxEntry = 8192 // bytes of a name or an instruction
)

// reader is the state of reading one document.
type reader struct {
	lex    *lexer
	state  state
	saved  []state
	tables tables
	story  *story // the text that is being written: the document or a note
	notes  flow.Notes
	about  facts.Facts
	seen   int // notes and pictures so far
}

// Read reads an RTF document.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	start := bytes.Index(in.Body, []byte(`{\rtf`))
	if start < 0 {
		return nil, fault.Damaged(what, fmt.Errorf("no RTF header"))
	}
	r := &reader{lex: &lexer{src: in.Body[start:]}, story: newStory(), tables: newTables()}
	r.state.skip = 1
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	blocks := r.story.finish()
	if section := r.notes.Section(); section != nil {
		blocks = append(blocks, section)
	}
	return r.about.Doc(document.RTF, in, blocks), nil
}

// run reads to the end of the input, or of the outermost group.
func (r *reader) run(ctx context.Context) error {
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t := r.lex.next()
		switch t.kind {
		case eof:
			r.flushBytes()
			r.endStories(0)
			r.endParagraph()
			return nil
		case open:
			r.flushBytes()
			r.open()
		case shut:
			r.flushBytes()
			r.shut()
			if len(r.saved) == 0 {
				r.endParagraph()
				return nil
			}
		case text:
			r.plain(t.text)
		case control:
			r.control(t)
		}
	}
}

// open saves the state. Each group begins where its parent's text goes, until a
// command says otherwise.
func (r *reader) open() {
	if len(r.saved) >= maxDepth {
		r.lex.skipGroup()
		return
	}
	r.saved = append(r.saved, r.state)
	r.state.ignorable = false
	r.state.fresh = true
}

// shut restores the state. What a group collected is put where it belongs.
func (r *reader) shut() {
	if len(r.saved) == 0 {
		return
	}
	depth := len(r.saved)
	if r.state.dest == destMark {
		r.story.id = strings.TrimSpace(r.tables.text)
		r.tables.text = ""
	}
	r.endEntry()
	r.endStories(depth)
	r.state = r.saved[depth-1]
	r.saved = r.saved[:depth-1]
}

// plain sends text where the state says.
func (r *reader) plain(s string) {
	if r.lex.skipChars > 0 { // stands for a Unicode character that was given already
		n := min(r.lex.skipChars, len(s))
		r.lex.skipChars -= n
		s = s[n:]
	}
	if s == "" {
		return
	}
	r.flushBytes()
	r.state.fresh = false
	r.write(s)
}

// write adds decoded text to the current destination.
func (r *reader) write(s string) {
	switch r.state.dest {
	case destText:
		r.story.add(r.span(s), r.state.para)
	case destInstruction:
		r.setInstruction(s)
	case destFonts, destStyles, destInfo, destMark, destLevelText:
		if len(r.tables.text) < maxEntry {
			r.tables.text += s
		}
		if (r.state.dest == destFonts || r.state.dest == destStyles) && strings.HasSuffix(s, ";") {
			r.endEntry()
		}
	}
}

// setInstruction keeps the text of a field's instruction in the group of the
// field, where its result will look for it.
func (r *reader) setInstruction(s string) {
	for i := len(r.saved) - 1; i >= 0; i-- {
		if r.saved[i].dest != destInstruction {
			if len(r.saved[i].instruction) < maxEntry {
				r.saved[i].instruction += s
			}
			return
		}
	}
}

func (r *reader) span(s string) flow.Span {
	if r.state.char.hidden || r.state.char.deleted {
		return flow.Span{}
	}
	if r.state.char.caps {
		s = strings.ToUpper(s)
	}
	span := flow.Span{Text: s, Marks: r.state.char.marks, Href: r.state.href}
	if font, ok := r.tables.fonts[r.state.char.font]; ok {
		if font.symbol {
			span.Text = symbols(font.name, s)
		}
		if font.mono && !r.tables.fonts[r.tables.defaultFont].mono {
			span.Marks |= flow.Mono
		}
	}
	return span
}

func symbols(font, s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteString(flow.Symbol(font, c))
	}
	return b.String()
}

// endParagraph closes the paragraph that is open.
func (r *reader) endParagraph() {
	r.story.endParagraph(r.state.para, r.tables)
}

// endStories goes back to the text around a note, once the group that opened
// the note is closed.
func (r *reader) endStories(depth int) {
	for r.story.outer != nil && r.story.depth >= depth {
		inner := r.story
		inner.endParagraph(r.state.para, r.tables)
		nodes := inner.finish()
		r.story = inner.outer
		inner.deliver(r, nodes)
	}
}

// openStory begins a text beside the one that is open. Deliver gets what was
// written once the group is closed.
func (r *reader) openStory(deliver func(*reader, []*html.Node)) {
	inner := newStory()
	inner.outer, inner.depth, inner.deliver = r.story, len(r.saved), deliver
	r.story = inner
	r.state.dest, r.state.para, r.state.char = destText, para{}, char{font: r.tables.defaultFont}
	r.state.skip = 1
	r.state.href = ""
}
