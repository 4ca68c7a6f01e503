package fetch

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkFetch compares the engine with the least that could be done: a request
// over the same transport and a read of the body.
func BenchmarkFetch(b *testing.B) {
	page := []byte("<!doctype html><title>t</title><body>" + strings.Repeat("<p>Some words of a page that is not long.</p>", 800))
	address := serve(b, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(page)
	})
	f := engine(b)
	r := request(b, address)
	b.Run("engine", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := f.Fetch(b.Context(), r); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, nil)
			if err != nil {
				b.Fatal(err)
			}
			res, err := f.verified.RoundTrip(req)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadAll(res.Body); err != nil {
				b.Fatal(err)
			}
			_ = res.Body.Close()
		}
	})
}

func BenchmarkNeedsScripts(b *testing.B) {
	head := bytes.Repeat([]byte("<script>var a = 1; function f() { return a }</script><style>.a{color:red}</style>"), 200)
	for _, n := range []int{10, 2000} {
		page := &Page{Engine: EngineHTTP, ContentType: "text/html", Body: append(append([]byte("<head>"), head...), bytes.Repeat([]byte("<p>words</p>"), n)...)}
		b.Run(fmt.Sprintf("%d paragraphs", n), func(b *testing.B) {
			b.SetBytes(int64(len(page.Body)))
			b.ReportAllocs()
			for b.Loop() {
				NeedsScripts(page)
			}
		})
	}
}
