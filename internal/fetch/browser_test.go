package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"reflect"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/browser"
	"github.com/trawlhq/trawl/internal/netguard"
)

// rendererFunc is a browser in a few lines.
type rendererFunc func(ctx context.Context, r browser.Request) (*browser.Result, error)

func (f rendererFunc) Render(ctx context.Context, r browser.Request) (*browser.Result, error) {
	return f(ctx, r)
}

func TestBrowserIsToldEverything(t *testing.T) {
	no := false
	r := request(t, "https://a.test/x")
	r.Headers, r.Mobile, r.SkipTLSVerify, r.Country = map[string]string{"x-one": "1"}, true, true, "DE"
	r.Browser = BrowserOptions{
		WaitFor: time.Second, Branding: true, BlockAds: true, ProfileDir: "dir", Profile: &trawl.Profile{Name: "p", SaveChanges: &no},
		Actions:    []trawl.Action{{Type: "click", Selector: "#a", All: true}, {Type: "screenshot", FullPage: true, Quality: 50, Viewport: &trawl.Viewport{Width: 3, Height: 4}}},
		Screenshot: &Shot{FullPage: true, Quality: 80, Viewport: &trawl.Viewport{Width: 1, Height: 2}},
	}
	want := browser.Request{
		URL: "https://a.test/x", Headers: map[string][]string{"X-One": {"1"}}, Mobile: true, SkipTLSVerify: true, Languages: []string{"de-DE", "de", "en"},
		WaitFor: time.Second, Branding: true, BlockAds: true, Profile: &browser.Profile{Name: "p", Dir: "dir"},
		Actions: []browser.Action{
			{Type: "click", Selector: "#a", All: true},
			{Type: "screenshot", FullPage: true, Quality: 50, Viewport: browser.Viewport{Width: 3, Height: 4}},
		},
		Screenshot: &browser.Shot{FullPage: true, Quality: 80, Viewport: browser.Viewport{Width: 1, Height: 2}},
	}
	var got browser.Request
	_, err := NewBrowser(rendererFunc(func(_ context.Context, r browser.Request) (*browser.Result, error) {
		got = r
		return &browser.Result{}, nil
	}), nil).Fetch(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("asked\n%+v\nwant\n%+v", got, want)
	}
	r.Browser.ProfileDir = ""
	if _, err := NewBrowser(nil, nil).Fetch(t.Context(), r); err == nil {
		t.Error("a profile without a folder was accepted")
	}
}

func TestBrowserBringsEverything(t *testing.T) {
	result := &browser.Result{
		URL: "https://a.test/y", Status: 200, HTML: "<p>é</p>", ContentType: "text/html; charset=latin1", Attempts: 2,
		Screenshot: &browser.Image{Data: []byte("png"), MIME: "image/png"}, Branding: map[string]any{"colorScheme": "dark"},
		Actions: browser.ActionResults{
			Screenshots: []browser.Image{{Data: []byte("1")}}, Scrapes: []browser.Scrape{{URL: "u", HTML: "h"}}, PDFs: [][]byte{[]byte("pdf")},
			JavascriptReturns: []browser.JavascriptReturn{{Type: "number", Value: json.RawMessage("1")}},
		},
	}
	page, err := NewBrowser(rendererFunc(func(context.Context, browser.Request) (*browser.Result, error) { return result, nil }), nil).
		Fetch(t.Context(), request(t, "https://a.test/x"))
	if err != nil {
		t.Fatal(err)
	}
	if string(page.Body) != "<p>é</p>" || page.ContentType != "text/html; charset=utf-8" || page.Reason != "OK" || page.Engine != EngineBrowser || page.URL != "https://a.test/y" {
		t.Errorf("page %+v", page)
	}
	r := page.Rendered
	if string(r.Screenshot.Data) != "png" || r.Branding["colorScheme"] != "dark" || len(r.Actions.Screenshots) != 1 || r.Actions.Scrapes[0].HTML != "h" ||
		r.Actions.JavascriptReturns[0].Type != "number" || string(r.Actions.PDFs[0]) != "pdf" {
		t.Errorf("rendered %+v", r)
	}
	if len(page.Attempts) != 2 || page.Attempts[0].Reason == "" || page.Attempts[1].Status != 200 {
		t.Errorf("attempts %+v", page.Attempts)
	}
}

func TestBrowserFailuresKeepTheirDetails(t *testing.T) {
	failed := trawl.Errorf(trawl.SiteFailed, "no").WithCode("SCRAPE_ACTION_ERROR").WithDetails(map[string]any{"index": 3})
	_, err := NewBrowser(rendererFunc(func(context.Context, browser.Request) (*browser.Result, error) { return nil, failed }), nil).
		Fetch(t.Context(), request(t, "https://a.test/x"))
	e, d := failure(t, err)
	details, _ := e.Details.(map[string]any)
	if e.Code != "SCRAPE_ACTION_ERROR" || details["index"] != 3 || len(d.Attempts) != 1 || d.Attempts[0].Engine != EngineBrowser {
		t.Errorf("error %v with %+v", err, e.Details)
	}
	if _, added := failed.Details.(map[string]any)["attempts"]; added {
		t.Error("the browser's own error was changed")
	}
}

func TestBrowserBlamesTheProxy(t *testing.T) {
	dial := func(context.Context, string, string) (net.Conn, error) {
		return nil, fmt.Errorf("%w: down", netguard.ErrProxy)
	}
	_, err := NewBrowser(rendererFunc(func(ctx context.Context, r browser.Request) (*browser.Result, error) {
		_, err := r.Dial(ctx, "tcp", "a.test:443")
		return nil, err
	}), dial).Fetch(t.Context(), request(t, "https://a.test/x"))
	if !errors.Is(err, browser.ErrUpstreamProxy) {
		t.Errorf("error %v, want ErrUpstreamProxy", err)
	}
}
