package apart

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
)

// question is what a child is asked.
type question struct {
	Input    document.Input
	CPU      time.Duration
	Deadline time.Time // when the answer will not be waited for any more
}

// answer is a Doc on its way between processes: trees travel as HTML, what may
// be of any type as JSON.
type answer struct {
	Kind       document.Kind
	Root       string
	Base       string
	Title      string
	Meta       []byte
	Pages      []answerPage
	NumPages   int
	TotalPages int
	Warnings   []string
	Layout     []document.PageLayout
	Fragments  []string // the trees of the blocks of Layout, in order
	Failure    *failure
}

type answerPage struct {
	Number int
	Root   string
}

// failure is a *trawl.Error on its way.
type failure struct {
	Kind    trawl.Kind
	Message string
	Code    string
	Details []byte
	Cause   string
}

// answerOf packs what a reader gave.
func answerOf(doc *document.Doc, err error) (answer, error) {
	if err != nil {
		return answer{Failure: failureOf(err)}, nil
	}
	a := answer{
		Kind: doc.Kind, Title: doc.Title, NumPages: doc.NumPages, TotalPages: doc.TotalPages, Warnings: doc.Warnings,
	}
	if doc.Base != nil {
		a.Base = doc.Base.String()
	}
	if a.Meta, err = json.Marshal(doc.Meta); err != nil {
		return a, fmt.Errorf("pack metadata: %w", err)
	}
	if a.Root, err = render(doc.Root); err != nil {
		return a, err
	}
	for _, page := range doc.Pages {
		text, err := render(page.Root)
		if err != nil {
			return a, err
		}
		a.Pages = append(a.Pages, answerPage{page.Number, text})
	}
	return a, a.packLayout(doc.Layout)
}

// packLayout takes the trees out of the blocks: nodes do not travel.
func (a *answer) packLayout(layout []document.PageLayout) error {
	for _, page := range layout {
		items := make([]document.PageBlock, len(page.Items))
		copy(items, page.Items)
		for i := range items {
			text := ""
			if items[i].Node != nil {
				var err error
				if text, err = render(items[i].Node); err != nil {
					return err
				}
				items[i].Node = nil
			}
			a.Fragments = append(a.Fragments, text)
		}
		page.Items = items
		a.Layout = append(a.Layout, page)
	}
	return nil
}

// How many tags a document may have: it becomes a tree in the server, whose
// memory no limit of ours holds. A file of a given size has its measure, so that
// small ones that unpack to a lot are refused first.
const (
	tagsOfSmall = 1 << 20
	tagsPerByte = 16
	tagsAtMost  = 6 << 20
)

// fits tells whether the answer to a file of some size is small enough to be unpacked.
func (a answer) fits(size int) bool {
	return strings.Count(a.Root, "<") <= min(tagsOfSmall+tagsPerByte*size, tagsAtMost)
}

// doc unpacks an answer.
func (a answer) doc() (*document.Doc, error) {
	if a.Failure != nil {
		return nil, a.Failure.err()
	}
	base, err := url.Parse(a.Base)
	if err != nil {
		return nil, fmt.Errorf("unpack base address: %w", err)
	}
	doc := &document.Doc{
		Kind: a.Kind, Base: base, Title: a.Title, NumPages: a.NumPages, TotalPages: a.TotalPages, Warnings: a.Warnings, Layout: a.Layout,
	}
	if err := json.Unmarshal(a.Meta, &doc.Meta); err != nil {
		return nil, fmt.Errorf("unpack metadata: %w", err)
	}
	if doc.Root, err = html.Parse(strings.NewReader(a.Root)); err != nil {
		return nil, fmt.Errorf("unpack document: %w", err)
	}
	for _, page := range a.Pages {
		root, err := html.Parse(strings.NewReader(page.Root))
		if err != nil {
			return nil, fmt.Errorf("unpack page %d: %w", page.Number, err)
		}
		doc.Pages = append(doc.Pages, document.Page{Number: page.Number, Root: root})
	}
	return doc, a.unpackLayout(doc)
}

func (a answer) unpackLayout(doc *document.Doc) error {
	next := 0
	for _, page := range doc.Layout {
		for i := range page.Items {
			if next >= len(a.Fragments) {
				return errors.New("unpack layout: a block has no fragment")
			}
			if text := a.Fragments[next]; text != "" {
				root, err := html.Parse(strings.NewReader(text))
				if err != nil {
					return fmt.Errorf("unpack block %s: %w", page.Items[i].ID, err)
				}
				page.Items[i].Node = root
			}
			next++
		}
	}
	return nil
}

func render(n *html.Node) (string, error) {
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		return "", fmt.Errorf("pack document: %w", err)
	}
	return b.String(), nil
}

func failureOf(err error) *failure {
	var own *trawl.Error
	if !errors.As(err, &own) {
		return &failure{Kind: trawl.Internal, Message: "Internal Server Error", Cause: err.Error()}
	}
	f := &failure{Kind: own.Kind, Message: own.Message, Code: own.Code}
	if own.Cause != nil {
		f.Cause = own.Cause.Error()
	}
	if own.Details != nil {
		f.Details, _ = json.Marshal(own.Details) // details are plain data of ours
	}
	return f
}

func (f *failure) err() error {
	e := trawl.Errorf(f.Kind, "%s", f.Message).WithCode(f.Code)
	if f.Cause != "" {
		e.Because(errors.New(f.Cause))
	}
	if len(f.Details) > 0 {
		var details map[string]any
		if json.Unmarshal(f.Details, &details) == nil {
			e.WithDetails(details)
		}
	}
	return e
}
