package app_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/document/doctest"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/ocr"
)

// TestFilesMadeToDoHarm sends one file of each sort that is known to have ended
// other programs. Each is answered as the contract says, within its timeout.
func TestFilesMadeToDoHarm(t *testing.T) {
	r := start(t, settings(t))
	const failed = `"code":"DOCUMENT_PARSE_FAILED"`
	wide := `"limit":"pixels"`
	if !ocr.Find().Available() {
		wide = `"code":"UNSUPPORTED_FILE_TYPE"` // pictures are not read at all
	}
	for _, tc := range []struct {
		name, file string
		content    []byte
		status     []int
		want       string // in the answer, unless it is a 200
	}{
		{"a PDF whose pages are its pages' pages", "a.pdf", cyclicPDF(), []int{500}, failed},
		{"a PDF whose outline never ends", "a.pdf", cyclicOutline(), []int{200}, ""},
		{"a PDF of 100,000 pages", "a.pdf", manyPages(100_000), []int{408}, `"code":"SCRAPE_TIMEOUT"`},
		{"a PDF with a page that unpacks to 32 MiB", "a.pdf", bombPDF(t, 32<<20), []int{200, 408, 500}, ""},
		{"a letter cut off", "a.docx", letter(t, "One.", "Two.")[:500], []int{200, 500}, failed},
		{"a letter that unpacks to 64 MiB of nothing", "a.docx", letter(t, strings.Repeat("\x20", 64<<20)), []int{500}, failed},
		{"a letter of 20,000 parts", "a.docx", manyParts(t, 20_000), []int{200, 500}, failed},
		{"a letter that laughs", "a.docx", laughingLetter(t), []int{500}, failed},
		{"a letter that wants out of its folder", "a.docx", slippingLetter(t), []int{200}, ""},
		{"a workbook that says it has all cells there are", "a.xlsx", hugeSheet(t), []int{200}, ""},
		{"a picture of 100,000 by 100,000 pixels", "a.png", widePicture(100_000, 100_000), []int{400, 500}, wide},
		{"10,000 tables inside each other", "a.docx", nestedTables(t, 10_000), []int{200, 500}, failed},
		{"a rich text of 100,000 groups", "a.rtf", []byte(`{\rtf1 ` + strings.Repeat("{", 100_000)), []int{200, 500}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			const timeout = 10 * time.Second
			began := time.Now()
			got := r.parse(t, tc.file, tc.content, map[string]any{"timeout": timeout.Milliseconds()})
			if took := time.Since(began); took > timeout+2*time.Second {
				t.Errorf("answered after %s", took)
			}
			if !slices.Contains(tc.status, got.Status) || got.Status != 200 && !strings.Contains(got.Raw, tc.want) {
				t.Errorf("%d %.300s, want %v with %s", got.Status, got.Raw, tc.status, tc.want)
			}
		})
	}
	if got := r.parse(t, "a.pdf", paper(1), nil); got.Status != 200 {
		t.Errorf("a sound file afterwards: %d %.300s", got.Status, got.Raw)
	}
	if _, err := os.Stat(filepath.Join(os.TempDir(), slipped)); err == nil {
		t.Error("a file was written outside")
	}
}

// pdfOf writes objects, numbered from 1, as a file. The first is the catalog.
func pdfOf(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	places := make([]int, len(objects))
	for i, object := range objects {
		places[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range places {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return b.Bytes()
}

const blankPage = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] >>"

func cyclicPDF() []byte {
	return pdfOf("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>")
}

func cyclicOutline() []byte {
	return pdfOf("<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", blankPage,
		"<< /First 5 0 R /Last 5 0 R /Count 2 >>", "<< /Title (Round) /Parent 4 0 R /Next 5 0 R /First 4 0 R >>")
}

func manyPages(count int) []byte {
	return pdfOf("<< /Type /Catalog /Pages 2 0 R >>", fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Repeat("3 0 R ", count), count), blankPage)
}

// bombPDF has a page whose content is packed twice.
func bombPDF(t *testing.T, size int) []byte {
	t.Helper()
	content := deflated(t, deflated(t, bytes.Repeat([]byte("0 0 m\n"), size/6)))
	return pdfOf("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R >>",
		fmt.Sprintf("<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream", len(content), content))
}

func deflated(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// letterWith is a Word file with this main part and these others.
func letterWith(t *testing.T, document string, others map[string]string) []byte {
	t.Helper()
	parts := map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"_rels/.rels":         `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/document.xml":   document,
	}
	for name, text := range others {
		parts[name] = text
	}
	return doctest.Zip(t, parts)
}

const wordBegin, wordEnd = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`, `</w:body></w:document>`

func manyParts(t *testing.T, count int) []byte {
	t.Helper()
	others := make(map[string]string, count)
	for i := range count {
		others[fmt.Sprintf("word/part%d.xml", i)] = "<x/>"
	}
	return letterWith(t, wordBegin+`<w:p><w:r><w:t>One.</w:t></w:r></w:p>`+wordEnd, others)
}

func laughingLetter(t *testing.T) []byte {
	t.Helper()
	var entities strings.Builder
	entities.WriteString(`<!ENTITY a0 "ha">`)
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&entities, `<!ENTITY a%d "%s">`, i, strings.Repeat(fmt.Sprintf("&a%d;", i-1), 10))
	}
	return letterWith(t, `<?xml version="1.0"?><!DOCTYPE d [`+entities.String()+`]>`+wordBegin+`<w:p><w:r><w:t>&a11;</w:t></w:r></w:p>`+wordEnd, nil)
}

// slipped is the name of a file that must not come to be.
const slipped = "trawl-slipped-out"

func slippingLetter(t *testing.T) []byte {
	t.Helper()
	return letterWith(t, wordBegin+`<w:p><w:r><w:t>One.</w:t></w:r></w:p>`+wordEnd, map[string]string{
		"../../../../../../../../.." + filepath.Join(os.TempDir(), slipped): "x", filepath.Join(os.TempDir(), slipped): "x",
	})
}

func nestedTables(t *testing.T, levels int) []byte {
	t.Helper()
	return letterWith(t, wordBegin+strings.Repeat("<w:tbl><w:tr><w:tc>", levels)+"<w:p/>"+strings.Repeat("</w:tc></w:tr></w:tbl>", levels)+wordEnd, nil)
}

func hugeSheet(t *testing.T) []byte {
	t.Helper()
	const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	const rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	return doctest.Zip(t, map[string]string{
		"[Content_Types].xml":        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
		"_rels/.rels":                `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="` + rel + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook xmlns="` + main + `" xmlns:r="` + rel + `"><sheets><sheet name="All" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + rel + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   `<worksheet xmlns="` + main + `"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>`,
	})
}

// widePicture is the beginning of a PNG of that size.
func widePicture(width, height uint32) []byte {
	chunk := func(name string, data []byte) []byte {
		b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		b = append(append(b, name...), data...)
		return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	}
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	picture := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(size, 1, 0, 0, 0, 0))...)
	return append(append(picture, chunk("IDAT", []byte("x"))...), chunk("IEND", nil)...)
}
