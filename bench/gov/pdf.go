package govbench

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/pdfdoc"
)

// pdfReader gives the importer the text of PDF files.
type pdfReader struct{ r *pdfdoc.Reader }

func openPDF(ctx context.Context, dir string) (*pdfReader, error) {
	r, err := pdfdoc.Open(ctx, pdfdoc.Config{CacheDir: filepath.Join(dir, "pdf-cache")})
	if err != nil {
		return nil, fmt.Errorf("open pdf reader: %w", err)
	}
	return &pdfReader{r}, nil
}

func (p *pdfReader) close() { _ = p.r.Close() } // nothing is written

func (p *pdfReader) text(ctx context.Context, body []byte) (string, error) {
	res, err := p.r.Read(ctx, body, pdfdoc.Options{})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	writeText(&b, res.Doc.Root)
	return b.String(), nil
}

// writeText writes the text of a tree, a line per block.
func writeText(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		writeText(b, k)
	}
	switch n.Data {
	case "p", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre":
		b.WriteByte('\n')
	case "td", "th":
		b.WriteByte(' ')
	}
}
