package kind

import (
	"bytes"
	"strings"

	"github.com/trawlhq/trawl/internal/document/archive"
)

// ofZip looks at what a zip file holds: what it says of itself first, then the
// names of its parts.
func ofZip(body []byte) string {
	a, err := archive.Open(body, archive.Limits{Bytes: 8 << 20})
	if err != nil {
		return Unknown
	}
	if declared, err := a.Read("mimetype"); err == nil {
		if kind := ofMediaType(string(bytes.TrimSpace(declared))); kind != Unknown {
			return kind
		}
	}
	if types, err := a.Read("[Content_Types].xml"); err == nil {
		if kind := ofContentTypes(types); kind != Unknown {
			return kind
		}
	}
	return ofNames(a)
}

func ofMediaType(s string) string {
	switch {
	case strings.HasPrefix(s, "application/epub+zip"):
		return EPUB
	case strings.HasPrefix(s, "application/vnd.oasis.opendocument.text"):
		return ODT
	case strings.HasPrefix(s, "application/vnd.oasis.opendocument.spreadsheet"):
		return ODS
	case strings.HasPrefix(s, "application/vnd.oasis.opendocument.presentation"):
		return ODP
	}
	return Unknown
}

// ofContentTypes finds the main part among the declared types. A Word file with
// an embedded sheet declares both, but only one of them as main.
func ofContentTypes(types []byte) string {
	for _, t := range []struct{ mark, kind string }{
		{"wordprocessingml.document.main+xml", DOCX},
		{"wordprocessingml.template.main+xml", DOCX},
		{"ms-word.document.macroEnabled", DOCX},
		{"ms-word.template.macroEnabled", DOCX},
		{"spreadsheetml.sheet.main+xml", XLSX},
		{"spreadsheetml.template.main+xml", XLSX},
		{"ms-excel.sheet.macroEnabled", XLSX},
		{"ms-excel.template.macroEnabled", XLSX},
		{"ms-excel.sheet.binary", XLSX},
		{"presentationml.presentation.main+xml", PPTX},
		{"presentationml.slideshow.main+xml", PPTX},
		{"presentationml.template.main+xml", PPTX},
		{"ms-powerpoint.", PPTX},
	} {
		if bytes.Contains(types, []byte(t.mark)) {
			return t.kind
		}
	}
	return Unknown
}

func ofNames(a *archive.Archive) string {
	switch {
	case a.Has("META-INF/container.xml"):
		return EPUB
	case a.Has("word/document.xml"):
		return DOCX
	case a.Has("xl/workbook.xml"), a.Has("xl/workbook.bin"):
		return XLSX
	case a.Has("ppt/presentation.xml"):
		return PPTX
	case a.Has("content.xml"):
		return ofContent(a)
	}
	return Unknown
}

// ofContent looks into an OpenDocument file that does not say what it is.
func ofContent(a *archive.Archive) string {
	content, err := a.Read("content.xml")
	if err != nil {
		return Unknown
	}
	switch {
	case bytes.Contains(content, []byte("<office:spreadsheet")):
		return ODS
	case bytes.Contains(content, []byte("<office:presentation")):
		return ODP
	case bytes.Contains(content, []byte("<office:text")):
		return ODT
	}
	return Unknown
}
