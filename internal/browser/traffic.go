package browser

import (
	"time"

	"github.com/chromedp/cdproto/network"
)

// traffic counts the requests a page has under way.
type traffic struct {
	requests map[network.RequestID]time.Time // when each began
	last     time.Time                       // when one last began or ended
	dynamic  bool                            // the page fetched something by script
}

// longLived is how old a request gets before it no longer counts: a long poll
// or a stream, which no page waits for.
const longLived = 4 * time.Second

func (t *traffic) began(id network.RequestID, kind network.ResourceType) {
	switch kind {
	case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypeMedia,
		network.ResourceTypePing, network.ResourceTypeCSPViolationReport, network.ResourceTypePrefetch:
		return // never part of what is shown, or never at an end
	case network.ResourceTypeXHR, network.ResourceTypeFetch:
		t.dynamic = true
	}
	t.last = time.Now()
	t.requests[id] = t.last
}

func (t *traffic) ended(id network.RequestID) {
	if _, known := t.requests[id]; !known {
		return
	}
	delete(t.requests, id)
	t.last = time.Now()
}

// quietAt is when the network will have been quiet for that long if nothing
// else happens.
func (t *traffic) quietAt(window time.Duration) time.Time {
	quiet := t.last.Add(window)
	for _, began := range t.requests {
		if forgotten := began.Add(longLived); forgotten.After(quiet) {
			quiet = forgotten
		}
	}
	return quiet
}
