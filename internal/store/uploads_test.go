package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func slotAt(id string, at time.Time) store.UploadSlot {
	return store.UploadSlot{ID: id, TeamID: "t", Filename: "a.pdf", CreatedAt: at, ExpiresAt: at.Add(24 * time.Hour)}
}

func TestUploadSlotsAreLimitedHoweverManyAreOpenedAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		var opened sync.Map
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				_, full, err := s.OpenUploadSlot(t.Context(), slotAt(fmt.Sprint(i), noon.Add(time.Duration(i)*time.Second)), 5)
				if err != nil {
					t.Error(err)
				}
				if !full {
					opened.Store(i, true)
				}
			})
		}
		group.Wait()
		count := 0
		opened.Range(func(any, any) bool { count++; return true })
		if count != 5 {
			t.Errorf("%d slots were opened, want 5", count)
		}
		if _, full, err := s.OpenUploadSlot(t.Context(), slotAt("later", noon.Add(25*time.Hour)), 5); err != nil || full {
			t.Errorf("a day later: full %v, %v", full, err)
		}
	})
}

func TestASlotIsFilledAgainAndRemoved(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		if _, _, err := s.OpenUploadSlot(ctx, slotAt("s", noon), 1); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Upload(ctx, "s"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("an empty slot: %v", err)
		}
		for _, key := range []string{"uploads/1", "uploads/2"} {
			if err := s.PutUpload(ctx, store.Upload{SlotID: "s", BlobKey: key, Size: 3, ExpiresAt: noon.Add(time.Hour)}, noon); err != nil {
				t.Fatal(err)
			}
		}
		if u, err := s.Upload(ctx, "s"); err != nil || u.BlobKey != "uploads/2" || u.Size != 3 {
			t.Errorf("%+v, %v", u, err)
		}
		if err := s.RemoveUploadSlot(ctx, "s", noon); err != nil {
			t.Fatal(err)
		}
		if _, err := s.UploadSlot(ctx, "s"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("after it was removed: %v", err)
		}
		if err := s.PutUpload(ctx, store.Upload{SlotID: "s", BlobKey: "uploads/3"}, noon); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("filling a slot that is gone: %v", err)
		}
		_, orphans, err := s.Expired(ctx, noon, false)
		if slices.Sort(orphans); err != nil || !slices.Equal(orphans, []string{"uploads/1", "uploads/2"}) {
			t.Errorf("orphans %v, %v", orphans, err)
		}
	})
}

func TestBytesOfASlotGoBeforeTheSlot(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		if _, _, err := s.OpenUploadSlot(ctx, slotAt("s", noon), 1); err != nil {
			t.Fatal(err)
		}
		if err := s.PutUpload(ctx, store.Upload{SlotID: "s", BlobKey: "uploads/1", ExpiresAt: noon.Add(time.Hour)}, noon); err != nil {
			t.Fatal(err)
		}
		if _, keys, err := s.Expired(ctx, noon.Add(2*time.Hour), false); err != nil || !slices.Equal(keys, []string{"uploads/1"}) {
			t.Errorf("blobs %v, %v", keys, err)
		}
		if _, err := s.UploadSlot(ctx, "s"); err != nil {
			t.Errorf("the slot must still count: %v", err)
		}
	})
}

func TestKeptMetaIsTheFirst(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, value := range []string{"first", "second"} {
			if kept, err := s.KeepMeta(t.Context(), "secret", value); err != nil || kept != "first" {
				t.Errorf("KeepMeta(%s) = %s, %v", value, kept, err)
			}
		}
	})
}
