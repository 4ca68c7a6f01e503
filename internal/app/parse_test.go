package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/doctest"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/ocr"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdftest"
)

// parse sends a file with options.
func (r *running) parse(t *testing.T, name string, content []byte, options map[string]any) reply {
	t.Helper()
	got, err := r.tryParse(t.Context(), name, content, options)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (r *running) tryParse(ctx context.Context, name string, content []byte, options map[string]any) (reply, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		return reply{}, err
	}
	if _, err := part.Write(content); err != nil {
		return reply{}, err
	}
	if options != nil {
		text, err := json.Marshal(options)
		if err != nil {
			return reply{}, err
		}
		if err := w.WriteField("options", string(text)); err != nil {
			return reply{}, err
		}
	}
	if err := w.Close(); err != nil {
		return reply{}, err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", r.URL+"/v2/parse", &b)
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", w.FormDataContentType())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return reply{}, err
	}
	got := reply{Status: res.StatusCode, Raw: string(data)}
	return got, json.Unmarshal(data, &got)
}

// paper is a PDF of some pages, each with a heading of its own in a place of its own.
func paper(pages int) []byte {
	doc := &pdftest.Doc{Info: map[string]string{"Title": "Tide tables"}}
	for i := range pages {
		p, y := doc.Page(595, 842), 150+float64(i%7)*60
		p.Text(72, y, 20, pdftest.SansBold, chapters[i%len(chapters)])
		p.Lines(72, y+40, 11, pdftest.Serif, "High water comes at twenty to seven in the morning", "and again at five past seven in the evening.")
		p.Text(72, y+80, 11, pdftest.Serif, "Ask the keeper.")
		p.Link(72, y+70, 140, y+82, "https://quay.test/tides")
	}
	return doc.Bytes()
}

var chapters = []string{"Spring tides", "Neap water", "Of storms", "The bar", "Slack hours"}

// letter is a Word file with one paragraph of each text.
func letter(t testing.TB, texts ...string) []byte {
	t.Helper()
	body := "<w:p><w:r><w:t>" + strings.Join(texts, "</w:t></w:r></w:p><w:p><w:r><w:t>") + "</w:t></w:r></w:p>"
	return doctest.Zip(t, map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"_rels/.rels":         `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/document.xml":   `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` + body + `</w:body></w:document>`,
	})
}

func TestAFileBecomesADocument(t *testing.T) {
	r := start(t, settings(t))
	got := r.parse(t, "tides.pdf", paper(2), map[string]any{"formats": []string{"markdown", "html", "rawHtml", "links"}})
	if got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Raw)
	}
	doc := got.Data
	if !strings.Contains(doc.Markdown, "# Spring tides") || !strings.Contains(doc.Markdown, "twenty to seven in the morning and again") {
		t.Errorf("markdown %s", doc.Markdown)
	}
	if !strings.Contains(doc.HTML, "<h") || !strings.Contains(doc.RawHTML, "<p>") || len(doc.Links) != 1 || doc.Links[0] != "https://quay.test/tides" {
		t.Errorf("html %.200s, rawHtml %.200s, links %v", doc.HTML, doc.RawHTML, doc.Links)
	}
	m := doc.Metadata
	if m.SourceFile != "tides.pdf" || m.SourceURL != "tides.pdf" || m.URL != "upload://tides.pdf" || m.StatusCode != 200 || m.ContentType != "application/pdf" ||
		m.NumPages != 2 || m.TotalPages != 2 || m.CreditsUsed != 2 || m.ProxyUsed != "basic" || m.CacheState != "" || m.Page["title"] != "Tide tables" {
		t.Errorf("metadata %+v", m)
	}
	again := r.call(t, "GET", "/v2/scrape/"+m.ScrapeID, nil)
	if again.Status != 200 || again.Data.Markdown != doc.Markdown || again.Data.Metadata.SourceFile != "tides.pdf" {
		t.Errorf("read again: %d %s", again.Status, again.Raw)
	}
}

func TestPagesOfAPDF(t *testing.T) {
	r := start(t, settings(t))
	pdf := func(options map[string]any) map[string]any {
		options["type"] = "pdf"
		return map[string]any{"parsers": []any{options}}
	}
	t.Run("no more than asked for", func(t *testing.T) {
		m := r.parse(t, "a.pdf", paper(5), pdf(map[string]any{"maxPages": 2})).Data.Metadata
		if m.NumPages != 2 || m.TotalPages != 5 || m.CreditsUsed != 2 {
			t.Errorf("%+v", m)
		}
	})
	t.Run("one by one, under both names", func(t *testing.T) {
		for _, name := range []string{"pages", "pageMarkdown"} {
			pages := r.parse(t, "a.pdf", paper(3), pdf(map[string]any{name: true})).Data.Pages
			if len(pages) != 3 || pages[2].PageNumber != 3 || !strings.Contains(pages[2].Markdown, "Of storms") || strings.Contains(pages[2].Markdown, "Neap water") {
				t.Errorf("%s: %+v", name, pages)
			}
		}
	})
	t.Run("with marks between them", func(t *testing.T) {
		text := r.parse(t, "a.pdf", paper(3), pdf(map[string]any{"pageMarkers": true})).Data.Markdown
		if strings.Contains(text, "<!-- page 1 -->") || strings.Count(text, "\n\n---\n\n<!-- page 2 -->\n\n") != 1 || strings.Count(text, "\n\n---\n\n<!-- page 3 -->\n\n") != 1 {
			t.Errorf("%s", text)
		}
	})
	t.Run("as blocks that point into the markdown", func(t *testing.T) {
		doc := r.parse(t, "a.pdf", paper(2), pdf(map[string]any{"blocks": true})).Data
		if len(doc.Blocks) != 2 || len(doc.Blocks[1].Items) == 0 || doc.Blocks[0].Status != "ok" {
			t.Fatalf("%+v", doc.Blocks)
		}
		first := doc.Blocks[1].Items[0]
		if first.ID != "p2.b1" || first.BBox == nil || first.MarkdownSpan == nil ||
			!strings.Contains(doc.Markdown[first.MarkdownSpan[0]:first.MarkdownSpan[1]], "Neap water") {
			t.Errorf("%+v", first)
		}
	})
	t.Run("not at all", func(t *testing.T) {
		doc := r.parse(t, "a.pdf", paper(2), map[string]any{"parsers": []any{}}).Data
		if !strings.HasPrefix(doc.Markdown, "JVBERi0") || doc.Metadata.CreditsUsed != 1 || doc.Metadata.NumPages != 0 {
			t.Errorf("%.60s %+v", doc.Markdown, doc.Metadata)
		}
	})
}

func TestAScrapeOfTheSameFileGivesTheSameMarkdown(t *testing.T) {
	r := start(t, settings(t))
	files := map[string][]byte{
		"a.csv": []byte("a,b\n1,2\n"), "a.txt": []byte("Some words.\n\nMore."), "a.json": []byte(`{"a":[1,2]}`), "a.xml": []byte("<a><b>1</b></a>"),
		"a.md": []byte("# A\n\nB"), "a.html": []byte("<html><body><h1>A</h1><p>B</p></body></html>"), "a.htm": []byte("<h1>A</h1><p>B</p>"),
		"a.xhtml": []byte(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><h1>A</h1><p>B</p></body></html>`),
		"a.eml":   []byte("From: a@quay.test\r\nTo: b@quay.test\r\nSubject: A\r\nMIME-Version: 1.0\r\n\r\nB.\r\n"),
	}
	for _, f := range soundFiles(t) {
		if !strings.HasPrefix(f.name, "sign.") || f.name == "sign.png" && ocr.Find().Available() { // the other pictures take the same way
			files[f.name] = f.content
		}
	}
	for name, content := range files {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			http.ServeContent(w, req, name, time.Time{}, bytes.NewReader(content))
		}))
		sent, fetched := r.parse(t, name, content, nil), r.scrape(t, site.URL+"/"+name, nil)
		site.Close()
		if sent.Status != 200 || fetched.Status != 200 || sent.Data.Markdown == "" || sent.Data.Markdown != fetched.Data.Markdown {
			t.Errorf("%s: sent %s\nfetched %s", name, sent.Raw, fetched.Raw)
		}
	}
}

func TestBadFilesEndWithTheirError(t *testing.T) {
	r := start(t, settings(t))
	locked := (&pdftest.Doc{Encrypted: true, Password: "open sesame"})
	locked.Page(300, 300).Text(10, 20, 12, pdftest.Sans, "secret")
	for _, tc := range []struct {
		name, file string
		content    []byte
		status     int
		want       string
	}{
		{"no bytes", "a.pdf", nil, 400, `"error":"The uploaded file is empty."`},
		{"another kind", "a.zip", []byte("PK"), 400, `"code":"UNSUPPORTED_FILE_TYPE"`},
		{"a PDF cut off", "a.pdf", paper(1)[:60], 500, `"code":"DOCUMENT_PARSE_FAILED"`},
		{"noise called PDF", "a.pdf", []byte("\x00\x01\x02noise"), 500, `"code":"DOCUMENT_PARSE_FAILED"`},
		{"noise called Word", "a.docx", []byte("\x00\x01\x02noise"), 500, `"code":"DOCUMENT_PARSE_FAILED"`},
		{"noise called Excel", "a.xls", []byte("\x00\x01\x02noise"), 500, `"code":"DOCUMENT_PARSE_FAILED"`},
		{"a zip called Word", "a.docx", doctest.Zip(t, map[string]string{"x": "y"}), 500, `"code":"DOCUMENT_PARSE_FAILED"`},
		{"a PDF with a password", "a.pdf", locked.Bytes(), 500, `password-protected`},
		{"a PDF called Word", "a.docx", paper(1), 200, `Spring tides`},
		{"a letter called PDF", "a.pdf", letter(t, "Dear reader"), 200, `Dear reader`},
		{"a page called PDF", "a.pdf", []byte("<!doctype html><title>x</title><p>a page"), 200, `a page`},
		{"a letter of a few kilobytes that unpacks to 50 MiB", "a.docx", letter(t, slices.Repeat([]string{strings.Repeat("a", 64<<10)}, 800)...), 500, `"limit"`},
		{"laughter", "a.xml", []byte(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>`), 200, `ENTITY`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := r.parse(t, tc.file, tc.content, nil)
			if got.Status != tc.status || !strings.Contains(got.Raw, tc.want) {
				t.Errorf("%d %.400s, want %d with %s", got.Status, got.Raw, tc.status, tc.want)
			}
			if got.Code == "DOCUMENT_PARSE_FAILED" && !strings.Contains(string(got.Details), `"retryable":false`) {
				t.Errorf("details %s", got.Details)
			}
		})
	}
	if got := r.call(t, "GET", "/v2/team/credit-usage", nil); got.Status != 200 {
		t.Errorf("the server afterwards: %d %s", got.Status, got.Raw)
	}
}

func TestAScannedPageWithoutOCR(t *testing.T) {
	scan := &pdftest.Doc{}
	scan.Page(300, 300).Picture(0, 0, 300, 300)
	r := start(t, settings(t))
	fast := map[string]any{"parsers": []any{map[string]any{"type": "pdf", "mode": "fast"}}}
	if got := r.parse(t, "a.pdf", scan.Bytes(), fast); got.Status != 500 || got.Code != "PDF_OCR_REQUIRED" {
		t.Errorf("sent: %d %s", got.Status, got.Raw)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(scan.Bytes()) // the scrape tells
	}))
	defer site.Close()
	if got := r.scrape(t, site.URL+"/a.pdf", fast); got.Status != 500 || got.Code != "SCRAPE_PDF_OCR_REQUIRED" {
		t.Errorf("fetched: %d %s", got.Status, got.Raw)
	}
}

// TestLargeTextIsReadApart shows that a text which takes gigabytes once it is
// understood takes them from a child, whose limit it meets.
func TestLargeTextIsReadApart(t *testing.T) {
	r := start(t, settings(t))
	got := r.parse(t, "a.txt", bytes.Repeat([]byte("word \n\n"), 40<<20/7), nil)
	if got.Status != 500 || got.Code != "DOCUMENT_PARSE_FAILED" || !strings.Contains(string(got.Details), `"limit":"memory"`) {
		t.Errorf("%d %.300s", got.Status, got.Raw)
	}
	if got := r.parse(t, "a.txt", bytes.Repeat([]byte("A few words on a line, and some more of them.\n\n"), 40<<10), nil); got.Status != 200 {
		t.Errorf("two megabytes of prose: %d %.300s", got.Status, got.Raw)
	}
}

func TestATimeoutIsKeptAndCostsNothingElse(t *testing.T) {
	r := start(t, settings(t))
	long := paper(3000)
	began := time.Now()
	got := r.parse(t, "a.pdf", long, map[string]any{"timeout": 1000})
	if took := time.Since(began); got.Status != 408 || got.Code != "SCRAPE_TIMEOUT" || took > 3*time.Second {
		t.Errorf("%d %s after %s", got.Status, got.Raw, took)
	}
	if got := r.parse(t, "a.pdf", paper(1), nil); got.Status != 200 {
		t.Errorf("the next file: %d %s", got.Status, got.Raw)
	}
}

// TestAKilledReaderCostsItsFile kills the children while they work.
func TestAKilledReaderCostsItsFile(t *testing.T) {
	r := start(t, settings(t))
	done := make(chan reply, 1)
	go func() {
		got, err := r.tryParse(t.Context(), "a.pdf", paper(3000), nil)
		if err != nil {
			t.Error(err)
		}
		done <- got
	}()
	eventually(t, 20*time.Second, "a reader is at work", func() bool { return len(children(t)) > 0 })
	eventually(t, 30*time.Second, "the file is given up", func() bool {
		for _, pid := range children(t) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // may be gone already
		}
		select {
		case got := <-done:
			if got.Status != 500 || got.Code != "DOCUMENT_PARSE_FAILED" {
				t.Errorf("%d %s", got.Status, got.Raw)
			}
			return true
		default:
			return false
		}
	})
	if got := r.parse(t, "a.pdf", paper(1), nil); got.Status != 200 {
		t.Errorf("the next file: %d %s", got.Status, got.Raw)
	}
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	eventually(t, 5*time.Second, "no reader is left", func() bool { return len(children(t)) == 0 })
}

// children are the readers that this process has started.
func children(t *testing.T) []int {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, task := range tasks {
		list, err := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		if err != nil {
			continue // the thread has ended
		}
		for _, text := range strings.Fields(string(list)) {
			line, err := os.ReadFile("/proc/" + text + "/cmdline")
			if err == nil && strings.Contains(string(line), "\x00read-apart\x00") {
				var pid int
				if _, err := fmt.Sscan(text, &pid); err == nil {
					pids = append(pids, pid)
				}
			}
		}
	}
	return pids
}

func TestAFileSentBeforehand(t *testing.T) {
	r := start(t, settings(t))
	opened := r.call(t, "POST", "/v2/parse/upload-url", map[string]any{"filename": "a.docx", "origin": "mcp"})
	var slot struct {
		Data trawl.UploadSlot `json:"data"`
	}
	if err := json.Unmarshal([]byte(opened.Raw), &slot); err != nil || opened.Status != 200 || !strings.HasPrefix(slot.Data.UploadURL, r.URL+"/v2/parse/upload/") {
		t.Fatalf("%d %s %v", opened.Status, opened.Raw, err)
	}
	req, err := http.NewRequestWithContext(t.Context(), slot.Data.Method, slot.Data.UploadURL, bytes.NewReader(letter(t, "Dear reader")))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req) // without a key
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); err != nil || res.StatusCode != 200 || strings.TrimSpace(string(text)) != `{"success":true}` {
		t.Errorf("%d %s %v", res.StatusCode, text, err)
	}
	got := r.call(t, "POST", "/v2/parse", map[string]any{"uploadRef": slot.Data.UploadRef, "formats": []string{"markdown"}})
	if got.Status != 200 || got.Data.Markdown != "Dear reader" || got.Data.Metadata.SourceFile != "a.docx" {
		t.Errorf("%d %s", got.Status, got.Raw)
	}
	if got := r.call(t, "PUT", "/v2/parse/upload/x?uploadRef=nonsense", "x"); got.Status != 400 || got.Error != "Invalid uploadRef format." {
		t.Errorf("%d %s", got.Status, got.Raw)
	}
}
