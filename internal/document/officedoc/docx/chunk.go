package docx

import (
	"path"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/fragment"
	"github.com/trawlhq/trawl/internal/document/plain"
	"github.com/trawlhq/trawl/internal/document/textdoc"
)

// chunk reads a piece in another format that Word takes over when it opens the
// file. Programs that make Word files from pages put all of the text there.
func (r *reader) chunk(w *flow.Writer, id string) {
	rel, ok := r.part.rels[id]
	if !ok || rel.External {
		return
	}
	body, err := r.pkg.Read(rel.Target)
	if err != nil {
		return // named, but not in the file
	}
	for _, n := range r.chunkBlocks(rel.Target, body) {
		if n.Type == html.ElementNode {
			w.Block(n)
		} else if text := strings.TrimSpace(n.Data); n.Type == html.TextNode && text != "" {
			w.Para(flow.Para{Spans: []flow.Span{{Text: text}}})
		}
	}
}

// chunkBlocks reads pages, archives of pages, which are built like a message,
// and plain text. Other kinds are left out.
func (r *reader) chunkBlocks(name string, body []byte) []*html.Node {
	switch strings.ToLower(path.Ext(name)) {
	case ".htm", ".html", ".xhtml":
		blocks, err := fragment.Parse(plain.Decode(body, "text/html"))
		if err != nil {
			return nil
		}
		return blocks
	case ".mht", ".mhtml":
		return r.textChunk("chunk.eml", body)
	case ".txt":
		return r.textChunk("chunk.txt", body)
	}
	return nil
}

func (r *reader) textChunk(name string, body []byte) []*html.Node {
	doc, err := textdoc.Read(r.ctx, document.Input{Body: body, Name: name})
	if err != nil {
		return nil
	}
	return fragment.Body(doc.Root)
}
