// Package crawlrules measures how trawl reads what decides a crawl: links,
// robots.txt and sitemaps. The cases are described by the README of their data set.
package crawlrules

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/sitemap"
	"github.com/trawlhq/trawl/internal/weburl"
)

// Suites lists the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{{Name: "crawl-rules", Data: "crawl-rules", Run: run}}
}

// score counts exact agreements and writes down the others.
type score struct {
	name       string
	agree, all int
	out        *json.Encoder
}

func (s *score) add(id string, ok bool, got, want any) error {
	s.all++
	if ok {
		s.agree++
		return nil
	}
	return s.out.Encode(map[string]any{"set": s.name, "id": id, "got": got, "want": want})
}

func (s *score) result(note string) suite.Result {
	return suite.Result{
		Name: "crawl-rules." + s.name, Value: float64(s.agree) / float64(max(1, s.all)), Unit: "share",
		Note: fmt.Sprintf("%d of %d; %s", s.agree, s.all, note),
	}
}

func run(_ context.Context, env suite.Env) (results []suite.Result, err error) {
	f, err := os.Create(filepath.Join(env.Out, "crawl-rules.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("keep items: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := json.NewEncoder(f)
	rfc, google := &score{name: "robots", out: out}, &score{name: "robots-google", out: out}
	links, maps := &score{name: "links", out: out}, &score{name: "sitemaps", out: out}
	if err := each(env.Path("crawl-rules", "robots.jsonl.gz"), func(c robotsCase) error { return c.judge(rfc, google) }); err != nil {
		return nil, err
	}
	if err := each(env.Path("crawl-rules", "url-resolve.jsonl.gz"), func(c linkCase) error { return c.judge(links) }); err != nil {
		return nil, err
	}
	if err := each(env.Path("crawl-rules", "sitemaps.jsonl.gz"), func(c sitemapCase) error { return c.judge(maps) }); err != nil {
		return nil, err
	}
	return []suite.Result{
		rfc.result("robots.txt decisions of RFC 9309"), google.result("robots.txt decisions beyond the RFC"),
		links.result("links as the WHATWG standard reads them"), maps.result("sitemap files, all addresses in order"),
	}, nil
}

type robotsCase struct {
	ID        string `json:"id"`
	RobotsTxt string `json:"robots_txt"`
	UserAgent string `json:"user_agent"`
	URL       string `json:"url"`
	Allowed   bool   `json:"allowed"`
	Google    bool   `json:"google_only"`
}

func (c robotsCase) judge(rfc, google *score) error {
	into := rfc
	if c.Google {
		into = google
	}
	u, err := url.Parse(c.URL)
	got := err == nil && fetch.ParseRobots(c.RobotsTxt, c.UserAgent).Allows(u)
	return into.add(c.ID, got == c.Allowed, got, c)
}

type linkCase struct {
	ID       string  `json:"id"`
	Input    string  `json:"input"`
	Base     *string `json:"base"`
	Href     string  `json:"href"`
	Failure  bool    `json:"failure"`
	Protocol string  `json:"protocol"`
}

// judge wants agreement for web addresses; of the rest only that they can be read.
func (c linkCase) judge(s *score) error {
	base := ""
	if c.Base != nil {
		base = *c.Base
	}
	href, err := weburl.Href(base, c.Input)
	switch {
	case c.Failure:
		return s.add(c.ID, err != nil, href, c)
	case strings.HasPrefix(c.Protocol, "http"):
		return s.add(c.ID, err == nil && href == c.Href && c.readable(base), href, c)
	}
	return s.add(c.ID, err == nil, href, c)
}

// readable says whether the form trawl works with is that address too, but for
// the percent signs that escape nothing.
func (c linkCase) readable(base string) bool {
	var page *url.URL
	if base != "" {
		u, err := weburl.Resolve(nil, base)
		if err != nil {
			return false
		}
		page = u
	}
	_, err := weburl.Resolve(page, c.Input)
	return err == nil
}

type sitemapCase struct {
	ID   string   `json:"id"`
	Body string   `json:"body"`
	Locs []string `json:"locs"`
}

// judge takes the addresses of sitemaps only: the data set has no feed items.
func (c sitemapCase) judge(s *score) error {
	var locs []string
	err := sitemap.Read(strings.NewReader(c.Body), sitemap.Limits{}, func(e sitemap.Entry) error {
		if e.Kind != sitemap.FeedItem {
			locs = append(locs, e.Loc)
		}
		return nil
	})
	return s.add(c.ID, err == nil && slices.Equal(locs, c.Locs), locs, c.Locs)
}

// each reads a packed file of one JSON object a line.
func each[T any](name string, judge func(T) error) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("open cases: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("unpack %s: %w", name, err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c T
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if err := judge(c); err != nil {
			return fmt.Errorf("judge %s: %w", name, err)
		}
	}
	return lines.Err()
}
