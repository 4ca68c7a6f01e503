package pdfdoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
)

// style is what changes inside a paragraph.
type style struct {
	bold, italic bool
	link         string
}

// run is text in one style.
type run struct {
	style
	text strings.Builder
}

// inline writes the text of a block into n, after lead.
func (w *writer) inline(n *html.Node, b *layout.Block, lead string) {
	runs := runsOf(b)
	if len(runs) == 0 {
		return
	}
	if lead != "" {
		n.AppendChild(textNode(lead))
	}
	whole := uniform(runs)
	for i, r := range runs {
		text := r.text.String()
		if whole { // all of it bold is no emphasis
			r.bold, r.italic = false, false
		}
		core := strings.TrimSuffix(text, " ")
		n.AppendChild(styled(r.style, core))
		if len(core) < len(text) && i < len(runs)-1 {
			n.AppendChild(textNode(" "))
		}
	}
}

func styled(s style, text string) *html.Node {
	n := textNode(text)
	wrap := func(a atom.Atom) {
		outer := element(a)
		outer.AppendChild(n)
		n = outer
	}
	if s.italic {
		wrap(atom.Em)
	}
	if s.bold {
		wrap(atom.Strong)
	}
	if s.link != "" {
		wrap(atom.A)
		n.Attr = []html.Attribute{{Key: "href", Val: s.link}}
	}
	return n
}

// uniform says that every run has the same weight and slope.
func uniform(runs []*run) bool {
	for _, r := range runs {
		if r.bold != runs[0].bold || r.italic != runs[0].italic {
			return false
		}
	}
	return true
}

// runsOf joins the words of a block to runs of one style.
func runsOf(b *layout.Block) []*run {
	var runs []*run
	for i, line := range b.Lines {
		words := line.Reading()
		if i == 0 && b.Kind == layout.ListItem && len(words) > 1 {
			words = words[1:] // the list writes its own mark
		}
		for j, word := range words {
			s := style{word.Bold, word.Italic, word.Link}
			if len(runs) == 0 || runs[len(runs)-1].style != s {
				if n := len(runs); n > 0 {
					separate(&runs[n-1].text, word.Text, j == 0)
				}
				runs = append(runs, &run{style: s})
				runs[len(runs)-1].text.WriteString(word.Text)
				continue
			}
			last := &runs[len(runs)-1].text
			separate(last, word.Text, j == 0)
			last.WriteString(word.Text)
		}
	}
	return runs
}

// separate puts what stands between a word and the next one.
func separate(written *strings.Builder, next string, lineBreak bool) {
	if !lineBreak {
		written.WriteByte(' ')
		return
	}
	if strings.HasPrefix(layout.Continue(written, next), " ") {
		written.WriteByte(' ')
	}
}
