package store_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func TestExpiredJobsGo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, now := t.Context(), time.Now()
		job := func(id string, state trawl.JobState, expires time.Time) *trawl.Job {
			return &trawl.Job{ID: id, Kind: "k", State: state, Payload: []byte(`"12345678"`), ExpiresAt: expires}
		}
		past, future := now.Add(-time.Second), now.Add(time.Hour)
		var jobs []*trawl.Job
		for i := range 2500 { // more than one transaction's worth
			jobs = append(jobs, job(string(rune('a'+i%26))+time.Duration(i).String(), trawl.JobCompleted, past))
		}
		jobs = append(jobs, job("running", trawl.JobRunning, past), job("young", trawl.JobFailed, future))
		if err := s.InTx(ctx, func(tx *store.Tx) error { return tx.InsertJobs(ctx, jobs...) }); err != nil {
			t.Fatal(err)
		}
		for _, dryRun := range []bool{true, false} {
			removed, _, err := s.Expired(ctx, now, dryRun)
			want := store.Removed{Table: "jobs", Rows: 2500, Bytes: 25_000}
			if err != nil || !slices.Contains(removed, want) {
				t.Errorf("Expired(dry %v) = %v, %v, want %v", dryRun, removed, err, want)
			}
		}
		counts, err := s.JobCounts(ctx, "")
		if err != nil || len(counts) != 2 {
			t.Errorf("left are %v, %v, want the running and the young one", counts, err)
		}
	})
}

func TestOrphanedBlobsAreNamedUntilForgotten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, now := t.Context(), time.Now()
		err := s.InTx(ctx, func(tx *store.Tx) error {
			if err := tx.OrphanBlob(ctx, "a", now); err != nil {
				return err
			}
			return tx.OrphanBlob(ctx, "b", now)
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, keys, err := s.Expired(ctx, now, false)
			if slices.Sort(keys); err != nil || !slices.Equal(keys, []string{"a", "b"}) {
				t.Errorf("Expired named the blobs %v, %v, want a and b", keys, err)
			}
		}
		if err := s.ForgetBlobs(ctx, []string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
		if _, keys, err := s.Expired(ctx, now, false); len(keys) != 0 || err != nil {
			t.Errorf("Expired still names %v, %v", keys, err)
		}
	})
}

func TestEveryTableWithAnEndIsEmptied(t *testing.T) {
	stays := []string{"keys"} // a key that has expired is still shown to its owner
	opt := storetest.SQLite(t)
	s := storetest.Open(t, opt)
	removed, _, err := s.Expired(t.Context(), time.Now(), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range removed {
		stays = append(stays, r.Table)
	}
	db, err := sql.Open("sqlite", filepath.Join(opt.DataDir, "trawl.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'expires_at'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	tables := 0
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			t.Fatal(err)
		}
		tables++
		if !slices.Contains(stays, table) {
			t.Errorf("table %s has expires_at and no line in retention.go", table)
		}
	}
	if tables < 2 || rows.Err() != nil {
		t.Errorf("found %d tables, %v", tables, rows.Err())
	}
}
