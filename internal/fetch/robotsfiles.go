package fetch

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/trawlhq/trawl/internal/weburl"
)

const (
	robotsMaxBytes = 512 << 10        // RFC 9309 asks for 500 KiB at least
	robotsKept     = 4096             // files; beyond it the memory starts anew
	robotsFor      = time.Hour        // how long a file is used again; the RFC's limit is a day
	robotsWithin   = 15 * time.Second // for one file, whoever waits for it
)

// RobotsFiles fetches robots.txt files and remembers what they say, one per
// origin.
type RobotsFiles struct {
	next     Fetcher
	names    []string
	inFlight singleflight.Group

	mu    sync.Mutex
	files map[string]robotsAnswer
}

type robotsAnswer struct {
	rules *Rules
	until time.Time
}

// NewRobotsFiles reads files for a crawler of these names, the preferred one first.
func NewRobotsFiles(next Fetcher, names ...string) *RobotsFiles {
	return &RobotsFiles{next: next, names: names, files: map[string]robotsAnswer{}}
}

// Rules gives the rules for the host of u. agent replaces our own names, also as
// the user agent of the request; empty: ours. A file that is missing, broken or
// cannot be had allows all; the only error is the end of ctx.
func (f *RobotsFiles) Rules(ctx context.Context, u *url.URL, agent string) (*Rules, error) {
	key := weburl.Origin(u) + " " + agent
	if rules, ok := f.remembered(key); ok {
		return rules, nil
	}
	found := f.inFlight.DoChan(key, func() (any, error) {
		if rules, ok := f.remembered(key); ok { // came while we were on the way here
			return rules, nil
		}
		shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), robotsWithin)
		defer cancel()
		rules := f.fetch(shared, u, agent)
		f.remember(key, rules)
		return rules, nil
	})
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("read robots.txt of %s: %w", u.Host, ctx.Err())
	case res := <-found:
		rules, _ := res.Val.(*Rules)
		return rules, nil
	}
}

func (f *RobotsFiles) fetch(ctx context.Context, u *url.URL, agent string) *Rules {
	r := Request{
		URL:       &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"},
		Headers:   map[string]string{"Accept": "text/plain,*/*;q=0.5"},
		MaxBytes:  robotsMaxBytes,
		CutBody:   true,
		PlainOnly: true,
	}
	names := f.names
	if agent != "" {
		names = []string{agent}
		r.Headers["User-Agent"] = agent
	}
	page, err := f.next.Fetch(ctx, r)
	if err != nil || page.Status != http.StatusOK || !isRobots(page) {
		return &Rules{}
	}
	return ParseRobots(string(page.Body), names...)
}

// isRobots tells a robots.txt from the page a site sends for everything it does
// not have.
func isRobots(page *Page) bool {
	kind := strings.ToLower(page.ContentType)
	for _, other := range []string{"html", "json", "xml"} {
		if strings.Contains(kind, other) {
			return false
		}
	}
	head := bytes.TrimSpace(bytes.TrimPrefix(page.Body, []byte("\xef\xbb\xbf")))
	return len(head) == 0 || head[0] != '<' && head[0] != '{'
}

func (f *RobotsFiles) remembered(key string) (*Rules, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	a, ok := f.files[key]
	return a.rules, ok && time.Now().Before(a.until)
}

func (f *RobotsFiles) remember(key string, rules *Rules) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.files) >= robotsKept {
		clear(f.files)
	}
	f.files[key] = robotsAnswer{rules, time.Now().Add(robotsFor)}
}
