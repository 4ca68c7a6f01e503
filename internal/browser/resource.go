package browser

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/chromedp/cdproto/fetch"
	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/network"

	"github.com/trawlhq/trawl"
)

// takenBody is a main resource that is no page: it is read by us instead of
// being shown, or downloaded, by the browser.
type takenBody struct {
	url        string
	status     int
	statusText string
	header     http.Header
	data       []byte
	err        error
	complete   bool
	shown      bool // the browser shows it as well
}

const (
	maxBody    = 64 << 20        // of a taken body; larger ones are refused
	takeWithin = 5 * time.Minute // bounds the reading of a body nobody waits for any more
	readChunk  = 1 << 20         // per message
)

// arrived handles the answer to a document request. It reports true when the
// request has been dealt with, false when it should simply go on.
func (t *tab) arrived(ctx context.Context, e fetch.EventRequestPaused, plan fetchPlan) bool {
	status := int(e.ResponseStatusCode)
	if e.FrameID != t.frame || status >= 300 && status < 400 {
		return false
	}
	header := headerOf(e.ResponseHeaders)
	empty := status == http.StatusNoContent || status == http.StatusResetContent
	if !empty && !plan.force && isPage(header) {
		return false
	}
	t.mu.Lock()
	first := plan.take && t.taken == nil
	t.mu.Unlock()
	if !first {
		t.refuse(ctx, e.RequestID) // a download that an action or the page set off
		return true
	}
	body := &takenBody{url: e.Request.URL, status: status, statusText: e.ResponseStatusText, header: header}
	t.update(func() { t.taken = body })
	show := plan.show && isShowable(header)
	data, err := t.bodyOf(ctx, e.RequestID, show)
	t.update(func() { body.data, body.err, body.shown, body.complete = data, err, show, true })
	if show {
		return false
	}
	t.refuse(ctx, e.RequestID)
	return true
}

// refuse ends a paused request. The page that is shown stays.
func (t *tab) refuse(ctx context.Context, id fetch.RequestID) {
	_ = do(ctx, t.session, fetch.FailRequest, fetch.FailRequestParams{
		RequestID: id, ErrorReason: network.ErrorReasonAborted,
	}) // a request that was given up needs no answer
}

// bodyOf brings the body of a paused answer. A stream cannot be shown
// afterwards, so what is to be shown comes in one piece.
func (t *tab) bodyOf(ctx context.Context, id fetch.RequestID, whole bool) ([]byte, error) {
	if whole {
		got, err := call(ctx, t.session, fetch.GetResponseBody, fetch.GetResponseBodyParams{RequestID: id})
		return got.Body, err
	}
	stream, err := call(ctx, t.session, fetch.TakeResponseBodyAsStream, fetch.TakeResponseBodyAsStreamParams{RequestID: id})
	if err != nil {
		return nil, fmt.Errorf("take body: %w", err)
	}
	defer func() {
		_ = do(ctx, t.session, cdpio.Close, cdpio.CloseParams{Handle: stream.Stream}) // it goes with the tab otherwise
	}()
	var body []byte
	for {
		part, err := call(ctx, t.session, cdpio.Read, cdpio.ReadParams{Handle: stream.Stream, Size: readChunk})
		if err != nil {
			return nil, fmt.Errorf("read body: %w", err)
		}
		body = append(body, part.Data...)
		if len(body) > maxBody {
			return nil, trawl.Errorf(trawl.SiteFailed, "The file is larger than %d MiB", maxBody>>20).
				WithCode("SCRAPE_UNSUPPORTED_FILE_ERROR").WithDetails(retryable(false))
		}
		if part.EOF {
			return body, nil
		}
	}
}

// isPage reports whether the browser should show an answer as a document: HTML,
// or something it must look at itself because the site did not say.
func isPage(header http.Header) bool {
	if disposition, _, err := mime.ParseMediaType(header.Get("Content-Disposition")); err == nil && disposition == "attachment" {
		return false
	}
	switch mediaType(header) {
	case "", "text/html", "application/xhtml+xml", "multipart/x-mixed-replace":
		return true
	}
	return false
}

// isShowable reports whether Chromium has a view of its own for it.
func isShowable(header http.Header) bool {
	kind := mediaType(header)
	return strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "image/") ||
		strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml")
}

func mediaType(header http.Header) string {
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind, _, _ = strings.Cut(header.Get("Content-Type"), ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind
}

func headerOf(entries []*fetch.HeaderEntry) http.Header {
	header := http.Header{}
	for _, e := range entries {
		header.Add(e.Name, e.Value)
	}
	return header
}

func headerOfResponse(headers network.Headers) http.Header {
	header := http.Header{}
	for name, value := range headers {
		for line := range strings.SplitSeq(fmt.Sprint(value), "\n") { // repeated ones are joined by line breaks
			header.Add(name, line)
		}
	}
	return header
}
