package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/client"
	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
)

// Remote names the server a command talks to; without one it works in this process.
type Remote struct {
	Server string `name:"server" env:"TRAWL_SERVER" help:"Address of a trawl server. Empty: no server is needed, everything happens here."`
	Key    string `name:"key" env:"TRAWL_KEY" help:"Key for that server."`
}

type scrapeCommand struct {
	config.Storage
	config.Fetching
	Remote
	URLs    []string      `arg:"" name:"url" help:"Addresses of pages."`
	Format  []string      `help:"markdown, html, rawHtml, links, images, …" default:"markdown"`
	JSON    bool          `name:"json" help:"Print documents as JSON, one per line."`
	Output  string        `short:"o" help:"Write one file per page into this folder." type:"path"`
	Full    bool          `help:"Keep navigation, headers and footers."`
	MaxAge  time.Duration `help:"Accept a stored copy of this age." default:"0s"`
	Timeout time.Duration `help:"For one page." default:"60s"`
	At      int           `name:"parallel" help:"Pages at once." default:"4"`
}

// Run scrapes all addresses; those that fail are told and do not stop the others.
func (c *scrapeCommand) Run(ctx context.Context, env Env) error {
	return withScraper(ctx, c.Remote, c.Storage, c.Fetching, func(s trawl.Scraper) error {
		out := &output{env: env, folder: c.Output, json: c.JSON, total: len(c.URLs)}
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(max(c.At, 1))
		for _, u := range c.URLs {
			group.Go(func() error {
				doc, err := s.Scrape(ctx, c.request(u))
				return out.add(u, doc, err)
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		return out.finish()
	})
}

func (c *scrapeCommand) request(u string) trawl.ScrapeRequest {
	formats := make([]trawl.Format, len(c.Format))
	for i, name := range c.Format {
		formats[i] = trawl.Format{Type: name}
	}
	main, age := !c.Full, c.MaxAge.Milliseconds()
	return trawl.ScrapeRequest{URL: u, ScrapeOptions: trawl.ScrapeOptions{
		Formats: &formats, OnlyMainContent: &main, MaxAge: &age, Timeout: int(c.Timeout.Milliseconds()),
	}}
}

// withScraper gives a scraper to a command: a client, or all parts opened in this process.
func withScraper(ctx context.Context, r Remote, s config.Storage, f config.Fetching, use func(trawl.Scraper) error) error {
	if r.Server != "" {
		c, err := client.New(client.Options{BaseURL: r.Server, Key: r.Key})
		if err != nil {
			return err
		}
		return use(c)
	}
	a, err := app.Open(ctx, config.Serve{Storage: s, Fetching: f}, Version(), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer a.Close()
	stop := a.Background(ctx)
	defer stop()
	return use(a.Scraper)
}

// output prints documents, or writes them into a folder, as they come.
type output struct {
	env    Env
	folder string
	json   bool
	total  int

	mu     sync.Mutex
	done   int
	failed int
}

func (o *output) add(u string, doc *trawl.Document, err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done++
	if err != nil {
		o.failed++
		fmt.Fprintf(o.env.Stderr, "%s: %v\n", u, err)
		return nil
	}
	o.progress(u)
	if o.folder != "" {
		return o.write(u, doc)
	}
	return o.print(doc)
}

// progress tells how far it is, when there is more than one page to wait for.
func (o *output) progress(u string) {
	if o.total > 1 {
		fmt.Fprintf(o.env.Stderr, "%d/%d  %s\n", o.done, o.total, u)
	}
}

func (o *output) print(doc *trawl.Document) error {
	if o.json {
		enc := json.NewEncoder(o.env.Stdout)
		enc.SetEscapeHTML(false)
		return enc.Encode(doc)
	}
	_, err := fmt.Fprintln(o.env.Stdout, text(doc))
	return err
}

// text is what a person wants to see of a document.
func text(doc *trawl.Document) string {
	parts := []string{doc.Markdown, doc.HTML, doc.RawHTML, strings.Join(doc.Links, "\n"), strings.Join(doc.Images, "\n"), doc.Screenshot}
	var shown []string
	for _, part := range parts {
		if part != "" {
			shown = append(shown, part)
		}
	}
	return strings.Join(shown, "\n\n")
}

func (o *output) write(u string, doc *trawl.Document) error {
	if err := os.MkdirAll(o.folder, 0o755); err != nil {
		return err
	}
	name, body := fileName(u)+".md", []byte(text(doc)+"\n")
	if o.json {
		data, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			return err
		}
		name, body = fileName(u)+".json", append(data, '\n')
	}
	return os.WriteFile(filepath.Join(o.folder, name), body, 0o644)
}

// fileName makes a safe name of an address: host and path, everything else replaced.
func fileName(u string) string {
	if parsed, err := url.Parse(u); err == nil && parsed.Host != "" {
		u = parsed.Host + parsed.EscapedPath() + "?" + parsed.RawQuery
	}
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' {
			return c
		}
		return '_'
	}, u)
	return strings.Trim(name[:min(len(name), 150)], "_.")
}

func (o *output) finish() error {
	if o.failed > 0 {
		fmt.Fprintf(o.env.Stderr, "%d of %d failed\n", o.failed, o.total)
		return errQuiet
	}
	return nil
}
