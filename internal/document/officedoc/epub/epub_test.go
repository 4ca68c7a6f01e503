package epub

import (
	"testing"

	"github.com/trawlhq/trawl/internal/document/doctest"
)

func TestDocuments(t *testing.T) { doctest.Cases(t, Read) }

func TestReadingStopsWithItsContext(t *testing.T) { doctest.Cancelled(t, Read) }

func FuzzRead(f *testing.F) { doctest.Fuzz(f, Read) }

func FuzzPage(f *testing.F) { doctest.FuzzPart(f, "OPS/text/a.xhtml", Read) }
