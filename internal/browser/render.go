package browser

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/browser/blocklist"
)

// render is the life of a page: dressed, opened, waited for, acted upon, and
// captured at the end.
func (t *tab) render(ctx context.Context, r Request, address *url.URL) (*Result, error) {
	if err := t.dress(ctx, r, address); err != nil {
		return nil, err
	}
	err := t.visit(ctx, r)
	if errors.Is(err, errTaken) {
		return t.renderBytes(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	result := &Result{}
	if err := t.perform(ctx, r, result); err != nil {
		return nil, err
	}
	if err := t.capture(ctx, r, result); err != nil {
		return nil, err
	}
	return result, nil
}

// perform waits for the page and runs the actions.
func (t *tab) perform(ctx context.Context, r Request, result *Result) error {
	if err := t.settle(ctx); err != nil {
		return err
	}
	if r.WaitFor > 0 {
		if err := t.sleep(ctx, r.WaitFor); err != nil {
			return err
		}
	}
	for i, action := range r.Actions {
		if err := t.act(ctx, action, &result.Actions); err != nil {
			return actionError(ctx, i, action, err)
		}
	}
	return nil
}

// captureTries is how often a page may leave during its capture.
const captureTries = 4

// capture reads the page as it stands. When it goes elsewhere meanwhile, the
// place it went to is read. Each try has part of the time that is left: an
// answer can get lost with the document it was about.
func (t *tab) capture(ctx context.Context, r Request, result *Result) error {
	var err error
	var late bool
	for range captureTries {
		try, cancel := context.WithTimeout(ctx, boundWithin(ctx, time.Minute))
		err = t.captureOnce(try, r, result)
		late = errors.Is(try.Err(), context.DeadlineExceeded) && ctx.Err() == nil
		cancel()
		var moved errPageMoved
		if err == nil || !errors.As(err, &moved) && !late {
			return err
		}
		t.leaveWorld()
		if err := t.settle(ctx); err != nil {
			return err
		}
	}
	if late {
		return timeoutError(err) // it does not answer any more
	}
	return trawl.Errorf(trawl.SiteFailed, "The page does not stop navigating").
		WithCode("SCRAPE_SITE_ERROR").WithDetails(siteDetails("ERR_ABORTED")).Because(err)
}

func (t *tab) captureOnce(ctx context.Context, r Request, result *Result) error {
	if err := t.reached(); err != nil {
		return err
	}
	shown, err := t.read(ctx, r.BlockAds)
	if err != nil {
		return err
	}
	if !isWebAddress(shown.URL) {
		return trawl.Errorf(trawl.SiteFailed, "The page led to an address that is not on the web").
			WithCode("SCRAPE_SITE_ERROR").WithDetails(siteDetails("ERR_UNSAFE_REDIRECT"))
	}
	t.describe(result, shown)
	if r.Branding {
		if result.Branding, err = t.branding(ctx); err != nil {
			return err
		}
	}
	if r.Screenshot != nil {
		result.Screenshot, err = t.shoot(ctx, *r.Screenshot)
	}
	return err
}

// shownPage is what page.js says about the document.
type shownPage struct {
	URL       string `json:"url"`
	HTML      string `json:"html"`
	Type      string `json:"type"`
	Strangers bool   `json:"strangers"` // it has frames that page.js could not look into
	Suspects  int    `json:"suspects"`  // and elements that may have a closed shadow tree
}

// read has the document written, without banners where asked, and once more
// when frames or closed shadow trees had to be put in place first.
func (t *tab) read(ctx context.Context, withoutBanners bool) (shownPage, error) {
	selectors := ""
	if withoutBanners {
		selectors = blocklist.BannerSelectors()
	}
	shown, err := ask[shownPage](ctx, t, js("read", selectors))
	if err != nil || !shown.Strangers && shown.Suspects == 0 {
		return shown, err
	}
	unsealed, err := t.unseal(ctx, shown.Suspects)
	if err != nil {
		return shown, err
	}
	if shown.Strangers {
		if err := t.placeFrames(ctx); err != nil {
			return shown, err
		}
	} else if !unsealed {
		return shown, nil
	}
	return ask[shownPage](ctx, t, js("read", selectors))
}

// reached fails when the browser shows an error page of its own.
func (t *tab) reached() error {
	t.mu.Lock()
	unreachable, failure := t.main.unreachable, t.main.failure
	t.mu.Unlock()
	if unreachable == "" {
		return nil
	}
	return t.netError(strings.TrimPrefix(failure, "net::"), unreachable)
}

// describe fills in what is known about the answer behind the document.
func (t *tab) describe(result *Result, shown shownPage) {
	t.mu.Lock()
	response := t.main.response
	t.mu.Unlock()
	result.URL, result.HTML, result.ContentType = shown.URL, shown.HTML, shown.Type
	if response == nil {
		return
	}
	result.Header = headerOfResponse(response.Headers)
	result.Status, result.StatusText = int(response.Status), response.StatusText
	if result.StatusText == "" {
		result.StatusText = http.StatusText(result.Status) // HTTP/2 sends none
	}
	if sent := result.Header.Get("Content-Type"); sent != "" {
		result.ContentType = sent
	}
}

// renderBytes answers with a main resource that is no page. Where the browser
// can show it, it can be photographed and acted upon all the same.
func (t *tab) renderBytes(ctx context.Context, r Request) (*Result, error) {
	t.mu.Lock()
	taken := *t.taken
	t.mu.Unlock()
	result := &Result{
		URL: taken.url, Status: taken.status, StatusText: taken.statusText, Header: taken.header,
		Body: taken.data, ContentType: taken.header.Get("Content-Type"),
	}
	if result.StatusText == "" {
		result.StatusText = http.StatusText(result.Status)
	}
	if r.Branding {
		return nil, trawl.Errorf(trawl.SiteFailed, "Branding cannot be read from a document that is not a web page").
			WithCode("SCRAPE_BRANDING_NOT_SUPPORTED").WithDetails(retryable(false))
	}
	if taken.shown {
		return result, t.showBytes(ctx, r, result)
	}
	if len(r.Actions) > 0 {
		return nil, trawl.Errorf(trawl.Invalid, "Actions are not supported on documents").
			WithCode("SCRAPE_ACTIONS_NOT_SUPPORTED").WithDetails(retryable(false))
	}
	return result, nil
}

func (t *tab) showBytes(ctx context.Context, r Request, result *Result) error {
	if err := t.perform(ctx, r, result); err != nil {
		return err
	}
	if r.Screenshot == nil {
		return nil
	}
	var err error
	result.Screenshot, err = t.shoot(ctx, *r.Screenshot)
	return err
}

func isWebAddress(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}
