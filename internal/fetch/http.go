package fetch

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trawlhq/trawl/internal/netguard"
)

// HTTP is the plain engine: one request and its redirects, no scripts.
type HTTP struct {
	guard    *netguard.Guard
	via      *url.URL
	verified *http.Transport // certificates are checked
	trusting *http.Transport // any will do
	bodies   *bodyReader
}

// NewHTTP makes the engine for one way out: the proxy via, or straight when it is
// nil. Connections are kept and used again until Close.
func NewHTTP(guard *netguard.Guard, via *url.URL) *HTTP {
	return &HTTP{
		guard:    guard,
		via:      via,
		verified: newTransport(guard, via, false),
		trusting: newTransport(guard, via, true),
		bodies:   newBodyReader(),
	}
}

// Close lets the idle connections go.
func (f *HTTP) Close() error {
	f.verified.CloseIdleConnections()
	f.trusting.CloseIdleConnections()
	return nil
}

// Fetch brings a page over plain HTTP.
func (f *HTTP) Fetch(ctx context.Context, r Request) (*Page, error) {
	began := time.Now()
	page, err := f.follow(ctx, r)
	tried := Attempt{Engine: EngineHTTP, Ms: time.Since(began).Milliseconds()}
	if err != nil {
		tried.Reason = reasonOf(err)
		return nil, withAttempts(err, []Attempt{tried})
	}
	tried.Status = page.Status
	page.Attempts = []Attempt{tried}
	return page, nil
}

// follow asks hop after hop until an answer is not a redirect.
func (f *HTTP) follow(ctx context.Context, r Request) (*Page, error) {
	header, err := r.header()
	if err != nil {
		return nil, err
	}
	trail := trail{at: r.URL, header: header}
	for {
		res, err := f.ask(ctx, r, &trail)
		if err != nil {
			return nil, err
		}
		next, redirects := location(res)
		if !redirects {
			return f.read(ctx, r, res)
		}
		f.bodies.discard(res)
		if err := trail.step(next, res); err != nil {
			return nil, err
		}
	}
}

// ask sends one request and waits for the head of the answer.
func (f *HTTP) ask(ctx context.Context, r Request, trail *trail) (*http.Response, error) {
	if err := f.check(ctx, trail.at); err != nil {
		return nil, connectError(ctx, err)
	}
	transport := f.verified
	if r.SkipTLSVerify {
		transport = f.trusting
	}
	res, err := transport.RoundTrip(trail.request(ctx))
	if err != nil {
		return nil, connectError(ctx, err)
	}
	return res, nil
}

// check asks the guard about a hop. The dialer checks again what it connects to;
// behind a proxy nobody else would.
func (f *HTTP) check(ctx context.Context, u *url.URL) error {
	if f.via != nil {
		return f.guard.Resolve(ctx, u)
	}
	return f.guard.CheckURL(u)
}

func (f *HTTP) read(ctx context.Context, r Request, res *http.Response) (*Page, error) {
	body, err := f.bodies.read(ctx, res, r)
	if err != nil {
		return nil, err
	}
	return &Page{
		URL:         withoutUser(res.Request.URL),
		Status:      res.StatusCode,
		Reason:      reasonPhrase(res),
		Header:      res.Header,
		Body:        body,
		ContentType: res.Header.Get("Content-Type"),
		NotModified: res.StatusCode == http.StatusNotModified && r.Conditional != Conditional{},
		Engine:      EngineHTTP,
		ProxyUsed:   ProxyBasic,
		FetchedAt:   time.Now().UTC(),
	}, nil
}

// withoutUser is the address as a browser shows it: credentials are not repeated.
func withoutUser(u *url.URL) string {
	if u.User == nil {
		return u.String()
	}
	bare := *u
	bare.User = nil
	return bare.String()
}

// reasonPhrase is what the server wrote beside the number; HTTP/2 has none.
func reasonPhrase(res *http.Response) string {
	_, phrase, _ := strings.Cut(res.Status, " ")
	if phrase == "" {
		return http.StatusText(res.StatusCode)
	}
	return phrase
}
