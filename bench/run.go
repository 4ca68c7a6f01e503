package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
)

// choose picks the suites that names mean, each once; all of them without names.
func choose(all []suite.Suite, names []string) ([]suite.Suite, error) {
	if len(names) == 0 {
		return all, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		meant := meant(all, name)
		if len(meant) == 0 {
			return nil, fmt.Errorf("there is no suite %q; there are %s", name, listed(all))
		}
		for _, suite := range meant {
			wanted[suite] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(s suite.Suite) bool { return !wanted[s.Name] }), nil
}

// meant gives the suite of that name, or those whose names begin with it.
func meant(all []suite.Suite, name string) (meant []string) {
	for _, s := range all {
		if s.Name == name {
			return []string{name}
		}
		if strings.HasPrefix(s.Name, name+"-") {
			meant = append(meant, s.Name)
		}
	}
	return meant
}

func listed(all []suite.Suite) string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	return strings.Join(names, ", ")
}

// bench is one run of the command.
type bench struct {
	file   string // of the floors
	raise  bool
	report io.Writer
	env    suite.Env
}

// run measures suite after suite and tells whether all is as good as it must
// be. A suite that fails is bad news, but no reason to keep that of the others back.
func (b *bench) run(ctx context.Context, chosen []suite.Suite) (fine bool, err error) {
	floors, err := readFloors(b.file)
	if err != nil {
		return false, err
	}
	if err := os.MkdirAll(b.env.Out, 0o755); err != nil {
		return false, fmt.Errorf("make folder for details: %w", err)
	}
	var measured []suite.Result
	bad := 0
	for _, s := range chosen {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		results, verdicts := b.one(ctx, s, floors)
		measured = append(measured, results...)
		bad += verdicts
	}
	fmt.Fprintf(b.report, "\n%d results, %d not good enough\n", len(measured), bad)
	if b.raise {
		return bad == 0, b.raiseFloors(floors, measured)
	}
	return bad == 0, nil
}

// one runs a suite, prints what it measured and tells how much of it is not good enough.
func (b *bench) one(ctx context.Context, s suite.Suite, floors floors) (results []suite.Result, bad int) {
	if s.Data != "" && !isFolder(b.env.Path(s.Data)) {
		fmt.Fprintf(b.report, "\n%s: not measured, there is no folder %s\n", s.Name, b.env.Path(s.Data))
		return nil, 0
	}
	began := time.Now()
	results, err := s.Run(ctx, b.env)
	if err != nil {
		fmt.Fprintf(b.report, "\n%s: FAILED: %v\n", s.Name, err)
		return nil, 1
	}
	fmt.Fprintf(b.report, "\n%s (%v)\n", s.Name, time.Since(began).Round(100*time.Millisecond))
	lines := make([]line, len(results))
	for i, r := range results {
		lines[i] = judge(r, floors, b.env.Quick)
	}
	if !b.env.Quick { // a quick run may leave out the largest sizes
		for _, name := range floors.unmet(s.Name, results) {
			lines = append(lines, line{name: name, verdict: verdictMissing})
		}
	}
	for _, l := range lines {
		if l.verdict.isBad() {
			bad++
		}
		l.print(b.report)
	}
	return results, bad
}

func isFolder(path string) bool {
	info, err := os.Stat(filepath.Clean(path))
	return err == nil && info.IsDir()
}

// raiseFloors writes what has become better, and says so.
func (b *bench) raiseFloors(floors floors, measured []suite.Result) error {
	for _, change := range floors.raise(measured) {
		fmt.Fprintln(b.report, change)
	}
	return floors.write(b.file)
}
