package scrape

import (
	"errors"

	"github.com/trawlhq/trawl"
)

// Credits of a page that succeeded: a base, and what is added to it.
const (
	basePage     = 1
	baseJSON     = 5 // with a json format, or changes tracked as json
	baseNewJSON  = 10
	perAddOn     = 4
	perRetention = 1 // zero retention, unless the page came from the cache alone
)

// costOf gives what a page with these options costs when it succeeds.
func costOf(o trawl.ScrapeOptions, zeroRetention bool) int {
	cost := baseOf(o)
	for _, name := range []string{trawl.FormatHighlights, trawl.FormatAudio, trawl.FormatVideo} {
		if o.Wants(name) {
			cost += perAddOn
		}
	}
	if o.Wants(trawl.FormatQuestion) || o.Wants(trawl.FormatQuery) {
		cost += perAddOn
	}
	if o.Redacts() {
		cost += perAddOn
	}
	switch {
	case o.Lockdown:
		cost += perAddOn
	case zeroRetention:
		cost += perRetention
	}
	return cost
}

func baseOf(o trawl.ScrapeOptions) int {
	if o.Wants(trawl.FormatDeterministicJSON) {
		return baseNewJSON
	}
	if o.Wants(trawl.FormatJSON) {
		return baseJSON
	}
	if f, ok := o.Format(trawl.FormatChangeTracking); ok {
		for _, mode := range f.Modes {
			if mode == "json" {
				return baseJSON
			}
		}
	}
	return basePage
}

// costOfFailure gives what a page that failed costs: nothing, but for the two
// failures that are answers in themselves.
func costOfFailure(err error) int {
	var e *trawl.Error
	if errors.As(err, &e) && (e.Code == "SCRAPE_DNS_RESOLUTION_ERROR" || e.Code == "SCRAPE_LOCKDOWN_CACHE_MISS") {
		return 1
	}
	return 0
}
