package crawl_test

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"hash/crc32"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
)

// unpack reads what a server sends to those who take answers compressed.
func unpack(t *testing.T, p *trawl.Packed) []trawl.WireDocument {
	t.Helper()
	end := []byte{1, 0, 0, 0xff, 0xff} // the final block that a whole stream has
	text, err := io.ReadAll(flate.NewReader(io.MultiReader(bytes.NewReader(p.Deflate), bytes.NewReader(end))))
	if err != nil {
		t.Fatal(err)
	}
	if len(text) != p.Size || crc32.ChecksumIEEE(text) != p.Sum {
		t.Errorf("%d bytes with the sum %x, want %d and %x", len(text), crc32.ChecksumIEEE(text), p.Size, p.Sum)
	}
	var docs []trawl.WireDocument
	if err := json.Unmarshal(append(append([]byte{'['}, text...), ']'), &docs); err != nil {
		t.Fatal(err)
	}
	return docs
}

func sound(http.ResponseWriter, *http.Request, int) bool { return false }

func TestPackedDocumentsAreTheSameAsPlainOnes(t *testing.T) {
	site := numbered(t, 60, sound)
	h := build(t, houseOptions{})
	id := h.start(t, trawl.CrawlRequest{URL: site.URL + "/", CrawlOptions: trawl.CrawlOptions{Sitemap: trawl.SitemapSkip}})
	h.finish(t, id, h.CrawlStatus)
	for range 2 { // made now, and from memory
		packed := 0
		for skip := 0; skip < 61; {
			part := trawl.Window{Skip: skip, Limit: 25}
			plain, err := h.CrawlStatus(t.Context(), id, part)
			if err != nil {
				t.Fatal(err)
			}
			part.Packed = true
			st, err := h.CrawlStatus(t.Context(), id, part)
			if err != nil {
				t.Fatal(err)
			}
			docs := st.Data
			if st.Packed != nil {
				docs = unpack(t, st.Packed)
				packed++
			}
			if st.More != plain.More || st.Count() != len(plain.Data) || len(docs) != len(plain.Data) {
				t.Fatalf("from %d on: %d documents and more %v, want %d and %v", skip, len(docs), st.More, len(plain.Data), plain.More)
			}
			for i := range docs {
				if !bytes.Equal(docs[i], plain.Data[i]) {
					t.Errorf("document %d differs: %s", skip+i, docs[i])
				}
			}
			skip += len(docs)
		}
		if packed != 2 { // the last part may still grow, so it is not
			t.Errorf("%d parts came packed, want 2", packed)
		}
	}
}

func TestAPartGrowsWithTheCrawl(t *testing.T) {
	open := make(chan struct{})
	site := numbered(t, 30, func(_ http.ResponseWriter, r *http.Request, page int) bool {
		if page >= 10 {
			select {
			case <-open:
			case <-r.Context().Done():
			}
		}
		return false
	})
	h := build(t, houseOptions{})
	id := h.start(t, trawl.CrawlRequest{URL: site.URL + "/", CrawlOptions: trawl.CrawlOptions{Sitemap: trawl.SitemapSkip}})
	var before *trawl.CrawlStatus
	for deadline := time.Now().Add(patience); before == nil || before.Completed < 10; {
		var err error
		if before, err = h.CrawlStatus(t.Context(), id, trawl.Window{Packed: true}); err != nil || time.Now().After(deadline) {
			t.Fatalf("the first pages do not come: %v", err)
		}
		if len(before.Data) != before.Completed {
			t.Fatalf("%d documents of %d completed", len(before.Data), before.Completed)
		}
	}
	close(open)
	h.finish(t, id, h.CrawlStatus)
	after, err := h.CrawlStatus(t.Context(), id, trawl.Window{Packed: true})
	if err != nil || len(after.Data) != 31 {
		t.Fatalf("%d documents, want 31: %v", len(after.Data), err)
	}
	for i, doc := range before.Data {
		if !bytes.Equal(doc, after.Data[i]) {
			t.Errorf("document %d has changed", i)
		}
	}
}

func TestResultsLiveAsLongAsThePlanSays(t *testing.T) {
	for name, tc := range map[string]struct {
		plan access.Plan
		want time.Duration
	}{
		"as usual":     {access.Plan{}, 24 * time.Hour},
		"as agreed":    {access.Plan{ResultHours: 72}, 72 * time.Hour},
		"for one hour": {access.Plan{ResultHours: 1}, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			site := numbered(t, 1, sound)
			h := build(t, houseOptions{plans: map[string]access.Plan{access.BuiltInPlan: tc.plan}, idle: true})
			id := h.start(t, trawl.CrawlRequest{URL: site.URL + "/"})
			st, err := h.CrawlStatus(t.Context(), id, trawl.Window{})
			if err != nil {
				t.Fatal(err)
			}
			created, expires := time.Time(st.CreatedAt), time.Time(st.ExpiresAt)
			if want := created.Add(tc.want).Truncate(time.Second); !expires.Equal(want) {
				t.Errorf("expires at %v, want %v", expires, want)
			}
		})
	}
}
