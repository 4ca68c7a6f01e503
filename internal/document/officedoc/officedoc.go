// Package officedoc reads text documents, presentations and books: Word since
// 2007 and before, OpenDocument, RTF, PowerPoint since 2007 and before, EPUB.
//
// There is a package for each format below this one. They share package flow,
// which builds the tree, so a heading, a nested list or a merged cell comes out
// alike whatever program wrote it. No office suite is started, and nothing that
// a file refers to is ever fetched.
package officedoc

import (
	"context"
	"errors"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/cfb"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/kind"
	"github.com/trawlhq/trawl/internal/document/officedoc/doc"
	"github.com/trawlhq/trawl/internal/document/officedoc/docx"
	"github.com/trawlhq/trawl/internal/document/officedoc/epub"
	"github.com/trawlhq/trawl/internal/document/officedoc/odt"
	"github.com/trawlhq/trawl/internal/document/officedoc/ppt"
	"github.com/trawlhq/trawl/internal/document/officedoc/pptx"
	"github.com/trawlhq/trawl/internal/document/officedoc/rtf"
)

// Kinds lists what Read understands.
func Kinds() []document.Kind {
	return []document.Kind{document.DOCX, document.DOC, document.ODT, document.RTF, document.PPTX, document.PPT,
		document.ODP, document.EPUB}
}

var errOtherKind = errors.New("the bytes are no text document, presentation or book")

// Read reads a file as what its bytes say it is.
func Read(ctx context.Context, in document.Input) (*document.Doc, error) {
	switch kind.Of(in.Body) {
	case kind.DOCX:
		if isLocked(in.Body) {
			return nil, fault.Protected("document")
		}
		return docx.Read(ctx, in)
	case kind.DOC:
		return doc.Read(ctx, in)
	case kind.ODT, kind.ODP:
		return odt.Read(ctx, in)
	case kind.RTF:
		return rtf.Read(ctx, in)
	case kind.PPTX:
		return pptx.Read(ctx, in)
	case kind.PPT:
		return ppt.Read(ctx, in)
	case kind.EPUB:
		return epub.Read(ctx, in)
	}
	return nil, fault.Damaged("document", errOtherKind)
}

// isLocked tells whether a newer office file is wrapped in an encrypted
// compound file.
func isLocked(body []byte) bool {
	f, err := cfb.Open(body)
	return err == nil && f.Has("EncryptedPackage")
}
