package sitemap

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/weburl"
)

// How long the addresses of a site's sitemaps are used again: for a day instead
// of reading them, and for a week where they cannot be read.
const (
	sitemapFresh = 24 * time.Hour
	sitemapLife  = 7 * 24 * time.Hour
)

// maxRemembered is how many addresses of one site are kept: as many as a map can list.
const maxRemembered = 100_000

// errFull ends the reading of sitemaps once nothing more can come into the map.
var errFull = errors.New("the map is full")

// fromSitemaps adds what the sitemaps list, read now or lately, and says how many addresses that was.
func (s *Service) fromSitemaps(ctx context.Context, req trawl.MapRequest, start *url.URL, pool *pool) (listed int, err error) {
	shared := len(req.Headers) == 0 && req.Location == nil // what everybody gets to see
	key := weburl.Origin(start) + start.EscapedPath()
	if shared && !req.IgnoreCache {
		if listed, err := s.remembered(ctx, key, sitemapFresh, pool); err != nil || listed > 0 {
			return listed, err
		}
	}
	var all []string
	limited, cancel := context.WithTimeout(ctx, sitemapTime)
	defer cancel()
	err = s.Finder.Walk(limited, s.search(req, start), func(u *url.URL) error {
		pool.add(link{url: u})
		all = append(all, u.String())
		if len(all) >= maxRemembered {
			return errFull
		}
		return nil
	})
	if ctx.Err() != nil {
		return len(all), ctx.Err()
	}
	if len(all) == 0 && shared && !req.IgnoreCache {
		return s.remembered(ctx, key, sitemapLife, pool)
	}
	complete := err == nil || errors.Is(err, errFull)
	if shared && complete && len(all) > 0 {
		if err := s.remember(ctx, key, all); err != nil {
			s.Log.WarnContext(ctx, "sitemap not remembered", "err", err)
		}
	}
	return len(all), nil
}

func (s *Service) search(req trawl.MapRequest, start *url.URL) Search {
	out := Search{Start: start, Headers: req.Headers}
	if req.Location != nil {
		out.Languages = req.Location.Languages
		if req.Location.Country != trawl.CountryAny {
			out.Country = req.Location.Country
		}
	}
	return out
}

// remembered adds what was listed lately, if that is no older than age.
func (s *Service) remembered(ctx context.Context, key string, age time.Duration, pool *pool) (int, error) {
	packed, err := s.Store.Sitemap(ctx, key, s.Now().Add(sitemapLife-age))
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read remembered sitemap: %w", err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return 0, fmt.Errorf("unpack remembered sitemap: %w", err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return 0, fmt.Errorf("unpack remembered sitemap: %w", err)
	}
	listed := 0
	for line := range strings.Lines(string(text)) {
		if u, err := url.Parse(strings.TrimSuffix(line, "\n")); err == nil {
			pool.add(link{url: u})
			listed++
		}
	}
	return listed, nil
}

func (s *Service) remember(ctx context.Context, key string, all []string) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return err
	}
	for _, address := range all {
		if _, err := io.WriteString(z, address+"\n"); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	now := s.Now()
	return s.Store.KeepSitemap(ctx, key, b.Bytes(), now, now.Add(sitemapLife))
}
