package house

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl/bench/house/load"
	"github.com/trawlhq/trawl/bench/house/process"
	"github.com/trawlhq/trawl/bench/suite"
)

// The shape of a comparison: short rounds in turn, so that whatever else the
// machine does meets both sides alike.
const (
	connections = 16
	roundTime   = 1500 * time.Millisecond
)

// sides are the two servers that are asked the same.
type sides struct {
	trawl, bare *process.Process
	body        string        // of the request
	size        int           // of the answer, in bytes
	length      time.Duration // of a round
}

// compare asks both in turn.
func compare(ctx context.Context, env suite.Env, s sides) ([]suite.Result, error) {
	request, err := load.Post(s.trawl.URL+"/v2/scrape", Key, s.body)
	if err != nil {
		return nil, err
	}
	rounds := 7
	if env.Quick {
		rounds = 3
	}
	var ratios []float64
	var ours, theirs record
	for range rounds {
		if err := ours.round(ctx, s.trawl, request, s.length); err != nil {
			return nil, err
		}
		if err := theirs.round(ctx, s.bare, request, s.length); err != nil {
			return nil, err
		}
		ratios = append(ratios, ours.last()/theirs.last())
	}
	fmt.Fprintf(env.Log, "house-cached: trawl %s/s, bare handler %s/s\n", join(ours.rates), join(theirs.rates))
	return []suite.Result{
		{Name: "house-cached.ratio", Value: Median(ratios), Unit: "x",
			Note: fmt.Sprintf("of a bare handler's %.0f/s, %d KiB each; median of %d rounds", Median(theirs.rates), s.size>>10, rounds)},
		{Name: "house-cached.rate", Value: Median(ours.rates), Unit: "answers/s", Note: "key, limits, log and store on"},
		{Name: "house-cached.cpu", Value: Median(ours.micros), Unit: "µs", Lower: true,
			Note: fmt.Sprintf("processor time per answer; bare handler %.0f", Median(theirs.micros))},
	}, nil
}

// record is what the rounds of one side brought.
type record struct {
	rates  []float64 // answers a second
	micros []float64 // processor time per answer
}

func (r *record) last() float64 { return r.rates[len(r.rates)-1] }

func (r *record) round(ctx context.Context, p *process.Process, request []byte, length time.Duration) error {
	before, err := p.CPU()
	if err != nil {
		return err
	}
	done, err := load.Run(ctx, load.Plan{URL: p.URL, Requests: [][]byte{request}, Connections: connections, For: length})
	if err != nil {
		return err
	}
	after, err := p.CPU()
	if err != nil {
		return err
	}
	r.rates = append(r.rates, done.Rate())
	r.micros = append(r.micros, float64((after-before).Microseconds())/float64(done.Answers))
	return nil
}
