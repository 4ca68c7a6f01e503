package pdfbench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document/pdfdoc"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdftest"
)

// memory measures what reading a long file adds to the memory of the process.
func memory(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	pages := 1000
	if env.Quick {
		pages = 100
	}
	body := longFile(pages)
	reader, err := open(ctx, cores())
	if err != nil {
		return nil, err
	}
	runtime.GC()
	debug.FreeOSMemory()
	before := residentMiB()
	peak := watchMemory(ctx)
	result, err := reader.Read(ctx, body, pdfdoc.Options{Pages: true})
	highest := peak()
	if err != nil {
		return nil, fmt.Errorf("read %d pages: %w", pages, err)
	}
	if result.Doc.NumPages != pages {
		return nil, fmt.Errorf("read %d pages of %d", result.Doc.NumPages, pages)
	}
	return []suite.Result{{
		Name: "pdf-memory.peak", Value: highest - before, Unit: "MiB", Lower: true,
		Note: fmt.Sprintf("%d pages, %.1f MiB file", pages, float64(len(body))/(1<<20)),
	}}, reader.Close()
}

// longFile is a report with headings, text and a table on every page.
func longFile(pages int) []byte {
	var d pdftest.Doc
	for n := range pages {
		p := d.Page(595, 842)
		p.Text(72, 90, 16, pdftest.SansBold, fmt.Sprintf("Chapter %d", n+1))
		for i := range 38 {
			p.Text(72, 120+14*float64(i), 11, pdftest.Serif,
				fmt.Sprintf("Line %d of page %d goes on for as long as a line of a report usually does go on.", i+1, n+1))
		}
		for r := range 8 {
			y := 670 + 14*float64(r)
			p.Rule(72, y-10, 520, y-10)
			for c := range 5 {
				p.Text(76+90*float64(c), y, 9, pdftest.Sans, strconv.Itoa(1000*n+10*r+c))
			}
		}
		p.Text(290, 815, 9, pdftest.Serif, strconv.Itoa(n+1))
	}
	return d.Bytes()
}

// watchMemory notes the largest resident size until the function it gives is
// called, which answers with it.
func watchMemory(ctx context.Context) func() float64 {
	ctx, stop := context.WithCancel(ctx)
	var peak atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			if now := int64(residentMiB() * 1024); now > peak.Load() {
				peak.Store(now)
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return func() float64 {
		stop()
		<-done
		return float64(peak.Load()) / 1024
	}
}

// residentMiB is the memory of this process that is in use.
func residentMiB() float64 {
	stat, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.Sys) / (1 << 20)
	}
	fields := bytes.Fields(stat)
	if len(fields) < 2 {
		return 0
	}
	n, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return float64(n*int64(os.Getpagesize())) / (1 << 20)
}
