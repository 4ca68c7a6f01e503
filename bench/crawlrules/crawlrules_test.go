package crawlrules

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/trawlhq/trawl/bench/suite"
)

func pack(t *testing.T, name, lines string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := io.WriteString(z, lines); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAgreementsAreCounted(t *testing.T) {
	data := t.TempDir()
	dir := filepath.Join(data, "crawl-rules")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	pack(t, filepath.Join(dir, "robots.jsonl.gz"), `{"id":"1","robots_txt":"user-agent: *\ndisallow: /a","user_agent":"x","url":"http://a.test/a","allowed":false}
{"id":"2","robots_txt":"","user_agent":"x","url":"http://a.test/a","allowed":false}
{"id":"3","robots_txt":"","user_agent":"x","url":"http://a.test/a","allowed":true,"google_only":true}`)
	pack(t, filepath.Join(dir, "url-resolve.jsonl.gz"), `{"id":"1","input":"../b","base":"http://a.test/x/y","href":"http://a.test/b","protocol":"http:"}
{"id":"2","input":"http://","base":null,"failure":true}
{"id":"3","input":"/c","base":"http://a.test/","href":"http://a.test/d","protocol":"http:"}
{"id":"4","input":"mailto:a@b.test","base":null,"href":"unlike","protocol":"mailto:"}`)
	pack(t, filepath.Join(dir, "sitemaps.jsonl.gz"), `{"id":"1","body":"<urlset><url><loc>http://a.test/</loc></url></urlset>","locs":["http://a.test/"]}
{"id":"2","body":"<rss><item><link>http://a.test/</link></item></rss>","locs":[]}`)
	results, err := Suites()[0].Run(t.Context(), suite.Env{Data: data, Out: t.TempDir(), Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"crawl-rules.robots": 0.5, "crawl-rules.robots-google": 1, "crawl-rules.links": 0.75, "crawl-rules.sitemaps": 1}
	for _, r := range results {
		if r.Value != want[r.Name] {
			t.Errorf("%s = %v, want %v (%s)", r.Name, r.Value, want[r.Name], r.Note)
		}
	}
	if len(results) != len(want) {
		t.Errorf("%d results, want %d", len(results), len(want))
	}
}
