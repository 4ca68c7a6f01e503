package store_test

import (
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

func TestLeasesEndWithTheLastProcessThatHeldThem(t *testing.T) {
	ctx, opt := t.Context(), store.Options{DataDir: t.TempDir()}
	open := func() *store.Store {
		s, err := store.Open(ctx, opt)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	lost := func(s *store.Store) bool {
		is, err := s.JobsLost(ctx, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	first := open()
	now := time.Now()
	if err := first.EnsureTeam(ctx, trawl.Team{ID: "team", Name: "team", CreatedAt: now}); err != nil {
		t.Fatal(err)
	}
	err := first.InTx(ctx, func(tx *store.Tx) error {
		return tx.InsertJobs(ctx, &trawl.Job{
			ID: "0192", TeamID: "team", Kind: "crawl", Lane: trawl.LaneBulk, State: trawl.JobRunning, Worker: "w", LeaseUntil: now.Add(time.Hour),
			Payload: []byte("{}"), MaxAttempts: 1, RunAt: now, CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	second := open()
	if lost(second) {
		t.Error("the lease ended although the process that holds it is there")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	third := open()
	defer third.Close()
	if !lost(third) {
		t.Error("the lease goes on although nobody is left who could hold it")
	}
}
