package crawlbench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trawlhq/trawl/bench/house"
)

// lap is one crawl by one side.
type lap struct {
	pages  int
	took   time.Duration
	cpu    time.Duration // of the crawler alone
	memory int64         // highest resident; 0: not looked at
	sent   int64         // bytes the site answered with
}

// record is what the laps of one side came to.
type record struct {
	rates  []float64 // pages a second
	cpu    []float64 // milliseconds per page
	memory []float64 // MiB
	volume []float64 // KiB per page: sides that go other ways meet other pages
}

func (r *record) add(l lap, err error) error {
	if err != nil {
		return err
	}
	pages := float64(l.pages)
	r.rates = append(r.rates, pages/l.took.Seconds())
	r.cpu = append(r.cpu, float64(l.cpu.Microseconds())/1000/pages)
	r.memory = append(r.memory, float64(l.memory)/(1<<20))
	r.volume = append(r.volume, float64(l.sent)/1024/pages)
	return nil
}

// addRival runs a rival, if it is there.
func (r *record) addRival(ctx context.Context, s *stage, rival *rival, pages int) error {
	if rival == nil {
		return nil
	}
	return r.add(rival.crawl(ctx, s.site, pages))
}

// String is for the person who watches.
func (r *record) String() string {
	if len(r.rates) == 0 {
		return "not there"
	}
	rates := make([]string, len(r.rates))
	for i, rate := range r.rates {
		rates[i] = fmt.Sprintf("%.0f", rate)
	}
	return fmt.Sprintf("%s pages/s (%.2f ms of processor and %.0f KiB per page, %.0f MiB)", strings.Join(rates, " "),
		house.Median(r.cpu), house.Median(r.volume), house.Median(r.memory))
}

func (r *record) cpuNote(name string) string {
	if len(r.cpu) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %.2f", name, house.Median(r.cpu))
}
