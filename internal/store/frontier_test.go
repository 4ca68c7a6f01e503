package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func crawlWith(t *testing.T, s *store.Store, pages int) store.Crawl {
	t.Helper()
	now := time.Now().Truncate(time.Millisecond).UTC()
	c := store.Crawl{
		ID: "crawl", TeamID: "team", Kind: "crawl", URL: "http://a.test/", Options: "{}", ScrapeOptions: "[{}]", Status: "scraping",
		Limit: 100, Waiting: int64(pages), CreatedAt: now, ExpiresAt: now.Add(time.Hour),
	}
	list := make([]store.CrawlPage, pages)
	for i := range list {
		list[i] = store.CrawlPage{
			ID: fmt.Sprintf("page-%03d", i), CrawlID: c.ID, Seq: int64(i), Depth: i % 3, URL: fmt.Sprint("http://a.test/", i),
			Identity: fmt.Appendf(nil, "identity-%07d", i), State: store.PageWaiting, ExpiresAt: c.ExpiresAt,
		}
	}
	err := s.InTx(t.Context(), func(tx *store.Tx) error {
		if err := tx.InsertCrawl(t.Context(), c); err != nil {
			return err
		}
		added, err := tx.AddPages(t.Context(), list)
		if added != int64(pages) {
			t.Errorf("%d of %d pages added", added, pages)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAnAddressIsInAFrontierOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		crawlWith(t, s, 150)
		err := s.InTx(t.Context(), func(tx *store.Tx) error {
			added, err := tx.AddPages(t.Context(), []store.CrawlPage{
				{ID: "again", CrawlID: "crawl", Identity: []byte("identity-0000007"), State: store.PageWaiting},
				{ID: "new", CrawlID: "crawl", Identity: []byte("another"), State: store.PageWaiting},
				{ID: "other", CrawlID: "other crawl", Identity: []byte("identity-0000007"), State: store.PageWaiting},
			})
			if added != 2 {
				t.Errorf("%d added, want 2", added)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestPagesAreLeasedBreadthFirstAndOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		crawlWith(t, s, 9)
		var got []int64
		for _, job := range []string{"a", "b", "c"} {
			err := s.InTx(t.Context(), func(tx *store.Tx) error {
				pages, err := tx.LeasePages(t.Context(), "crawl", job, time.Now().Add(time.Hour), 4)
				for _, p := range pages {
					got = append(got, p.Seq)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if want := []int64{0, 3, 6, 1, 4, 7, 2, 5, 8}; !slices.Equal(got, want) {
			t.Errorf("leased %v, want %v", got, want)
		}
	})
}

func TestAPageEndsOnlyForTheJobThatHoldsIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		crawlWith(t, s, 2)
		ctx, now := t.Context(), time.Now()
		err := s.InTx(ctx, func(tx *store.Tx) error {
			if _, err := tx.LeasePages(ctx, "crawl", "a", now.Add(time.Hour), 2); err != nil {
				return err
			}
			for _, step := range []struct {
				job  string
				want bool
			}{{"b", false}, {"a", true}, {"a", false}} {
				ours, err := tx.EndPage(ctx, store.CrawlPage{ID: "page-000", State: store.PageDone, FinishedAt: now}, step.job)
				if err != nil {
					return err
				}
				if ours != step.want {
					t.Errorf("ended for %s: %v, want %v", step.job, ours, step.want)
				}
			}
			back, err := tx.ReleasePages(ctx, "crawl", "a", now)
			if back != 1 {
				t.Errorf("%d pages given back, want 1", back)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestAnExpiredCrawlIsGoneWithItsPages(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		c := crawlWith(t, s, 3)
		removed, _, err := s.Expired(t.Context(), c.ExpiresAt.Add(time.Second), false)
		if err != nil {
			t.Fatal(err)
		}
		gone := map[string]int64{}
		for _, r := range removed {
			gone[r.Table] = r.Rows
		}
		if gone["crawls"] != 1 || gone["crawl_pages"] != 3 {
			t.Errorf("removed %v", gone)
		}
		if _, err := s.Crawl(t.Context(), c.ID); err == nil {
			t.Error("the crawl is still there")
		}
	})
}

func TestAnIdempotencyKeyIsFreeAgainWhenItsTimeIsOver(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, now := t.Context(), time.Now()
		for _, step := range []struct {
			job, want string
			at        time.Time
		}{{"1", "", now}, {"2", "1", now}, {"3", "", now.Add(2 * time.Hour)}} {
			err := s.InTx(ctx, func(tx *store.Tx) error {
				taken, err := tx.ClaimKey(ctx, "team", "key", step.job, step.at, step.at.Add(time.Hour))
				if taken != step.want {
					t.Errorf("claimed for %s: taken by %q, want %q", step.job, taken, step.want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestPagesOfJobsThatAreOverComeBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		crawlWith(t, s, 2)
		ctx, now := t.Context(), time.Now()
		job := func(id string, state trawl.JobState) *trawl.Job {
			return &trawl.Job{
				ID: id, TeamID: "team", Kind: "crawl", Lane: trawl.LaneBulk, State: state, UniqueKey: id, Payload: []byte("{}"), MaxAttempts: 1,
				LeaseUntil: now.Add(time.Hour), RunAt: now, CreatedAt: now, FinishedAt: now, ExpiresAt: now.Add(time.Hour),
			}
		}
		err := s.InTx(ctx, func(tx *store.Tx) error {
			if err := tx.InsertJobs(ctx, job("lives", trawl.JobRunning), job("over", trawl.JobFailed)); err != nil {
				return err
			}
			for _, holder := range []string{"lives", "over"} {
				if _, err := tx.LeasePages(ctx, "crawl", holder, now.Add(time.Hour), 1); err != nil {
					return err
				}
			}
			back, err := tx.ReleasePages(ctx, "crawl", "another", now)
			if back != 1 {
				t.Errorf("%d pages came back, want that of the job that is over", back)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
