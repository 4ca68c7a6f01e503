package scraping

import (
	"time"

	"github.com/trawlhq/trawl/bench/house/process"
)

// side is what the rounds of one side of the comparison brought. The processor
// time is that of everybody who takes part: the site and the one who asks are in
// this process, trawl is in its own.
type side struct {
	trawl  *process.Process // nil: it takes no part
	rates  []float64        // pages a second
	millis []float64        // processor time per page
}

func (s *side) last() float64 { return s.rates[len(s.rates)-1] }

// round measures one round of work, which tells how many pages it did.
func (s *side) round(work func() (pages float64, err error)) error {
	used, err := s.cpu()
	if err != nil {
		return err
	}
	began := time.Now()
	pages, err := work()
	if err != nil {
		return err
	}
	took := time.Since(began)
	after, err := s.cpu()
	if err != nil {
		return err
	}
	s.rates = append(s.rates, pages/took.Seconds())
	s.millis = append(s.millis, float64((after-used).Microseconds())/1000/pages)
	return nil
}

func (s *side) cpu() (time.Duration, error) {
	own, err := process.OwnCPU()
	if err != nil || s.trawl == nil {
		return own, err
	}
	theirs, err := s.trawl.CPU()
	return own + theirs, err
}
