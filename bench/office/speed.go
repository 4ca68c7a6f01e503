package officebench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
)

// speed measures our time for one file of each kind against the time of an
// office suite for the same file. Where none is installed, only our own time
// is given.
func speed() suite.Suite {
	return suite.Suite{Name: "office-speed", Run: func(ctx context.Context, env suite.Env) ([]suite.Result, error) {
		var results []suite.Result
		for _, f := range samples() {
			own, err := ownTime(ctx, f)
			if err != nil {
				return nil, err
			}
			name := "office-speed." + f.kind
			results = append(results, suite.Result{Name: name + ".ms", Value: own.Seconds() * 1000, Unit: "ms", Lower: true, Note: f.note})
			other, err := suiteTime(ctx, f)
			if errors.Is(err, exec.ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			results = append(results, suite.Result{Name: name, Value: other.Seconds() / own.Seconds(), Unit: "x", Note: "against LibreOffice"})
		}
		return results, nil
	}}
}

const rounds = 5

func ownTime(ctx context.Context, f sample) (time.Duration, error) {
	began := time.Now()
	for range rounds {
		if _, err := markdownOf(ctx, "a."+f.kind, f.body); err != nil {
			return 0, fmt.Errorf("read %s: %w", f.kind, err)
		}
	}
	return time.Since(began) / rounds, nil
}

// suiteTime has the office suite convert the file to plain text.
func suiteTime(ctx context.Context, f sample) (time.Duration, error) {
	soffice, err := exec.LookPath("soffice")
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "office-speed")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // only a trial
	path := filepath.Join(dir, "a."+f.kind)
	if err := os.WriteFile(path, f.body, 0o600); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, soffice, "--headless", "-env:UserInstallation=file://"+dir+"/profile",
		"--convert-to", f.export, "--outdir", dir, path)
	if err := cmd.Run(); err != nil { // the first run also makes a profile
		return 0, fmt.Errorf("run soffice: %w", err)
	}
	began := time.Now()
	again := exec.CommandContext(ctx, soffice, cmd.Args[1:]...)
	if err := again.Run(); err != nil {
		return 0, fmt.Errorf("run soffice: %w", err)
	}
	return time.Since(began), nil
}

const sheetRows = 200_000

// memory measures what a sheet of 200,000 rows takes, from bytes to Markdown.
func memory() suite.Suite {
	return suite.Suite{Name: "office-memory", Run: func(ctx context.Context, env suite.Env) ([]suite.Result, error) {
		body := sheetSample(sheetRows)
		debug.FreeOSMemory()
		before := inUse()
		stop, peak := make(chan struct{}), make(chan uint64)
		go watch(stop, peak)
		began := time.Now()
		_, err := markdownOf(ctx, "a.xlsx", body)
		took := time.Since(began)
		close(stop)
		most := <-peak
		if err != nil {
			return nil, err
		}
		return []suite.Result{
			{Name: "office-memory.sheet", Value: float64(most-min(before, most)) / (1 << 20), Unit: "MiB", Lower: true,
				Note: fmt.Sprintf("%d rows of %d cells", sheetRows, sheetColumns)},
			{Name: "office-memory.sheet.seconds", Value: took.Seconds(), Unit: "s", Lower: true},
		}, nil
	}}
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}

// watch follows the memory of the process until it is told to stop.
func watch(stop <-chan struct{}, peak chan<- uint64) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	most := inUse()
	for {
		select {
		case <-stop:
			peak <- max(most, inUse())
			return
		case <-tick.C:
			most = max(most, inUse())
		}
	}
}
