// Package kind says what a file is by looking into it.
//
// Names and declared types are hints that people and servers get wrong. A zip
// file is opened and asked for the document inside, a compound file for its
// streams, so that a mislabelled file is read as what it is.
package kind

import (
	"bytes"

	"github.com/trawlhq/trawl/internal/document/cfb"
)

// The kinds that can be told from bytes alone. They are spelled as the kinds of
// package document.
const (
	PDF     = "pdf"
	RTF     = "rtf"
	EML     = "eml"
	DOCX    = "docx"
	DOC     = "doc"
	ODT     = "odt"
	PPTX    = "pptx"
	PPT     = "ppt"
	ODP     = "odp"
	XLSX    = "xlsx"
	XLS     = "xls"
	ODS     = "ods"
	EPUB    = "epub"
	Image   = "image"
	Unknown = "" // plain text of some sort, or nothing known
)

// Of gives the kind of some bytes, or Unknown.
func Of(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		return ofZip(body)
	case bytes.HasPrefix(body, []byte(cfb.Signature)):
		return ofCompound(body)
	case bytes.HasPrefix(bytes.TrimLeft(head(body, 64), " \t\r\n\ufeff"), []byte(`{\rtf`)):
		return RTF
	case bytes.Contains(head(body, 1024), []byte("%PDF-")):
		return PDF
	case ImageType(body) != "":
		return Image
	case isSheetStream(body):
		return XLS
	case isMail(body):
		return EML
	}
	return Unknown
}

func head(body []byte, n int) []byte { return body[:min(len(body), n)] }

// ofCompound looks at the streams of a compound file. One that holds an
// encrypted package is some newer office file; which one cannot be seen.
func ofCompound(body []byte) string {
	f, err := cfb.Open(body)
	if err != nil {
		return Unknown
	}
	switch {
	case f.Has("WordDocument"):
		return DOC
	case f.Has("Workbook"), f.Has("Book"):
		return XLS
	case f.Has("PowerPoint Document"):
		return PPT
	case f.Has("EncryptedPackage"):
		return DOCX
	}
	return Unknown
}

// isSheetStream knows a worksheet from before compound files: it begins with
// the record that says so.
func isSheetStream(body []byte) bool {
	if len(body) < 8 || body[0] != 0x09 || body[3] != 0 {
		return false
	}
	switch body[1] {
	case 0x00, 0x02, 0x04, 0x08:
		return body[2] >= 4 && body[2] <= 16
	}
	return false
}

// ImageType gives the media type of a picture, or "".
func ImageType(body []byte) string {
	switch h := head(body, 32); {
	case bytes.HasPrefix(h, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(h, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(h, []byte("GIF87a")), bytes.HasPrefix(h, []byte("GIF89a")):
		return "image/gif"
	case bytes.HasPrefix(h, []byte("II*\x00")), bytes.HasPrefix(h, []byte("MM\x00*")):
		return "image/tiff"
	case bytes.HasPrefix(h, []byte("BM")) && len(h) > 17 && h[14] >= 12 && h[15] == 0:
		return "image/bmp"
	case bytes.HasPrefix(h, []byte("RIFF")) && len(h) >= 12 && string(h[8:12]) == "WEBP":
		return "image/webp"
	case bytes.HasPrefix(h, []byte("\x00\x00\x00\x0cjP  \r\n\x87\n")), bytes.HasPrefix(h, []byte("\xff\x4f\xff\x51")):
		return "image/jp2"
	case len(h) >= 12 && string(h[4:8]) == "ftyp" && (string(h[8:12]) == "avif" || string(h[8:12]) == "avis"):
		return "image/avif"
	}
	return ""
}

// isMail tells whether the bytes begin with the header of a message: lines of
// names and values, among them some that only mail has.
func isMail(body []byte) bool {
	marks := 0
	for line := range bytes.Lines(head(body, 4096)) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			continue
		}
		name, _, ok := bytes.Cut(line, []byte(":"))
		if !ok || len(name) == 0 || bytes.ContainsAny(name, " \t<>{}\"") {
			return false
		}
		switch string(bytes.ToLower(name)) {
		case "from", "to", "received", "return-path", "message-id", "mime-version", "delivered-to", "subject", "date":
			marks++
		}
	}
	return marks >= 3
}
