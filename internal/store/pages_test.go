package store_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func insertPage(t *testing.T, s *store.Store, p store.Page) {
	t.Helper()
	p.Header, p.Extra = "{}", "{}"
	if err := s.InTx(t.Context(), func(tx *store.Tx) error { return tx.InsertPage(t.Context(), p) }); err != nil {
		t.Fatal(err)
	}
}

func TestPagesComeNewestFirstAndInRange(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for i := range 5 {
			insertPage(t, s, store.Page{
				ID: fmt.Sprint(i), CacheKey: "k", Status: 200, Body: store.Body{Inline: []byte{byte(i)}, Size: 10},
				FetchedAt: noon.Add(time.Duration(i) * time.Minute), ExpiresAt: noon.AddDate(1, 0, 0), WaitFor: time.Second,
			})
		}
		rows, err := s.Pages(t.Context(), "k", noon.Add(time.Minute), noon.Add(3*time.Minute), 10)
		if err != nil || len(rows) != 3 || rows[0].ID != "3" || rows[2].ID != "1" || rows[0].WaitFor != time.Second {
			t.Fatalf("%+v, %v", rows, err)
		}
		if body, err := s.PageBody(t.Context(), "3"); err != nil || body[0] != 3 {
			t.Errorf("body %v, %v", body, err)
		}
		if none, err := s.Pages(t.Context(), "other", noon, noon.Add(time.Hour), 10); err != nil || len(none) != 0 {
			t.Errorf("another key: %v, %v", none, err)
		}
	})
}

func TestOldestPagesGoFirstWhenTheBudgetIsSpent(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for i := range 10 {
			insertPage(t, s, store.Page{
				ID: fmt.Sprint(i), CacheKey: "k", Body: store.Body{BlobKey: fmt.Sprintf("pages/%d", i), Size: 100},
				FetchedAt: noon.Add(time.Duration(i) * time.Minute), ExpiresAt: noon.AddDate(1, 0, 0),
			})
		}
		evicted, err := s.EvictPages(t.Context(), 450, noon.Add(time.Hour))
		if err != nil || evicted != 600 {
			t.Fatalf("evicted %d, %v; want the six oldest", evicted, err)
		}
		_, blobs, err := s.Expired(t.Context(), noon.Add(time.Hour), false)
		if err != nil || len(blobs) != 6 {
			t.Errorf("%d blobs to delete, %v; want 6", len(blobs), err)
		}
		left, err := s.Pages(t.Context(), "k", noon, noon.Add(time.Hour), 100)
		if err != nil || len(left) != 4 || left[3].ID != "6" {
			t.Errorf("left: %d, %v", len(left), err)
		}
	})
}

func TestContentLivesAsLongAsItsLastScrape(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		keep := func(scrape string, blob string, until time.Time) {
			t.Helper()
			err := s.InTx(t.Context(), func(tx *store.Tx) error {
				if err := tx.KeepContent(t.Context(), "c", store.Body{BlobKey: blob, Size: 1}, until); err != nil {
					return err
				}
				return tx.InsertScrapes(t.Context(), store.Scrape{ID: scrape, TeamID: "a", ContentID: "c", Metadata: "{}", CreatedAt: noon, ExpiresAt: until})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		keep("s1", "contents/1", noon.Add(time.Hour))
		keep("s2", "contents/2", noon.Add(2*time.Hour))
		_, body, err := s.Scrape(t.Context(), "a", "s1", noon)
		if err != nil || body.BlobKey != "contents/1" {
			t.Errorf("first: %+v, %v", body, err)
		}
		if _, _, err := s.Scrape(t.Context(), "b", "s1", noon); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another team: %v", err)
		}
		_, blobs, err := s.Expired(t.Context(), noon.Add(90*time.Minute), false)
		if err != nil || len(blobs) != 1 || blobs[0] != "contents/2" {
			t.Errorf("blobs nobody needs: %v, %v; want the second copy", blobs, err)
		}
		if _, _, err := s.Scrape(t.Context(), "a", "s2", noon.Add(90*time.Minute)); err != nil {
			t.Errorf("second: %v", err)
		}
	})
}

func TestSnapshotGivesTheOneBefore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		swap := func(tag, text string) (store.Snapshot, bool) {
			t.Helper()
			before, ok, err := s.SwapSnapshot(t.Context(), store.Snapshot{TeamID: "a", URL: "u", Tag: tag, Text: []byte(text), ScrapedAt: noon})
			if err != nil {
				t.Fatal(err)
			}
			return before, ok
		}
		if _, ok := swap("", "one"); ok {
			t.Error("the first has none before it")
		}
		if before, ok := swap("", "two"); !ok || string(before.Text) != "one" {
			t.Errorf("before the second: %q", before.Text)
		}
		if _, ok := swap("tag", "three"); ok {
			t.Error("another tag is another history")
		}
	})
}

func TestGroupWritesWhatItCan(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		g := store.NewGroup(s, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- g.Run(ctx) }()
		for i := range 100 {
			err := g.Later(ctx, func(ctx context.Context, tx *store.Tx) error {
				if i == 50 {
					return errors.New("this one cannot be written")
				}
				return tx.InsertScrapes(ctx, store.Scrape{ID: fmt.Sprint(i), TeamID: "a", ContentID: "c", Metadata: "{}", CreatedAt: noon, ExpiresAt: noon.Add(time.Hour)})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		stop()
		if err := <-done; err != nil {
			t.Errorf("run: %v", err)
		}
		removed, _, err := s.Expired(t.Context(), noon.Add(2*time.Hour), true)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range removed {
			if r.Table == "scrapes" && r.Rows != 99 {
				t.Errorf("%d rows, want all but the one that failed", r.Rows)
			}
		}
		if g.Failing() != nil {
			t.Errorf("a change that is wrong is no failing database: %v", g.Failing())
		}
	})
}
