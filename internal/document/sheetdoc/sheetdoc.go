// Package sheetdoc reads spreadsheets: Excel since 2007 and before,
// OpenDocument, and tables as text.
//
// Each sheet becomes a heading with its name and what is on it.
package sheetdoc

import (
	"context"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/archive"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/kind"
	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/csv"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/ods"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/xls"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/xlsb"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/xlsx"
)

// Kinds lists what Read understands.
func Kinds() []document.Kind {
	return []document.Kind{document.XLSX, document.XLS, document.ODS, document.CSV, document.TSV}
}

// Read reads a file as what its bytes say it is. Bytes that are no workbook are
// taken for a table as text.
func Read(ctx context.Context, in document.Input) (*document.Doc, error) {
	switch kind.Of(in.Body) {
	case kind.XLSX:
		return readPackage(ctx, in)
	case kind.XLS:
		return xls.Read(ctx, in)
	case kind.ODS:
		return ods.Read(ctx, in)
	case kind.DOCX: // encrypted: what is inside cannot be seen
		return nil, fault.Protected("workbook")
	case kind.Unknown:
		return csv.Read(ctx, in, textKind(in))
	}
	return nil, fault.Damaged("workbook", fmt.Errorf("the file is no spreadsheet"))
}

// maxSheetBytes is more than other files get: sheets are streamed, so their XML
// is never in memory as a whole.
const maxSheetBytes = 512 << 20

func readPackage(ctx context.Context, in document.Input) (*document.Doc, error) {
	pkg, err := opc.Open(in.Body, archive.Limits{Bytes: maxSheetBytes})
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(pkg.Main("xl/workbook.xml"), ".bin") || pkg.Has("xl/workbook.bin") {
		return xlsb.Read(ctx, in, pkg)
	}
	return xlsx.Read(ctx, in, pkg)
}

func textKind(in document.Input) document.Kind {
	if strings.HasSuffix(strings.ToLower(in.Name), ".tsv") || strings.HasPrefix(in.ContentType, "text/tab-separated") {
		return document.TSV
	}
	return document.CSV
}
