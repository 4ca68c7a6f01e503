package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/bench/suite"
)

// measuring is a suite that brings one number.
func measuring(name, data string, r suite.Result) suite.Suite {
	return suite.Suite{Name: name, Data: data, Run: func(context.Context, suite.Env) ([]suite.Result, error) {
		return []suite.Result{r}, nil
	}}
}

func TestCommandLine(t *testing.T) {
	good := measuring("quality-text", "", suite.Result{Name: "quality-text.f1", Value: 0.9, Unit: "F1", Note: "words"})
	bad := measuring("quality-links", "", suite.Result{Name: "quality-links.f1", Value: 0.4, Unit: "F1"})
	slow := measuring("speed", "", suite.Result{Name: "speed.ms", Value: 900, Unit: "ms", Lower: true})
	broken := suite.Suite{Name: "broken", Run: func(context.Context, suite.Env) ([]suite.Result, error) { return nil, errors.New("it fell over") }}
	absent := measuring("absent", "no-such-folder", suite.Result{Name: "absent.f1", Value: 0.1, Unit: "F1"})
	lost := measuring("lost", "", suite.Result{Name: "lost.other", Value: 1, Unit: "F1"})
	slower := measuring("speed-other", "", suite.Result{Name: "speed-other.ms", Value: 1, Unit: "ms", Lower: true})
	all := []suite.Suite{good, bad, slow, slower, broken, absent, lost}
	const limits = `{"quality-text.f1":{"floor":0.8},"quality-links.f1":{"floor":0.5},"speed.ms":{"floor":300},"absent.f1":{"floor":0.5},"lost.f1":{"floor":0.5}}`
	for _, tc := range []struct {
		name string
		args string
		code int
		want string // in the report or among the complaints
	}{
		{"good enough", "quality-text", 0, "quality-text.f1                               0.900 F1         ≥ 0.800   ok      words"},
		{"below its floor", "quality-links", 1, "BELOW"},
		{"over its ceiling", "speed", 1, "≤ 300.0   BELOW"},
		{"score of a part of the set", "-quick quality-links", 0, "part"},
		{"several suites by the beginning of their names", "quality", 1, "2 results, 1 not good enough"},
		{"suite that fails", "broken quality-text", 1, "broken: FAILED: it fell over"},
		{"others run beside one that fails", "broken quality-text", 1, "1 results, 1 not good enough"},
		{"data set that is not here", "absent", 0, "absent: not measured, there is no folder"},
		{"floor that nothing was measured for", "lost", 1, "MISSING"},
		{"suite that does not exist", "speeed", 2, `there is no suite "speeed"; there are quality-text, `},
		{"floor that a quick run may leave out", "-quick lost", 0, "1 results, 0 not good enough"},
		{"suite whose name others begin with", "speed", 1, "1 results, 1 not good enough"},
		{"suite that is named twice runs once", "quality quality-text", 1, "2 results, 1 not good enough"},
		{"flag that does not exist", "-fast", 2, "-fast"},
		{"raising by a part of the set", "-quick -raise", 2, "-raise needs whole measurements"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "floors.json")
			if err := os.WriteFile(file, []byte(limits), 0o600); err != nil {
				t.Fatal(err)
			}
			args := append([]string{"-floors", file, "-data", dir, "-out", filepath.Join(dir, "out")}, strings.Fields(tc.args)...)
			var output strings.Builder
			code := run(t.Context(), args, all, &output, &output)
			if code != tc.code || !strings.Contains(output.String(), tc.want) {
				t.Errorf("bench %s = %d, want %d with %q:\n%s", tc.args, code, tc.code, tc.want, output.String())
			}
		})
	}
}

func TestRaisingWritesTheFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "floors.json")
	s := measuring("quality", "", suite.Result{Name: "quality.f1", Value: 0.9, Unit: "F1"})
	var output strings.Builder
	if code := run(t.Context(), []string{"-raise", "-floors", file, "-out", dir}, []suite.Suite{s}, &output, &output); code != 0 {
		t.Fatalf("bench -raise = %d:\n%s", code, output.String())
	}
	if read, err := readFloors(file); err != nil || read["quality.f1"].Floor != 0.898 {
		t.Errorf("floors are %v and %v, want 0.898", read, err)
	}
	if !strings.Contains(output.String(), "quality.f1: floor none, now 0.898") {
		t.Errorf("the change is not told:\n%s", output.String())
	}
}

func TestNamesOfSuitesAreTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range suites() {
		if seen[s.Name] || s.Name == "" || s.Run == nil {
			t.Errorf("suite %q is there twice or is empty", s.Name)
		}
		seen[s.Name] = true
	}
}
