package pdfbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/trawlhq/trawl/bench/corpus"
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document/pdfdoc"
)

// speed compares the pages read per second of processor time with those of
// pdftotext -layout on the same files. Processor time rather than the clock: other
// programs on the machine then do not matter, and neither side can use a second
// core to look faster. Long files show what a page costs; with short ones the
// start of the other program counts, as it does in use.
func speed(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	reader, err := open(ctx, 1)
	if err != nil {
		return nil, err
	}
	var results []suite.Result
	var all race
	for _, part := range []struct{ name, set, note string }{
		{"pdf-speed.long", "pdf-tables-icdar13", "several pages a file"},
		{"pdf-speed.short", "pdf-layout-dpbench", "one page a file"},
	} {
		files, err := corpus.Files(env.Path(part.set, "pdfs.tar.zst"))
		if err != nil {
			return nil, err
		}
		r, err := run(ctx, reader, files, env.Quick)
		if err != nil {
			return nil, err
		}
		results = append(results, r.result(part.name, part.note))
		all = race{all.pages + r.pages, all.ours + r.ours, all.theirs + r.theirs}
	}
	return append(results, all.result("pdf-speed.all", "both together")), reader.Close()
}

// race is how many pages were read, and the seconds each side took for them.
type race struct {
	pages        int
	ours, theirs float64
}

func (r race) result(name, note string) suite.Result {
	return suite.Result{
		Name: name, Value: r.theirs / r.ours, Unit: "x",
		Note: fmt.Sprintf("%s, one core: %.0f pages/s, pdftotext -layout %.0f", note, float64(r.pages)/r.ours, float64(r.pages)/r.theirs),
	}
}

// run has both sides read all files, and keeps the best of several rounds of each.
func run(ctx context.Context, reader *pdfdoc.Reader, files map[string][]byte, quick bool) (best race, err error) {
	rounds := 4
	if quick {
		rounds = 2
	}
	best = race{ours: math.Inf(1), theirs: math.Inf(1)}
	for range rounds {
		began := processorTime()
		if best.pages, err = readAll(ctx, reader, files); err != nil {
			return race{}, err
		}
		best.ours = min(best.ours, processorTime()-began)
		took, err := pdftotextAll(ctx, files)
		if err != nil {
			return race{}, err
		}
		best.theirs = min(best.theirs, took)
	}
	return best, nil
}

func readAll(ctx context.Context, r *pdfdoc.Reader, files map[string][]byte) (int, error) {
	pages := 0
	for name, body := range files {
		result, err := r.Read(ctx, body, pdfdoc.Options{Mode: pdfdoc.Auto})
		if err != nil {
			return 0, fmt.Errorf("read %s: %w", name, err)
		}
		pages += result.Doc.NumPages
	}
	return pages, nil
}

// pdftotextAll converts all files and gives the processor time of the program.
func pdftotextAll(ctx context.Context, files map[string][]byte) (took float64, err error) {
	dir, err := os.MkdirTemp("", "pdf-speed")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for name, body := range files {
		path := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(path, body, 0o600); err != nil {
			return 0, err
		}
		cmd := exec.CommandContext(ctx, "pdftotext", "-layout", path, "-")
		cmd.Stdout = &bytes.Buffer{}
		if err := cmd.Run(); err != nil {
			return 0, fmt.Errorf("run pdftotext on %s: %w", name, err)
		}
		took += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	return took, nil
}

// processorTime is what this process has used, in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
