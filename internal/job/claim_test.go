package job

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func TestFairShares(t *testing.T) {
	for _, tc := range []struct {
		name  string
		loads string // team:running
		free  int
		turn  string
		limit int
		want  string // team:jobs
	}{
		{"one team takes all", "a:0", 5, "", 0, "a:5"},
		{"two teams share", "a:0 b:0", 4, "", 0, "a:2 b:2"},
		{"who runs less gets more", "a:3 b:0", 5, "", 0, "a:1 b:4"},
		{"the odd slot goes to whoever is next", "a:0 b:0 c:0", 1, "a", 0, "b:1"},
		{"behind the last comes the first", "a:0 b:0 c:0", 1, "c", 0, "a:1"},
		{"a limit holds", "a:0", 5, "", 2, "a:2"},
		{"a limit counts what runs", "a:1 b:2", 5, "", 2, "a:1"},
		{"nobody waits", "", 5, "", 0, ""},
		{"no slot is free", "a:0", 0, "", 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var loads []store.TeamLoad
			for _, text := range strings.Fields(tc.loads) {
				team, running, _ := strings.Cut(text, ":")
				load := store.TeamLoad{TeamID: team}
				fmt.Sscan(running, &load.Running)
				loads = append(loads, load)
			}
			got := map[string]int{}
			for _, s := range fairShares(after(tc.turn, loads), tc.free, func(string) int { return tc.limit }) {
				if s.jobs > 0 {
					got[s.TeamID] = s.jobs
				}
			}
			want := map[string]int{}
			for _, text := range strings.Fields(tc.want) {
				team, jobs, _ := strings.Cut(text, ":")
				var n int
				fmt.Sscan(jobs, &n)
				want[team] = n
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("shares are %v, want %v", got, want)
			}
		})
	}
}

func TestClaimOrder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Bulk: 100})
		q.Handle("known", Handler{})
		bulk := q.lanes[1]
		var specs []Spec
		for i := range 6 {
			specs = append(specs, Spec{TeamID: "large", Kind: "known", Payload: fmt.Sprint("large", i)})
		}
		specs = append(specs,
			Spec{TeamID: "small", Kind: "known", Payload: "small0"},
			Spec{TeamID: "small", Kind: "known", Payload: "small1", Priority: -1},
			Spec{TeamID: "small", Kind: "unknown", Payload: "not ours"},
			Spec{TeamID: "small", Kind: "known", Payload: "later", RunAt: q.now().Add(1e12)},
			Spec{TeamID: "small", Kind: "known", Payload: "interactive", Lane: trawl.LaneInteractive},
		)
		enqueue(t, q, specs...)
		claimed := func(free int) string {
			t.Helper()
			jobs, err := q.claim(t.Context(), bulk, free)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, j := range jobs {
				names = append(names, strings.Trim(string(j.Payload), `"`))
			}
			return strings.Join(names, " ")
		}
		for i, want := range []string{"large0", "small1", "large1 small0", "large2 large3 large4 large5", ""} {
			if got := claimed(max(1, len(strings.Fields(want)))); got != want {
				t.Errorf("claim %d took %q, want %q", i, got, want)
			}
		}
	})
}

func TestTeamLimitHoldsForAllProcessesTogether(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		limit := func(string, trawl.Lane) int { return 3 }
		first, second := New(Options{Store: s, TeamLimit: limit}), New(Options{Store: s, TeamLimit: limit})
		for _, q := range []*Queue{first, second} {
			q.Handle("k", Handler{})
		}
		for range 10 {
			enqueue(t, first, Spec{TeamID: "a", Kind: "k"}, Spec{TeamID: "b", Kind: "k"})
		}
		counts := make(chan int)
		for _, q := range []*Queue{first, second} {
			go func() {
				jobs, err := q.claim(t.Context(), q.lanes[1], 10)
				if err != nil {
					t.Error(err)
				}
				counts <- len(jobs)
			}()
		}
		if total := <-counts + <-counts; total != 6 {
			t.Errorf("claimed %d jobs of two teams with a limit of 3, want 6", total)
		}
	})
}
