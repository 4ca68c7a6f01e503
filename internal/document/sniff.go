package document

import (
	"bytes"
	"mime"
	"path"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"github.com/trawlhq/trawl/internal/document/cfb"
	"github.com/trawlhq/trawl/internal/document/kind"
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
// before the declared type, because servers lie; among texts the file name and
// then the declared type decide, because a CSV and a note look alike.
func Sniff(body []byte, contentType, name string) Kind {
	declared, known := kindOfExtension(name)
	if !known {
		declared, known = kindOfType(mediaType(contentType))
	}
	if inside := Kind(kind.Of(body)); inside != kind.Unknown && (isContainer(body) || known && inside == declared) {
		return inside
	}
	found := mimetype.Detect(body)
	if found.Is("application/pdf") && looksLikeHTML(body) && !bytes.HasPrefix(body, []byte("%PDF-")) {
		return HTML // a page about PDF
	}
	for m := found; m != nil; m = m.Parent() {
		if k, ok := kindOfType(mediaType(m.String())); ok && !isTextual(k) {
			return k
		}
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
	if k, ok := kindOfType(mediaType(found.String())); ok {
		return k
	}
	if looksLikeHTML(body) {
		return HTML
	}
	return Text
}

// isContainer tells files that hold others: what they are is seen inside.
func isContainer(body []byte) bool {
	return bytes.HasPrefix(body, []byte("PK\x03\x04")) || bytes.HasPrefix(body, []byte(cfb.Signature))
}

// binaryAs is the kind of bytes without a known signature that are no text:
// what was declared. Either it is text in an odd encoding, or a damaged file,
// which its reader can mend or name better than we can.
func binaryAs(declared Kind, known bool) Kind {
	if !known {
		return Binary
	}
	return declared
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
	if k, ok := kindByType[mediaType]; ok {
		return k, true
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

// FileKind tells from a name alone that something is a file, not a page or a text.
func FileKind(name string) (Kind, bool) {
	kind, known := kindOfExtension(name)
	return kind, known && !isTextual(kind)
}

func kindOfExtension(name string) (Kind, bool) {
	k, ok := kindByExtension[strings.ToLower(path.Ext(name))]
	return k, ok
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
	".docm": DOCX, ".pptm": PPTX, ".xlsm": XLSX, ".xlsb": XLSX, ".markdown": Text,
	".pptx": PPTX, ".ppt": PPT, ".odp": ODP, ".xlsx": XLSX, ".xls": XLS, ".ods": ODS, ".epub": EPUB,
	".png": Image, ".jpg": Image, ".jpeg": Image, ".gif": Image, ".webp": Image, ".bmp": Image,
	".tif": Image, ".tiff": Image, ".avif": Image, ".jp2": Image,
}
