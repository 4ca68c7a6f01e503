package crawlbench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/PuerkitoBio/goquery"
)

// walkOnly is what a program does that wants no more than to have been there:
// fetch, find the links, throw the page away. It is the speed to hold up to.
func walkOnly(ctx context.Context, start string, limit, atOnce int) (pages int, err error) {
	w := &walker{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}}, seen: map[string]bool{start: true}, limit: limit}
	defer w.client.CloseIdleConnections()
	w.more = sync.NewCond(&w.mu)
	w.queue = []string{start}
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() { w.work(ctx) })
	}
	workers.Wait()
	return w.pages, w.err
}

type walker struct {
	client *http.Client
	limit  int

	mu    sync.Mutex
	more  *sync.Cond
	seen  map[string]bool
	queue []string
	busy  int
	pages int
	err   error
}

func (w *walker) work(ctx context.Context) {
	for {
		w.mu.Lock()
		for len(w.queue) == 0 && w.busy > 0 {
			w.more.Wait()
		}
		if len(w.queue) == 0 {
			w.more.Broadcast()
			w.mu.Unlock()
			return
		}
		next := w.queue[0]
		w.queue = w.queue[1:]
		w.busy++
		w.mu.Unlock()

		links, err := w.links(ctx, next)

		w.mu.Lock()
		w.busy--
		w.pages++
		if err != nil {
			w.err = err
		}
		for _, link := range links {
			if !w.seen[link] && len(w.seen) < w.limit {
				w.seen[link] = true
				w.queue = append(w.queue, link)
			}
		}
		w.more.Broadcast()
		w.mu.Unlock()
	}
}

func (w *walker) links(ctx context.Context, address string) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	res, err := w.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if !strings.Contains(res.Header.Get("Content-Type"), "html") {
		_, err := io.Copy(io.Discard, res.Body)
		return nil, err
	}
	doc, err := goquery.NewDocumentFromReader(res.Body)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", address, err)
	}
	var links []string
	doc.Find("a[href]").Each(func(_ int, s *goquery.Selection) {
		u, err := res.Request.URL.Parse(s.AttrOr("href", ""))
		if err != nil || u.Host != res.Request.URL.Host {
			return
		}
		u.Fragment = ""
		links = append(links, (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawQuery: u.RawQuery}).String())
	})
	return links, nil
}
