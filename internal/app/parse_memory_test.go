package app_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/document/doctest"
)

// What a file may cost the server beside the file itself, and what may be left
// of it afterwards.
const (
	mostGrowth = 300 << 20
	mostLeft   = 40 << 20
)

// TestAFileCannotFillTheServer sends files that become far more than they are. The
// children that read them have limits of the system; here the server is watched,
// which has none.
func TestAFileCannotFillTheServer(t *testing.T) {
	r := start(t, settings(t))
	for _, tc := range []struct {
		name, file string
		content    []byte
		limit      string // that it is refused for; empty: it is read
	}{
		{"a table of 100,000 cells", "a.docx", wordTable(t, 1000, 100), ""},
		{"ten megabytes of text", "a.txt", bytes.Repeat([]byte("Ten words on a line, which is a paragraph of its own.\n\n"), 10<<20/55), ""},
		{"a megabyte of commas", "a.csv", bytes.Repeat([]byte(strings.Repeat(",", 99)+"\n"), 1<<20/100), ""},
		{"half a million cells", "a.csv", bytes.Repeat([]byte("1,2,3,4,5\n"), 100_000), ""},
		{"a megabyte of empty paragraphs", "a.html", bytes.Repeat([]byte("<p>"), 1<<20/3), ""},
		{"half a million letters in elements of their own", "a.html", bytes.Repeat([]byte("<b>a"), 1<<19), ""},
		{"forty megabytes of text in three formats", "a.txt", bytes.Repeat([]byte("word "), 8<<20), "size of the document"},
		{"100,000 elements inside each other", "a.html", bytes.Repeat([]byte("<div>"), 100_000), ""},
		{"200,000 elements inside each other in a book", "a.epub", book(t, strings.Repeat("<div>", 200_000)), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before := memoryInUse()
			peak := watchMemory()
			status, answer := r.send(t, tc.file, tc.content)
			growth := peak() - before
			t.Logf("%d MiB more for %d KiB, answered with %d", growth>>20, len(tc.content)>>10, status)
			if growth > mostGrowth+int64(len(tc.content)) {
				t.Errorf("the server grew by %d MiB", growth>>20)
			}
			want := `"success":true`
			if tc.limit != "" {
				want = fmt.Sprintf(`"limit":%q`, tc.limit)
			}
			if !strings.Contains(answer, want) {
				t.Errorf("%d %s, want %s", status, answer, want)
			}
			eventually(t, 10*time.Second, "the memory is given back", func() bool { return memoryInUse()-before < mostLeft })
		})
	}
}

// wordTable is a Word file with a table.
func wordTable(t *testing.T, rows, columns int) []byte {
	t.Helper()
	cells := "<w:tr>" + strings.Repeat("<w:tc><w:p><w:r><w:t>12.5</w:t></w:r></w:p></w:tc>", columns) + "</w:tr>"
	return letter(t, `</w:t></w:r></w:p><w:tbl>`+strings.Repeat(cells, rows)+`</w:tbl><w:p><w:r><w:t>`)
}

// book is an EPUB of one chapter.
func book(t *testing.T, chapter string) []byte {
	t.Helper()
	return doctest.Zip(t, map[string]string{
		"mimetype":               "application/epub+zip",
		"META-INF/container.xml": `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
		"b.opf":                  `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`,
		"c.xhtml":                `<html xmlns="http://www.w3.org/1999/xhtml"><body>` + chapter + `</body></html>`,
	})
}

// send sends a file and gives the beginning of the answer: all of it would be in
// the memory that is measured.
func (r *running) send(t *testing.T, name string, content []byte) (status int, beginning string) {
	t.Helper()
	var head bytes.Buffer
	w := multipart.NewWriter(&head)
	if err := w.WriteField("options", `{"formats":["markdown","html","rawHtml","links"],"onlyMainContent":false}`); err != nil {
		t.Fatal(err)
	}
	if _, err := w.CreateFormFile("file", name); err != nil {
		t.Fatal(err)
	}
	body := io.MultiReader(&head, bytes.NewReader(content), strings.NewReader("\r\n--"+w.Boundary()+"--\r\n"))
	req, err := http.NewRequestWithContext(t.Context(), "POST", r.URL+"/v2/parse", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", w.FormDataContentType())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	start := make([]byte, 400)
	n, err := io.ReadFull(res.Body, start)
	if err != nil && err != io.ErrUnexpectedEOF {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(start[:n])
}

// memoryInUse is what the process has of the system once it has tidied up.
func memoryInUse() int64 {
	debug.FreeOSMemory()
	return memoryNow()
}

func memoryNow() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// watchMemory notes the most memory in use until the function it gives is called.
func watchMemory() (most func() int64) {
	var peak atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			peak.Store(max(peak.Load(), memoryNow()))
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	return func() int64 {
		close(stop)
		<-stopped
		return peak.Load()
	}
}
