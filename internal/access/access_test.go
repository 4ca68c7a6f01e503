package access_test

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

const many = 1000

// gate opens access on a store, as a process would at its start.
func gate(t *testing.T, s *store.Store, o access.Options) *access.Service {
	t.Helper()
	o.BootstrapKey = "fc-boot"
	if o.Slots == 0 {
		o.Slots = 4
	}
	a := access.New(s, o)
	if _, err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// together runs fn many times at once, spread over several services as over several processes.
func together(services []*access.Service, fn func(a *access.Service)) {
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { fn(services[i%len(services)]) })
	}
	wg.Wait()
}

func TestLimitsHoldUnderAThousandParallelRequests(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
		plan := access.Plan{Credits: 100, Concurrency: 5, RPM: map[string]int{access.ClassScrape: 50}}
		o := access.Options{Plans: map[string]access.Plan{"small": plan}, DefaultPlan: "small", Now: func() time.Time { return now }}
		services := []*access.Service{gate(t, s, o)}
		if s.Database() == "postgres" { // SQLite has one process
			services = append(services, gate(t, s, o))
		}
		id, err := services[0].Authenticate(t.Context(), "fc-boot", netip.Addr{})
		if err != nil {
			t.Fatal(err)
		}

		var allowed, paid atomic.Int64
		together(services, func(a *access.Service) {
			if _, err := a.Allow(t.Context(), id, access.ClassScrape); err == nil {
				allowed.Add(1)
			} else if kindOf(err) != trawl.RateLimited {
				t.Error(err)
			}
		})
		together(services, func(a *access.Service) {
			if _, err := a.Reserve(t.Context(), id.Caller(), 1); err == nil {
				paid.Add(1)
			} else if kindOf(err) != trawl.PaymentRequired {
				t.Error(err)
			}
		})
		if allowed.Load() != 50 || paid.Load() != 100 {
			t.Errorf("%d requests allowed and %d paid for, want 50 and 100", allowed.Load(), paid.Load())
		}
	})
}

func TestNoMorePagesAtOnceThanThePlanAllows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		o := access.Options{Plans: map[string]access.Plan{"small": {Concurrency: 3}}, DefaultPlan: "small"}
		services := []*access.Service{gate(t, s, o)}
		if s.Database() == "postgres" {
			services = append(services, gate(t, s, o))
		}
		var busy, most, served atomic.Int64
		var wg sync.WaitGroup
		for i := range 60 {
			wg.Go(func() {
				slot, err := services[i%len(services)].Acquire(t.Context(), trawl.DefaultTeam, 0, 30*time.Second)
				if err != nil {
					t.Error(err)
					return
				}
				n := busy.Add(1)
				for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
				}
				busy.Add(-1)
				slot.Release()
				served.Add(1)
			})
		}
		wg.Wait()
		if most.Load() > 3 || served.Load() != 60 {
			t.Errorf("%d at once, %d served; want at most 3, and all 60", most.Load(), served.Load())
		}
	})
}

func TestWhoWaitsTooLongForASlotIsTold(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := gate(t, s, access.Options{Slots: 1})
		held, err := a.Acquire(t.Context(), trawl.DefaultTeam, 0, time.Second)
		if err != nil || held.Waited != 0 {
			t.Fatalf("first: %+v, %v", held, err)
		}
		_, err = a.Acquire(t.Context(), trawl.DefaultTeam, 0, 20*time.Millisecond)
		var e *trawl.Error
		if !errors.As(err, &e) || e.Message != "Concurrency limit reached" || e.Code != "CONCURRENCY_QUEUE_TIMEOUT" {
			t.Errorf("second: %v", err)
		}
		ctx, leave := context.WithCancel(t.Context())
		leave()
		if _, err := a.Acquire(ctx, trawl.DefaultTeam, 0, time.Second); !errors.Is(err, context.Canceled) {
			t.Errorf("caller who left: %v", err)
		}
		time.AfterFunc(30*time.Millisecond, held.Release)
		waited, err := a.Acquire(t.Context(), trawl.DefaultTeam, 0, 5*time.Second)
		if err != nil || waited.Waited <= 0 {
			t.Errorf("third: %+v, %v; want a slot after some waiting", waited, err)
		}
		waited.Release()
	})
}

func TestWhatWasSetAsideIsGivenBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := gate(t, s, access.Options{Plans: map[string]access.Plan{"small": {Credits: 10}}, DefaultPlan: "small"})
		caller := trawl.Caller{TeamID: trawl.DefaultTeam}
		charge, err := a.Reserve(t.Context(), caller, 10)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Reserve(t.Context(), caller, 1); kindOf(err) != trawl.PaymentRequired {
			t.Errorf("eleventh credit: %v", err)
		}
		charge.Settle(0)
		if err := a.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Reserve(t.Context(), caller, 10); err != nil {
			t.Errorf("after the first came to nothing: %v", err)
		}
	})
}

func TestSpendLimitBindsOneKeyOnly(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		now := time.Date(2026, 11, 15, 23, 59, 0, 0, time.UTC)
		a := gate(t, s, access.Options{Now: func() time.Time { return now }})
		limited, _, err := a.CreateKey(t.Context(), trawl.Key{TeamID: trawl.DefaultTeam, SpendLimit: &trawl.SpendLimit{Credits: 2, Interval: "day"}})
		if err != nil {
			t.Fatal(err)
		}
		spend := func(key string) error {
			_, err := a.Reserve(t.Context(), trawl.Caller{TeamID: trawl.DefaultTeam, KeyID: key}, 1)
			return err
		}
		for i := range 2 {
			if err := spend(limited.ID); err != nil {
				t.Errorf("credit %d: %v", i+1, err)
			}
		}
		if err := spend(limited.ID); kindOf(err) != trawl.PaymentRequired {
			t.Errorf("third credit: %v", err)
		}
		if err := spend("another"); err != nil {
			t.Errorf("another key: %v", err)
		}
		now = now.Add(2 * time.Minute)
		if err := spend(limited.ID); err != nil {
			t.Errorf("on the next day: %v", err)
		}
	})
}

func TestRevocationReachesOtherProcessesSoon(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
		clock := func() time.Time { return now }
		here, there := gate(t, s, access.Options{Now: clock}), gate(t, s, access.Options{Now: clock})
		key, token, err := here.CreateKey(t.Context(), trawl.Key{TeamID: trawl.DefaultTeam})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []*access.Service{here, there} {
			if _, err := a.Authenticate(t.Context(), token, netip.Addr{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := here.RevokeKey(t.Context(), "", key.ID, false); err != nil {
			t.Fatal(err)
		}
		if _, err := here.Authenticate(t.Context(), token, netip.Addr{}); kindOf(err) != trawl.Unauthorized {
			t.Errorf("in the process that revoked it: %v, want no entry at once", err)
		}
		now = now.Add(3 * time.Second)
		if _, err := there.Authenticate(t.Context(), token, netip.Addr{}); kindOf(err) != trawl.Unauthorized {
			t.Errorf("in another process after three seconds: %v", err)
		}
	})
}

func TestFirstStartMakesAKeyOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		first, err := access.New(s, access.Options{Slots: 1}).Start(t.Context())
		if err != nil || len(first) != len("fc-")+32 {
			t.Fatalf("first start: %q, %v", first, err)
		}
		again, err := access.New(s, access.Options{Slots: 1}).Start(t.Context())
		if err != nil || again != "" {
			t.Errorf("second start: %q, %v; want no second key", again, err)
		}
	})
}

func TestTeamsAllowlistIsKept(t *testing.T) {
	s, err := store.Open(t.Context(), store.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	team := trawl.Team{ID: trawl.DefaultTeam, Name: "default", Plan: access.BuiltInPlan, AllowedIPs: []string{"10.0.0.0/8", "2001:db8::1"}, CreatedAt: time.Now()}
	if err := s.EnsureTeam(t.Context(), team); err != nil {
		t.Fatal(err)
	}
	a := gate(t, s, access.Options{})
	for address, want := range map[string]bool{"10.1.2.3": true, "::ffff:10.1.2.3": true, "2001:db8::1": true, "11.0.0.1": false, "2001:db8::2": false} {
		_, err := a.Authenticate(t.Context(), "fc-boot", netip.MustParseAddr(address))
		if (err == nil) != want {
			t.Errorf("%s: %v, want allowed %v", address, err, want)
		}
	}
}

func kindOf(err error) trawl.Kind {
	var e *trawl.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return trawl.Internal
}
