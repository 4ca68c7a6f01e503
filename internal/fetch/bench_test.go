package fetch

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// BenchmarkFetch compares the whole chain, sixteen fetches at once, with the least
// that could be done over the same transport. Both parse the page: that is what
// a scrape is held against.
func BenchmarkFetch(b *testing.B) {
	body := []byte("<!doctype html><title>t</title><body>" + strings.Repeat("<p>Some words of a page that is not long.</p>", 800))
	address := serve(b, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(body)
	})
	engine := engine(b)
	chain := Engines(Blocked(Refresh(Retry(PerHost(engine, 16)))), nil)
	chain = Guard(Proxied(chain, nil), engine.guard)
	r := request(b, address)
	ways := map[string]func() ([]byte, error){
		"chain": func() ([]byte, error) {
			page, err := chain.Fetch(b.Context(), r)
			if err != nil {
				return nil, err
			}
			NeedsScripts(page)
			return page.Body, nil
		},
		"bare": func() ([]byte, error) {
			req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, nil)
			if err != nil {
				return nil, err
			}
			res, err := engine.verified.RoundTrip(req)
			if err != nil {
				return nil, err
			}
			defer res.Body.Close()
			return io.ReadAll(res.Body)
		},
	}
	for _, name := range []string{"chain", "bare"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(8)
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					got, err := ways[name]()
					if err != nil {
						b.Error(err)
						return
					}
					if _, err := html.Parse(bytes.NewReader(got)); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
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
