package browser

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// traffic counts the requests a page has under way.
type traffic struct {
	requests map[network.RequestID]pending
	last     time.Time // when one last began or ended
}

// pending is a request under way.
type pending struct {
	began  time.Time
	loader cdp.LoaderID // of the document it is for
}

// longLived is how old a request gets before it no longer counts: a long poll
// or a stream, which no page waits for.
const longLived = 4 * time.Second

func (t *traffic) began(e network.EventRequestWillBeSent) {
	if e.LoaderID == "" {
		return // of a worker: its end is told to the worker's session only
	}
	switch e.Type {
	case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypeMedia,
		network.ResourceTypePing, network.ResourceTypeCSPViolationReport, network.ResourceTypePrefetch:
		return // never part of what is shown, or never at an end
	}
	t.last = time.Now()
	t.requests[e.RequestID] = pending{began: t.last, loader: e.LoaderID}
}

func (t *traffic) ended(id network.RequestID) {
	if _, known := t.requests[id]; !known {
		return
	}
	delete(t.requests, id)
	t.last = time.Now()
}

// committed forgets the requests of documents that are no longer shown: nobody
// will say how they ended.
func (t *traffic) committed(loader cdp.LoaderID) {
	for id, request := range t.requests {
		if request.loader != loader {
			delete(t.requests, id)
		}
	}
}

// quietAt is when the network will have been quiet for that long if nothing
// else happens.
func (t *traffic) quietAt(window time.Duration) time.Time {
	quiet := t.last.Add(window)
	for _, request := range t.requests {
		if forgotten := request.began.Add(longLived); forgotten.After(quiet) {
			quiet = forgotten
		}
	}
	return quiet
}
