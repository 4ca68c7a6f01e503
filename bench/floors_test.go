package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trawlhq/trawl/bench/suite"
)

func TestResultIsJudgedByItsFloor(t *testing.T) {
	goal := 0.9
	limits := floors{"score": {Floor: 0.8, Goal: &goal}, "time": {Floor: 300}}
	for _, tc := range []struct {
		name   string
		result suite.Result
		quick  bool
		want   verdict
	}{
		{"nothing is asked", suite.Result{Name: "other", Value: 1}, false, verdictFree},
		{"above the floor", suite.Result{Name: "score", Value: 0.81, Unit: "F1"}, false, verdictOK},
		{"exactly the floor", suite.Result{Name: "score", Value: 0.8, Unit: "F1"}, false, verdictOK},
		{"below the floor", suite.Result{Name: "score", Value: 0.799, Unit: "F1"}, false, verdictBelow},
		{"at the goal", suite.Result{Name: "score", Value: 0.9, Unit: "F1"}, false, verdictGoal},
		{"no number at all", suite.Result{Name: "score", Value: math.NaN(), Unit: "F1"}, false, verdictBelow},
		{"below the floor on a part of the set", suite.Result{Name: "score", Value: 0.1, Unit: "F1"}, true, verdictPart},
		{"under the ceiling", suite.Result{Name: "time", Value: 299, Unit: "ms", Lower: true}, false, verdictOK},
		{"over the ceiling", suite.Result{Name: "time", Value: 301, Unit: "ms", Lower: true}, false, verdictBelow},
		{"over the ceiling in a quick run", suite.Result{Name: "time", Value: 301, Unit: "ms", Lower: true}, true, verdictBelow},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := judge(tc.result, limits, tc.quick).verdict; got != tc.want {
				t.Errorf("%s = %v is %q, want %q", tc.result.Name, tc.result.Value, got, tc.want)
			}
		})
	}
}

func TestRaisingOnlyRaises(t *testing.T) {
	for _, tc := range []struct {
		name   string
		old    floors
		result suite.Result
		want   floors
	}{
		{"a better score stays a margin ahead of its floor", floors{"a": {Floor: 0.8}}, suite.Result{Name: "a", Value: 0.9, Unit: "F1"}, floors{"a": {Floor: 0.898}}},
		{"a worse score changes nothing", floors{"a": {Floor: 0.8}}, suite.Result{Name: "a", Value: 0.7, Unit: "F1"}, floors{"a": {Floor: 0.8}}},
		{"a score just above its floor changes nothing", floors{"a": {Floor: 0.8}}, suite.Result{Name: "a", Value: 0.801, Unit: "F1"}, floors{"a": {Floor: 0.8}}},
		{"a new score gets a floor", floors{}, suite.Result{Name: "a", Value: 0.7777, Unit: "share"}, floors{"a": {Floor: 0.775}}},
		{"a perfect score must stay perfect", floors{}, suite.Result{Name: "a", Value: 1, Unit: "share"}, floors{"a": {Floor: 1}}},
		{"a score near zero gets a floor of zero", floors{}, suite.Result{Name: "a", Value: 0.001, Unit: "share"}, floors{"a": {Floor: 0}}},
		{"a ceiling comes down", floors{"a": {Floor: 0.2}}, suite.Result{Name: "a", Value: 0.1, Unit: "share", Lower: true}, floors{"a": {Floor: 0.102}}},
		{"a ceiling does not go up", floors{"a": {Floor: 0.2}}, suite.Result{Name: "a", Value: 0.3, Unit: "share", Lower: true}, floors{"a": {Floor: 0.2}}},
		{"a time is no score", floors{"a": {Floor: 300}}, suite.Result{Name: "a", Value: 100, Unit: "ms", Lower: true}, floors{"a": {Floor: 300}}},
		{"a ratio without a floor gets none", floors{}, suite.Result{Name: "a", Value: 2, Unit: "x"}, floors{}},
		{"what is no number sets no floor", floors{}, suite.Result{Name: "a", Value: math.NaN(), Unit: "F1"}, floors{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before := len(tc.old)
			tc.old.raise([]suite.Result{tc.result})
			if got, want := tc.old["a"].Floor, tc.want["a"].Floor; got != want || len(tc.old) != len(tc.want) {
				t.Errorf("floor is %v of %d floors (there were %d), want %v of %d", got, len(tc.old), before, want, len(tc.want))
			}
		})
	}
}

func TestRaisingKeepsTheGoal(t *testing.T) {
	goal := 0.975
	limits := floors{"a": {Floor: 0.9, Goal: &goal}}
	changes := limits.raise([]suite.Result{{Name: "a", Value: 0.96, Unit: "F1"}})
	if got := limits["a"]; got.Goal == nil || *got.Goal != goal || got.Floor != 0.958 {
		t.Errorf("floor is %+v, want 0.958 with goal %v", got, goal)
	}
	if want := []string{"a: floor 0.9, now 0.958"}; !slices.Equal(changes, want) {
		t.Errorf("changes are %q, want %q", changes, want)
	}
}

func TestFloorsSurviveBeingWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "floors.json")
	goal := 0.975
	if err := (floors{"b": {Floor: 1000}, "a": {Floor: 0.955, Goal: &goal}}).write(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"a\": {\"floor\":0.955,\"goal\":0.975},\n  \"b\": {\"floor\":1000}\n}\n"; string(text) != want {
		t.Errorf("file is %s, want %s", text, want)
	}
	read, err := readFloors(file)
	if err != nil || read["b"].Floor != 1000 || *read["a"].Goal != goal {
		t.Errorf("read %+v and %v", read, err)
	}
}

func TestMisspelledFloorIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "floors.json")
	if err := os.WriteFile(file, []byte(`{"a": {"flor": 1}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readFloors(file); err == nil {
		t.Error("a floor without a number was accepted")
	}
}

// The file in the tree must be readable, sorted and name only suites there are.
func TestOurFloorsBelongToSuites(t *testing.T) {
	read, err := readFloors("floors.json")
	if err != nil {
		t.Fatal(err)
	}
	for name := range read {
		if !slices.ContainsFunc(suites(), func(s suite.Suite) bool { return len((floors{name: {}}).unmet(s.Name, nil)) > 0 }) {
			t.Errorf("floor %s belongs to no suite", name)
		}
	}
	again := filepath.Join(t.TempDir(), "floors.json")
	if err := read.write(again); err != nil {
		t.Fatal(err)
	}
	ours, err := os.ReadFile("floors.json")
	if err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(again); err != nil || string(written) != string(ours) {
		t.Errorf("floors.json is not as -raise writes it (%v):\n%s", err, written)
	}
}
