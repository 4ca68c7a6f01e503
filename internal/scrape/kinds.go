package scrape

import (
	"encoding/base64"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
)

// input says how the bytes of a page are to be read.
func (r *run) input(p *page) document.Input {
	in := document.Input{Body: p.Body, ContentType: p.ContentType, URL: p.URL, Name: r.fileName}
	if r.fileName != "" {
		in.URL = "" // nothing in a file is relative to the name it was sent under
	}
	if pdf, reads := r.req.Parser("pdf"); reads {
		in.MaxPages, in.OCR = pdf.MaxPages, pdf.Mode
		in.WantPages, in.Blocks, in.PageMarkers = pdf.WantsPages(), pdf.Blocks, pdf.PageMarkers
	}
	return in
}

// refuseKind says what cannot be done with a file that could be done with a page.
func (r *run) refuseKind(kind document.Kind) error {
	if kind == document.HTML || isText(kind) {
		return nil
	}
	if len(r.req.Actions) > 0 {
		return trawl.Errorf(trawl.Invalid, "Actions are not supported on files.").WithCode("SCRAPE_ACTIONS_NOT_SUPPORTED")
	}
	if r.req.Wants(trawl.FormatBranding) {
		return trawl.Errorf(trawl.SiteFailed, "Branding is not supported on files.").WithCode("SCRAPE_BRANDING_NOT_SUPPORTED")
	}
	if _, reads := r.req.Parser("image"); kind == document.Image && !reads {
		return trawl.Errorf(trawl.SiteFailed, "Files of this type are not supported: %s", kind).WithCode("SCRAPE_UNSUPPORTED_FILE_ERROR")
	}
	return nil
}

func isText(kind document.Kind) bool {
	switch kind {
	case document.Text, document.JSON, document.XML, document.CSV, document.TSV, document.EML:
		return true
	}
	return false
}

// unread makes the document of bytes that nobody is to understand: raw bytes
// asked for alone, or a PDF whose parser is off.
func (r *run) unread(kind document.Kind, p *page, out *trawl.Document) (done bool) {
	formats := r.req.FormatList()
	if len(formats) == 1 && formats[0].Type == trawl.FormatRawBase64 {
		out.RawBase64 = base64.StdEncoding.EncodeToString(p.Body)
		return true
	}
	if _, reads := r.req.Parser("pdf"); kind != document.PDF || reads {
		return false
	}
	content := base64.StdEncoding.EncodeToString(p.Body)
	if r.req.Wants(trawl.FormatMarkdown) {
		out.Markdown = content
	}
	if r.req.Wants(trawl.FormatRawHTML) {
		out.RawHTML = content
	}
	return true
}

// pageCredits is what the pages of a PDF cost beyond the first.
func pageCredits(d *derived) int {
	if d.kind != document.PDF {
		return 0
	}
	return max(0, d.doc.Metadata.NumPages-1)
}
