package apart_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/apart"
	"github.com/trawlhq/trawl/internal/document/progress"
)

const childMark = "TRAWL_TEST_APART"

// TestMain lets the test binary be the child.
func TestMain(m *testing.M) {
	if os.Getenv(childMark) != "" {
		err := apart.Serve(context.Background(), os.Stdin, os.Stdout, document.Readers{document.Text: misbehave})
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// misbehave does what the text says.
func misbehave(ctx context.Context, in document.Input) (*document.Doc, error) {
	if in.Wanted != nil {
		made := &trawl.Document{Markdown: string(in.Body), Links: []string{in.Wanted.URL}, HTML: in.Wanted.Options.FormatList()[0].Type}
		return &document.Doc{Kind: document.Text, Meta: map[string]any{"title": "Title"}, Warnings: []string{"careful"}, Made: made}, nil
	}
	switch text := string(in.Body); {
	case strings.HasPrefix(text, "fail"):
		return nil, trawl.Errorf(trawl.SiteFailed, "The text is bad.").WithCode("DOCUMENT_PARSE_FAILED").WithDetails(map[string]any{"retryable": false})
	case strings.HasPrefix(text, "die"):
		os.Exit(3)
	case strings.HasPrefix(text, "wide"):
		return &document.Doc{Kind: document.Text, Root: wide(700_000)}, nil
	case strings.HasPrefix(text, "long"):
		return &document.Doc{Kind: document.Text, Root: &html.Node{Type: html.TextNode, Data: strings.Repeat("long ", 10<<20)}}, nil
	case strings.HasPrefix(text, "deep"):
		return &document.Doc{Kind: document.Text, Root: deep(100_000)}, nil
	case strings.HasPrefix(text, "count"):
		for i := range 3 {
			progress.Of(ctx)(i+1, 3)
		}
	case strings.HasPrefix(text, "sleep"):
		time.Sleep(time.Minute)
	case strings.HasPrefix(text, "spin"):
		for x := 1; x > 0; x = x%7 + 1 { // never ends
		}
	case strings.HasPrefix(text, "grow"):
		var held [][]byte
		for {
			block := make([]byte, 8<<20)
			for i := range block {
				block[i] = 1
			}
			held = append(held, block)
			if len(held) > 1<<20 {
				return nil, nil
			}
		}
	}
	root, err := html.Parse(strings.NewReader("<h1>Title</h1><p>" + string(in.Body) + "</p>"))
	if err != nil {
		return nil, err
	}
	block := document.PageBlock{ID: "p1.b1", Type: "text", Content: "x", Node: root.LastChild}
	return &document.Doc{
		Root: root, Title: "Title", Meta: map[string]any{"title": "Title", "tags": []string{"a", "b"}}, NumPages: 1, TotalPages: 2,
		Warnings: []string{"careful"}, Pages: []document.Page{{Number: 1, Root: root}},
		Layout: []document.PageLayout{{PageNumber: 1, Status: "ok", Items: []document.PageBlock{block, {ID: "p1.b2"}}}},
	}, nil
}

// wide is an element with many children.
func wide(children int) *html.Node {
	root := &html.Node{Type: html.ElementNode, Data: "div"}
	for range children {
		root.AppendChild(&html.Node{Type: html.ElementNode, Data: "br"})
	}
	return root
}

// deep is elements inside each other.
func deep(levels int) *html.Node {
	root := &html.Node{Type: html.ElementNode, Data: "div"}
	for at := root; levels > 0; levels-- {
		child := &html.Node{Type: html.ElementNode, Data: "div"}
		at.AppendChild(child)
		at = child
	}
	return root
}

func pool(t *testing.T, o apart.Options) *apart.Pool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Program, o.Env = self, []string{childMark + "=1"}
	p := apart.New(o)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func read(t *testing.T, p *apart.Pool, text string) (*document.Doc, error) {
	t.Helper()
	return p.Read(t.Context(), document.Input{Body: []byte(text), ContentType: "text/plain"})
}

func TestADocumentComesBackWhole(t *testing.T) {
	p := pool(t, apart.Options{})
	for range 3 { // the same child
		doc, err := read(t, p, "hello")
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := html.Render(&b, doc.Root); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "<p>hello</p>") || doc.Title != "Title" || doc.Meta["title"] != "Title" || doc.NumPages != 1 ||
			doc.TotalPages != 2 || len(doc.Warnings) != 1 || len(doc.Pages) != 1 || doc.Kind != document.Text {
			t.Errorf("got %+v with %s", doc, b.String())
		}
		if items := doc.Layout[0].Items; len(items) != 2 || items[0].Node == nil || items[1].Node != nil {
			t.Errorf("layout %+v", doc.Layout)
		}
	}
}

func TestFormatsAreMadeWhereTheFileIsRead(t *testing.T) {
	formats := []trawl.Format{{Type: "links"}}
	doc, err := pool(t, apart.Options{}).Read(t.Context(), document.Input{
		Body: []byte("hello"), ContentType: "text/plain",
		Wanted: &document.Wanted{Options: trawl.ScrapeOptions{Formats: &formats}, URL: "https://a.test/"},
	})
	if err != nil {
		t.Fatal(err)
	}
	made := doc.Made
	if made == nil || made.Markdown != "hello" || made.HTML != "links" || made.Links[0] != "https://a.test/" {
		t.Errorf("made %+v", made)
	}
	if doc.Root != nil || doc.Meta["title"] != "Title" || len(doc.Warnings) != 1 {
		t.Errorf("beside it: %+v", doc)
	}
}

func TestARefusalComesBackAsItIs(t *testing.T) {
	_, err := read(t, pool(t, apart.Options{}), "fail")
	var e *trawl.Error
	if !errors.As(err, &e) || e.Code != "DOCUMENT_PARSE_FAILED" || e.Message != "The text is bad." {
		t.Errorf("%v", err)
	}
}

func TestLimitsCostOneDocument(t *testing.T) {
	p := pool(t, apart.Options{Memory: 200 << 20, CPU: time.Second, Workers: 1})
	for _, tc := range []struct{ text, want string }{
		{"die", "damaged"},
		{"spin", "processor time"},
		{"grow", "memory"},
	} {
		began := time.Now()
		_, err := read(t, p, tc.text)
		var e *trawl.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, tc.want) {
			t.Errorf("%s: %v, want an error that names %s", tc.text, err, tc.want)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s took %s", tc.text, took)
		}
		if _, err := read(t, p, "hello"); err != nil {
			t.Errorf("the document after %s: %v", tc.text, err)
		}
	}
}

func TestADocumentThatIsTooMuchForTheServerIsRefused(t *testing.T) {
	p := pool(t, apart.Options{Workers: 1})
	for _, tc := range []struct{ text, limit string }{
		{"wide", "size of the document"},
		{"long", "size of the document"},
		{"deep", "nesting"},
	} {
		_, err := read(t, p, tc.text)
		var e *trawl.Error
		if !errors.As(err, &e) || e.Code != "DOCUMENT_PARSE_FAILED" || e.Details.(map[string]any)["limit"] != tc.limit {
			t.Errorf("%s: %v, want the limit on %s", tc.text, err, tc.limit)
		}
		if _, err := read(t, p, "hello"); err != nil {
			t.Errorf("the document after %s: %v", tc.text, err)
		}
	}
}

func TestTheListenerHearsOfEveryPage(t *testing.T) {
	p := pool(t, apart.Options{})
	var heard []int
	ctx := progress.With(t.Context(), func(done, all int) {
		if all != 3 {
			t.Errorf("%d pages in all", all)
		}
		heard = append(heard, done)
	})
	if _, err := p.Read(ctx, document.Input{Body: []byte("count"), ContentType: "text/plain"}); err != nil {
		t.Fatal(err)
	}
	if len(heard) != 3 || heard[0] != 1 || heard[2] != 3 {
		t.Errorf("heard of %v", heard)
	}
}

func TestTheDeadlineIsKept(t *testing.T) {
	p := pool(t, apart.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := p.Read(ctx, document.Input{Body: []byte("sleep"), ContentType: "text/plain"})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 3*time.Second {
		t.Errorf("%v after %s", err, time.Since(began))
	}
}
