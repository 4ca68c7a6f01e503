package document

import "github.com/gabriel-vasile/mimetype"

// mediaTypes are the types that kinds are announced with.
var mediaTypes = map[Kind]string{
	HTML: "text/html", XML: "application/xml", JSON: "application/json", Text: "text/plain", CSV: "text/csv",
	TSV: "text/tab-separated-values", RTF: "application/rtf", EML: "message/rfc822", PDF: "application/pdf",
	DOC: "application/msword", PPT: "application/vnd.ms-powerpoint", XLS: "application/vnd.ms-excel", EPUB: "application/epub+zip",
	ODT:  "application/vnd.oasis.opendocument.text",
	ODP:  "application/vnd.oasis.opendocument.presentation",
	ODS:  "application/vnd.oasis.opendocument.spreadsheet",
	DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	PPTX: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// MediaType names what some bytes of a kind are.
func MediaType(kind Kind, body []byte) string {
	if known, ok := mediaTypes[kind]; ok {
		return known
	}
	return mimetype.Detect(body).String()
}
