package parse

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/blob"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

// readerFunc is a reader that does what a test says.
type readerFunc func(f trawl.File) (*trawl.Document, error)

func (r readerFunc) File(_ context.Context, f trawl.File, _ trawl.ParseOptions) (*trawl.Document, error) {
	return r(f)
}

// echo gives the file as markdown.
var echo = readerFunc(func(f trawl.File) (*trawl.Document, error) {
	data, err := io.ReadAll(f.Content)
	return &trawl.Document{Markdown: f.Name + ": " + string(data)}, err
})

// bench is a service with a clock that stands still.
type bench struct {
	*Service
	now time.Time
}

func setUp(t *testing.T, s *store.Store, r Reader) *bench {
	t.Helper()
	blobs, err := blob.Open(blob.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	b := &bench{now: noon}
	b.Service, err = Open(t.Context(), Options{Reader: r, Store: s, Blobs: blobs, Pictures: true, Now: func() time.Time { return b.now }})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func as(t *testing.T, team string) context.Context {
	return trawl.WithCaller(t.Context(), trawl.Caller{TeamID: team})
}

func file(name, contentType, content string) trawl.File {
	return trawl.File{Name: name, ContentType: contentType, Size: int64(len(content)), Content: strings.NewReader(content)}
}

func TestWhichFilesAreTaken(t *testing.T) {
	b := setUp(t, storetest.Open(t, storetest.SQLite(t)), echo)
	for _, tc := range []struct {
		name, contentType string
		taken             bool
	}{
		{"a.pdf", "", true},
		{"A.PDF", "", true},
		{"a.docm", "application/octet-stream", true},
		{"a.md", "", true},
		{"a.eml", "", true},
		{"a.png", "", true},
		{"a", "application/pdf", true},
		{"a", "text/html; charset=utf-8", true},
		{"a.unknown", "application/vnd.oasis.opendocument.text", true},
		{"a.xlsm", "application/zip", true},
		{"a.zip", "application/zip", false},
		{"a", "", false},
		{"a", "application/octet-stream", false},
		{"a.exe", "application/x-msdownload", false},
		{"a.mp4", "video/mp4", false},
	} {
		_, err := b.Parse(t.Context(), file(tc.name, tc.contentType, "x"), trawl.ParseOptions{})
		if taken := err == nil; taken != tc.taken {
			t.Errorf("%s as %q: %v, want taken %v", tc.name, tc.contentType, err, tc.taken)
		}
		var e *trawl.Error
		if !tc.taken && (!errors.As(err, &e) || e.Code != "UNSUPPORTED_FILE_TYPE" ||
			!strings.HasPrefix(e.Message, "Unsupported upload type. Supported file extensions: .html, .htm, .xhtml, .pdf, .docx, ")) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	b.Pictures = false
	if _, err := b.Parse(t.Context(), file("a.png", "image/png", "x"), trawl.ParseOptions{}); err == nil || strings.Contains(err.Error(), ".png") {
		t.Errorf("a picture without OCR: %v", err)
	}
}

func TestFailuresHaveTheNamesOfThisOperation(t *testing.T) {
	for _, tc := range []struct {
		given, want string
		kind        trawl.Kind
	}{
		{"SCRAPE_PDF_OCR_REQUIRED", "PDF_OCR_REQUIRED", trawl.SiteFailed},
		{"SCRAPE_UNSUPPORTED_FILE_ERROR", "UNSUPPORTED_FILE_TYPE", trawl.Invalid},
		{"SCRAPE_PDF_INSUFFICIENT_TIME_ERROR", "SCRAPE_TIMEOUT", trawl.TimedOut},
		{"DOCUMENT_PARSE_FAILED", "DOCUMENT_PARSE_FAILED", trawl.SiteFailed},
	} {
		b := setUp(t, storetest.Open(t, storetest.SQLite(t)), readerFunc(func(trawl.File) (*trawl.Document, error) {
			return nil, trawl.Errorf(trawl.SiteFailed, "why").WithCode(tc.given)
		}))
		_, err := b.Parse(t.Context(), file("a.pdf", "", "x"), trawl.ParseOptions{})
		var e *trawl.Error
		if !errors.As(err, &e) || e.Code != tc.want || e.Kind != tc.kind {
			t.Errorf("%s became %#v", tc.given, err)
		}
	}
}

func TestEmptyFilesAreRefused(t *testing.T) {
	b := setUp(t, storetest.Open(t, storetest.SQLite(t)), echo)
	_, err := b.Parse(t.Context(), file("a.pdf", "", ""), trawl.ParseOptions{})
	var e *trawl.Error
	if !errors.As(err, &e) || e.Kind != trawl.Invalid || e.Code != "BAD_REQUEST" {
		t.Errorf("%v", err)
	}
}
