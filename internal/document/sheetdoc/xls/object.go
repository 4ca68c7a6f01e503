package xls

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
)

const (
	objectNote  = 0x19 // the box of a comment
	maxComments = 10_000
)

// object is what floats above the cells.
type object struct{ kind, id int }

// readObject reads which object the records that follow are about.
func readObject(data []byte) object {
	if len(data) < 8 || le.Uint16(data) != 0x15 {
		return object{}
	}
	return object{kind: int(le.Uint16(data[4:])), id: int(le.Uint16(data[6:]))}
}

// objectText reads the text of an object, which stands in the records that carry
// on at an offset. That of a comment waits until its cell is known.
func (sr *sheetReader) objectText(data []byte, at int) {
	if len(data) < 12 {
		return
	}
	s := &segments{parts: sr.continued(at)}
	size := int(le.Uint16(data[10:]))
	text := strings.TrimSpace(s.chars(size, s.number(1)&1 != 0))
	if text == "" {
		return
	}
	if sr.object.kind == objectNote {
		sr.notes[sr.object.id] = text
		return
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			sr.floats = append(sr.floats, flow.Wrap("p", []*html.Node{flow.Text(line)}))
		}
	}
}

// comment reads which comment hangs on a cell. Before Excel 97 the record has
// its text; after that, its author and the number of its box.
func (sr *sheetReader) comment(data []byte) {
	if len(data) < 6 || len(sr.comments) >= maxComments {
		return
	}
	if sr.version != version8 {
		if text := sr.text(data[4:], true); strings.TrimSpace(text) != "" {
			sr.comments = append(sr.comments, book.Comment("", "", text))
		}
		return
	}
	if len(data) < 8 {
		return
	}
	author := ""
	if len(data) > 10 {
		author = sr.text(data[8:], true)
	}
	if text := sr.notes[int(le.Uint16(data[6:]))]; text != "" {
		text = strings.TrimSpace(strings.TrimPrefix(text, author+":")) // Excel repeats the author in the box
		sr.comments = append(sr.comments, book.Comment(author, "", text))
	}
}
