package pptx

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/doctest"
)

func read(body []byte) (*document.Doc, error) {
	return Read(context.Background(), document.Input{Body: body, Name: "a.pptx"})
}

func TestDocuments(t *testing.T) { doctest.Cases(t, read) }

func TestReadingStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	doctest.Cases(t, func(body []byte) (*document.Doc, error) {
		if _, err := Read(ctx, document.Input{Body: body}); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v, want context.Canceled", err)
		}
		return read(body)
	})
}

func FuzzRead(f *testing.F) {
	doctest.Seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := read(body); err != nil && strings.Contains(err.Error(), "panic:") {
			t.Error(err)
		}
	})
}

func FuzzSlide(f *testing.F) { doctest.FuzzPart(f, "ppt/slides/a.xml", read) }
