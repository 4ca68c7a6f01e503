package imagedoc

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// blocks reads the paragraphs of an hOCR page. Lines are joined; a word that was
// broken at the end of a line is put together again.
func blocks(page []byte) []*html.Node {
	root := xmlpull.New(bytes.NewReader(page), xmlpull.Names{"http://www.w3.org/1999/xhtml": ""}).Root()
	var list []*html.Node
	root.FindAll("p", func(p *xmlpull.Node) {
		if !hasClass(p, "ocr_par") {
			return
		}
		if text := paragraph(p); text != "" {
			list = append(list, flow.Wrap("p", []*html.Node{flow.Text(text)}))
		}
	})
	return list
}

func hasClass(n *xmlpull.Node, class string) bool {
	for c := range strings.FieldsSeq(n.Attr("class")) {
		if c == class {
			return true
		}
	}
	return false
}

func paragraph(p *xmlpull.Node) string {
	text := ""
	for _, line := range p.Kids {
		if line.Name == "" {
			continue
		}
		var words []string
		line.FindAll("span", func(w *xmlpull.Node) {
			if s := strings.TrimSpace(w.Content()); hasClass(w, "ocrx_word") && s != "" {
				words = append(words, s)
			}
		})
		next := strings.Join(words, " ")
		switch {
		case next == "":
		case text == "":
			text = next
		case brokenWord(text, next):
			text = strings.TrimSuffix(text, "-") + next
		default:
			text += " " + next
		}
	}
	return text
}

// brokenWord tells whether a line ends inside a word that goes on with a small
// letter on the next.
func brokenWord(text, next string) bool {
	before, ok := strings.CutSuffix(text, "-")
	if !ok || before == "" {
		return false
	}
	return isLower(before[len(before)-1]) && isLower(next[0])
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
