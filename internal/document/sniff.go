package document

import (
	"bytes"
	"mime"
	"path"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// Kind names what some bytes are.
type Kind string

// The kinds that Sniff tells apart.
const (
	HTML   Kind = "html"
	XML    Kind = "xml"
	JSON   Kind = "json"
	Text   Kind = "text"
	CSV    Kind = "csv"
	TSV    Kind = "tsv"
	RTF    Kind = "rtf"
	EML    Kind = "eml"
	PDF    Kind = "pdf"
	DOCX   Kind = "docx"
	DOC    Kind = "doc"
	ODT    Kind = "odt"
	PPTX   Kind = "pptx"
	PPT    Kind = "ppt"
	ODP    Kind = "odp"
	XLSX   Kind = "xlsx"
	XLS    Kind = "xls"
	ODS    Kind = "ods"
	EPUB   Kind = "epub"
	Image  Kind = "image"
	Binary Kind = "binary" // none of the above: nothing here can read it
)

// Sniff says what the bytes are. Signatures of binary formats are believed
// before the declared type, because servers lie; among texts the declared type
// and the file name decide, because a CSV and a note look alike.
func Sniff(body []byte, contentType, name string) Kind {
	found := mimetype.Detect(body)
	for m := found; m != nil; m = m.Parent() {
		if kind, ok := kindOfType(mediaType(m.String())); ok && !isTextual(kind) {
			return kind
		}
	}
	declared, known := kindOfType(mediaType(contentType))
	if !known {
		declared, known = kindOfExtension(name)
	}
	if !found.Is("text/plain") && !isTextType(found) {
		return binaryAs(declared, known)
	}
	if known && isTextual(declared) && declared != Text {
		return declared
	}
	if known && declared == Text && !looksLikeHTML(body) {
		return Text
	}
	if kind, ok := kindOfType(mediaType(found.String())); ok {
		return kind
	}
	if looksLikeHTML(body) {
		return HTML
	}
	return Text
}

// binaryAs is the kind of bytes without a known signature that are no text:
// what was declared, if that is something without a signature of its own.
func binaryAs(declared Kind, known bool) Kind {
	if !known {
		return Binary
	}
	switch declared {
	case HTML, XML, Text, CSV, TSV, JSON, EML, Image: // text in an odd encoding or with stray control bytes
		return declared
	}
	return Binary
}

// looksLikeHTML finds a tag that only a page has near the start.
func looksLikeHTML(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), 2048)])
	for _, mark := range []string{"<!doctype html", "<html", "<head", "<body", "<title", "<meta"} {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}

func mediaType(s string) string {
	if mt, _, err := mime.ParseMediaType(s); err == nil {
		return mt
	}
	mt, _, _ := strings.Cut(s, ";")
	return strings.ToLower(strings.TrimSpace(mt))
}

func isTextType(m *mimetype.MIME) bool {
	for ; m != nil; m = m.Parent() {
		if m.Is("text/plain") {
			return true
		}
	}
	return false
}

func isTextual(k Kind) bool {
	switch k {
	case HTML, XML, JSON, Text, CSV, TSV, EML:
		return true
	}
	return false
}

func kindOfType(mediaType string) (Kind, bool) {
	if kind, ok := kindByType[mediaType]; ok {
		return kind, true
	}
	switch {
	case strings.HasPrefix(mediaType, "image/"):
		return Image, true
	case strings.HasSuffix(mediaType, "+json"):
		return JSON, true
	case strings.HasSuffix(mediaType, "+xml"):
		return XML, true
	case strings.HasPrefix(mediaType, "text/"):
		return Text, true
	}
	return "", false
}

func kindOfExtension(name string) (Kind, bool) {
	kind, ok := kindByExtension[strings.ToLower(path.Ext(name))]
	return kind, ok
}

var kindByType = map[string]Kind{
	"text/html":                               HTML,
	"application/xhtml+xml":                   HTML,
	"text/xml":                                XML,
	"application/xml":                         XML,
	"image/svg+xml":                           XML,
	"application/json":                        JSON,
	"text/json":                               JSON,
	"application/x-ndjson":                    JSON,
	"text/csv":                                CSV,
	"text/tab-separated-values":               TSV,
	"text/rtf":                                RTF,
	"application/rtf":                         RTF,
	"message/rfc822":                          EML,
	"application/pdf":                         PDF,
	"application/msword":                      DOC,
	"application/vnd.ms-powerpoint":           PPT,
	"application/vnd.ms-excel":                XLS,
	"application/epub+zip":                    EPUB,
	"application/vnd.oasis.opendocument.text": ODT,
	"application/vnd.oasis.opendocument.presentation":                           ODP,
	"application/vnd.oasis.opendocument.spreadsheet":                            ODS,
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   DOCX,
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": PPTX,
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         XLSX,
}

var kindByExtension = map[string]Kind{
	".html": HTML, ".htm": HTML, ".xhtml": HTML, ".xml": XML, ".json": JSON, ".txt": Text, ".md": Text,
	".csv": CSV, ".tsv": TSV, ".rtf": RTF, ".eml": EML, ".pdf": PDF, ".docx": DOCX, ".doc": DOC, ".odt": ODT,
	".pptx": PPTX, ".ppt": PPT, ".odp": ODP, ".xlsx": XLSX, ".xls": XLS, ".ods": ODS, ".epub": EPUB,
	".png": Image, ".jpg": Image, ".jpeg": Image, ".gif": Image, ".webp": Image, ".bmp": Image,
	".tif": Image, ".tiff": Image, ".avif": Image, ".jp2": Image,
}
