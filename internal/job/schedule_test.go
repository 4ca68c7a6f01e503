package job

import (
	"errors"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func TestSchedules(t *testing.T) {
	start := time.UnixMilli(1_700_000_000_000).UTC()
	daily := func(s *trawl.Schedule, after time.Time) (time.Time, error) {
		if s.Spec != "daily" {
			return time.Time{}, errors.New("not understood")
		}
		return after.Add(24 * time.Hour), nil
	}
	for _, tc := range []struct {
		name     string
		schedule trawl.Schedule
		at       []time.Duration // moments after start at which the queue looks
		jobs     []int64         // jobs made so far, at each of them; the one before has ended
		next     time.Duration
		paused   bool
	}{
		{"with an interval", trawl.Schedule{Every: time.Minute}, []time.Duration{-1, 0, 30e9, 60e9, 61e9}, []int64{0, 1, 1, 2, 2}, 2 * time.Minute, false},
		{"missed runs are not made up for", trawl.Schedule{Every: time.Minute}, []time.Duration{time.Hour, time.Hour}, []int64{1, 1}, time.Hour + time.Minute, false},
		{"with words of its maker", trawl.Schedule{Spec: "daily"}, []time.Duration{0, time.Hour}, []int64{1, 1}, 24 * time.Hour, false},
		{"with words nobody understands", trawl.Schedule{Spec: "weakly"}, []time.Duration{0, time.Hour}, []int64{1, 1}, 0, true},
		{"with no time at all", trawl.Schedule{}, []time.Duration{0}, []int64{1}, 0, true},
		{"paused", trawl.Schedule{Every: time.Minute, Paused: true}, []time.Duration{0, time.Hour}, []int64{0, 0}, 0, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				now := start
				q := New(Options{Store: s, Log: quiet(), Now: func() time.Time { return now }, NextRun: daily})
				sc := tc.schedule
				sc.ID, sc.TeamID, sc.Kind, sc.Payload, sc.NextRun = "s", "t", "k", []byte(`{"a":1}`), start
				if err := s.InTx(t.Context(), func(tx *store.Tx) error { return tx.PutSchedule(t.Context(), &sc) }); err != nil {
					t.Fatal(err)
				}
				for i, at := range tc.at {
					now = start.Add(at)
					if err := q.startScheduled(t.Context()); err != nil {
						t.Fatal(err)
					}
					if got := endAll(t, q); got != tc.jobs[i] {
						t.Errorf("%v after the start %d jobs were made, want %d", at, got, tc.jobs[i])
					}
				}
				after, err := s.Schedule(t.Context(), "s")
				if err != nil || after.Paused != tc.paused || (!tc.paused && after.NextRun != start.Add(tc.next)) {
					t.Errorf("schedule is %+v, %v, want next %v", after, err, start.Add(tc.next))
				}
			})
		})
	}
}

// endAll completes what waits and counts what is complete.
func endAll(t *testing.T, q *Queue) (n int64) {
	t.Helper()
	q.Handle("k", Handler{})
	jobs, err := q.claim(t.Context(), q.lanes[1], 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if string(j.Payload) != `{"a":1}` {
			t.Errorf("payload is %s", j.Payload)
		}
		done := outcome{lease: &lease{job: j}, move: move{verb: complete, lease: j.Lease}}
		if err := q.record(t.Context(), []outcome{done}); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := q.opt.Store.JobCounts(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range counts {
		n += c.Jobs
	}
	return n
}

func TestScheduleWaitsForItsLastRun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		now := time.Now()
		q := New(Options{Store: s, Now: func() time.Time { return now }})
		ctx := t.Context()
		sc := trawl.Schedule{ID: "s", Kind: "k", Every: time.Minute, NextRun: now}
		if err := s.InTx(ctx, func(tx *store.Tx) error { return tx.PutSchedule(ctx, &sc) }); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := q.startScheduled(ctx); err != nil {
				t.Fatal(err)
			}
			now = now.Add(time.Minute)
		}
		if counts, err := s.JobCounts(ctx, ""); err != nil || len(counts) != 1 || counts[0].Jobs != 1 {
			t.Errorf("three due times and an unfinished run made %v, %v, want one job", counts, err)
		}
		err := s.InTx(ctx, func(tx *store.Tx) error { return tx.DeleteSchedule(ctx, "s") })
		again := s.InTx(ctx, func(tx *store.Tx) error { return tx.DeleteSchedule(ctx, "s") })
		if err != nil || !errors.Is(again, store.ErrNotFound) {
			t.Errorf("deleting = %v, and again = %v, want ErrNotFound", err, again)
		}
	})
}
