package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func TestReleasesOfTheGovernmentIndexFollowEachOther(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		if _, err := s.NewestGovRelease(ctx); !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("newest of none: %v", err)
		}
		var published, refused atomic.Int32
		var group sync.WaitGroup
		for range 6 { // nodes that built on the same release
			group.Go(func() {
				switch err := s.AddGovRelease(ctx, store.GovRelease{Number: 1, ID: "a", Manifest: "{}", PublishedAt: noon}); {
				case err == nil:
					published.Add(1)
				case errors.Is(err, store.ErrConflict):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		group.Wait()
		if published.Load() != 1 || refused.Load() != 5 {
			t.Errorf("%d published, %d refused, want 1 and 5", published.Load(), refused.Load())
		}
		for n := int64(2); n <= 4; n++ {
			if err := s.AddGovRelease(ctx, store.GovRelease{Number: n, ID: "b", Manifest: `{"n":1}`, PublishedAt: noon}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.AddGovRelease(ctx, store.GovRelease{Number: 9}); !errors.Is(err, store.ErrConflict) {
			t.Errorf("a number that leaves a gap: %v", err)
		}
		if newest, err := s.NewestGovRelease(ctx); err != nil || newest.Number != 4 || newest.ID != "b" {
			t.Errorf("newest = %+v, %v", newest, err)
		}
		if err := s.DropGovReleases(ctx, 3); err != nil {
			t.Fatal(err)
		}
		left, err := s.GovReleases(ctx)
		if err != nil || len(left) != 2 || left[0].Number != 4 || left[1].Manifest != `{"n":1}` || !left[0].PublishedAt.Equal(noon) {
			t.Errorf("left %+v, %v", left, err)
		}
	})
}
