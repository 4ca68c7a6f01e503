package pdfdoc

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
)

// assemble makes one document of the pages.
func (f *file) assemble(pages []*layout.Page) *Result {
	markRunning(pages)
	setLevels(pages, f.outline)
	doc := &document.Doc{
		Kind:       document.PDF,
		Base:       nowhere(),
		Title:      f.title(pages),
		Meta:       f.metadata(),
		NumPages:   len(pages),
		TotalPages: f.total,
		Warnings:   f.warnings(),
	}
	if doc.Title != "" {
		doc.Meta["title"] = doc.Title
	}
	w := writer{markers: f.opts.PageMarkers}
	if f.opts.Blocks {
		w.nodes = map[*layout.Block]*html.Node{}
	}
	for _, p := range pages {
		w.page(p)
		if f.opts.Pages {
			doc.Pages = append(doc.Pages, document.Page{Number: p.Number, Root: pageTree(p)})
		}
		if f.opts.Blocks {
			doc.Layout = append(doc.Layout, layoutOf(p, w.nodes, slices.Contains(f.failed, p.Number)))
		}
	}
	doc.Root = w.finish(doc.Title)
	return &Result{Doc: doc}
}

// title is what the file calls itself, or else its first large heading.
func (f *file) title(pages []*layout.Page) string {
	title := strings.TrimSpace(f.meta["Title"])
	if title != "" && !looksLikeFileName(title) {
		return title
	}
	if len(pages) == 0 {
		return ""
	}
	for i := range pages[0].Blocks {
		if b := &pages[0].Blocks[i]; b.Kind == layout.Title || b.Kind == layout.Heading && b.Level == 1 {
			return b.String()
		}
	}
	return ""
}

// looksLikeFileName recognises the titles that word processors leave behind.
func looksLikeFileName(title string) bool {
	lower := strings.ToLower(title)
	for _, end := range []string{".doc", ".docx", ".pdf", ".indd", ".qxd", ".xls", ".xlsx", ".ppt", ".tex", ".dvi"} {
		if strings.HasSuffix(lower, end) {
			return true
		}
	}
	return strings.HasPrefix(lower, "microsoft word") || lower == "untitled"
}

// metadata names the file's own information as the API does.
func (f *file) metadata() map[string]any {
	meta := map[string]any{}
	for from, to := range map[string]string{
		"Author": "author", "Subject": "description", "Keywords": "keywords",
		"Creator": "creator", "Producer": "producer",
		"CreationDate": "publishedTime", "ModDate": "modifiedTime",
	} {
		value := strings.TrimSpace(f.meta[from])
		if strings.HasSuffix(from, "Date") {
			value = isoDate(value)
		}
		if value != "" {
			meta[to] = value
		}
	}
	return meta
}

// isoDate turns D:20240131120000+02'00' into 2024-01-31T12:00:00+02:00. A date
// that is none of this form is dropped.
func isoDate(s string) string {
	s = strings.TrimPrefix(s, "D:")
	digits := s
	if i := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = s[:i]
	}
	zone := strings.ReplaceAll(strings.TrimPrefix(s, digits), "'", "")
	switch {
	case len(digits) < 8:
		return ""
	case len(digits) < 14:
		return digits[:4] + "-" + digits[4:6] + "-" + digits[6:8]
	}
	switch {
	case len(zone) >= 5 && (zone[0] == '+' || zone[0] == '-'):
		zone = zone[:3] + ":" + zone[3:5]
	case strings.HasPrefix(zone, "Z"):
		zone = "Z"
	default:
		zone = ""
	}
	return fmt.Sprintf("%s-%s-%sT%s:%s:%s%s", digits[:4], digits[4:6], digits[6:8], digits[8:10], digits[10:12], digits[12:14], zone)
}

func (f *file) warnings() []string {
	var out []string
	if len(f.skipped) > 0 {
		out = append(out, "Pages without text were skipped because no OCR engine is installed: "+pageList(f.skipped))
	}
	if len(f.failed) > 0 {
		out = append(out, "Pages could not be read: "+pageList(f.failed))
	}
	return out
}

// pageList writes page numbers with ranges: 1-3, 7.
func pageList(numbers []int) string {
	sorted := slices.Clone(numbers)
	slices.Sort(sorted)
	var parts []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		if i == j {
			parts = append(parts, fmt.Sprint(sorted[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", sorted[i], sorted[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// pageTree is the content of one page alone.
func pageTree(p *layout.Page) *html.Node {
	w := writer{}
	w.page(p)
	return w.finish("")
}

func element(a atom.Atom) *html.Node {
	return &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
}

func textNode(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }
