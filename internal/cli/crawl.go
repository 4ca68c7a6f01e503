package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/client"
	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
)

type crawlCommand struct {
	config.Storage
	config.Fetching
	Remote
	URL        string   `arg:"" optional:"" help:"Where the crawl starts."`
	Resume     string   `help:"Go on with the crawl of this id instead of starting one."`
	Limit      int      `help:"Pages at most." default:"10000"`
	Depth      int      `help:"Links from the start at most; -1: no limit." default:"-1"`
	Include    []string `help:"Patterns (RE2) of paths; one must match."`
	Exclude    []string `help:"Patterns (RE2) of paths; none may match."`
	Entire     bool     `name:"entire-domain" help:"Not only below the path of the start."`
	Subdomains bool     `help:"Also hosts of the same domain."`
	External   bool     `help:"Also other hosts, one link away."`
	Sitemap    string   `help:"include, skip or only." default:"include" enum:"include,skip,only"`
	Delay      float64  `help:"Seconds between pages; one page at a time."`
	Parallel   int      `help:"Pages at once; 0: as many as the server allows."`
	Format     []string `help:"markdown, html, rawHtml, links, images, …" default:"markdown"`
	Full       bool     `help:"Keep navigation, headers and footers."`
	JSONL      bool     `name:"jsonl" help:"Print documents as JSON, one per line, instead of writing files."`
	Output     string   `short:"o" help:"Folder for one file per page." default:"crawl" type:"path"`
}

// Run crawls a site. An interrupt cancels the crawl; what is there is kept.
func (c *crawlCommand) Run(ctx context.Context, env Env) error {
	if (c.URL == "") == (c.Resume == "") {
		return fmt.Errorf("crawl: give an address or --resume with an id")
	}
	return withCrawler(ctx, c.Remote, c.Storage, c.Fetching, func(crawler trawl.Crawler) error {
		id := c.Resume
		if id == "" {
			started, err := crawler.StartCrawl(ctx, c.request())
			if err != nil {
				return err
			}
			id = started.ID
			fmt.Fprintf(env.Stderr, "crawl %s\n", id)
		}
		out := &output{env: env, folder: c.Output, json: c.JSONL}
		if c.JSONL {
			out.folder = ""
		}
		f := &follower{crawler: crawler, id: id, out: out, screen: env.Stderr, began: time.Now()}
		return f.follow(ctx)
	})
}

func (c *crawlCommand) request() trawl.CrawlRequest {
	formats := make([]trawl.Format, len(c.Format))
	for i, name := range c.Format {
		formats[i] = trawl.Format{Type: name}
	}
	main := !c.Full
	req := trawl.CrawlRequest{
		URL: c.URL, ScrapeOptions: trawl.ScrapeOptions{Formats: &formats, OnlyMainContent: &main},
		CrawlOptions: trawl.CrawlOptions{
			IncludePaths: c.Include, ExcludePaths: c.Exclude, Limit: c.Limit, CrawlEntireDomain: c.Entire, AllowSubdomains: c.Subdomains,
			AllowExternalLinks: c.External, Sitemap: c.Sitemap, MaxConcurrency: c.Parallel,
		},
	}
	if c.Depth >= 0 {
		req.MaxDiscoveryDepth = &c.Depth
	}
	if c.Delay > 0 {
		req.Delay = &c.Delay
	}
	return req
}

// withCrawler gives a crawler to a command: a client, or all parts opened and working in this process.
func withCrawler(ctx context.Context, r Remote, s config.Storage, f config.Fetching, use func(trawl.Crawler) error) error {
	if r.Server != "" {
		c, err := client.New(client.Options{BaseURL: r.Server, Key: r.Key})
		if err != nil {
			return err
		}
		return use(c)
	}
	a, err := app.Open(context.WithoutCancel(ctx), config.Serve{Storage: s, Fetching: f}, Version(), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer a.Close()
	stop := a.Work(ctx)
	defer stop()
	return use(a.Crawl)
}

// follower writes the documents of a crawl as they come and shows how far it is.
type follower struct {
	crawler trawl.Crawler
	id      string
	out     *output
	screen  io.Writer
	began   time.Time
	read    int // documents so far
	failed  int // pages that could not be had, as of asked
	asked   time.Time
}

// lookEvery is how often the crawl is looked at.
const lookEvery = 250 * time.Millisecond

// askEvery is how often the errors are counted: their list may be long.
const askEvery = 2 * time.Second

// follow goes on until the crawl has ended and all its documents are written.
func (f *follower) follow(ctx context.Context) error {
	cancelled := false
	asking := ctx
	for {
		st, err := f.crawler.CrawlStatus(asking, f.id, trawl.Window{Skip: f.read, Limit: trawl.DefaultWindow})
		if err != nil && ctx.Err() != nil && !cancelled {
			asking, cancelled = context.WithoutCancel(ctx), true
			if err := f.cancel(asking); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if err := f.write(st); err != nil {
			return err
		}
		f.progress(asking, st)
		if st.Ended() && !st.More {
			return f.finish(asking, st)
		}
		if st.More || len(st.Data) > 0 {
			continue
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
			if !cancelled {
				asking, cancelled = context.WithoutCancel(ctx), true
				if err := f.cancel(asking); err != nil {
					return err
				}
			}
		}
	}
}

// cancel is what an interrupt does; a crawl that has just ended is as good.
func (f *follower) cancel(ctx context.Context) error {
	fmt.Fprintf(f.screen, "\ncancelling; what is there is kept\n")
	err := f.crawler.CancelCrawl(ctx, f.id)
	if e, ok := err.(*trawl.Error); ok && e.Kind == trawl.Conflict {
		return nil
	}
	return err
}

func (f *follower) write(st *trawl.CrawlStatus) error {
	docs, err := st.Documents()
	if err != nil {
		return fmt.Errorf("read documents: %w", err)
	}
	f.read += len(docs)
	for _, doc := range docs {
		if err := f.keep(doc); err != nil {
			return err
		}
	}
	return nil
}

func (f *follower) keep(doc *trawl.Document) error {
	if f.out.folder != "" {
		return f.out.write(doc.Metadata.SourceURL, doc)
	}
	enc := json.NewEncoder(f.out.env.Stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(doc)
}

// progress is one line that is written over on a terminal, and now and then elsewhere.
func (f *follower) progress(ctx context.Context, st *trawl.CrawlStatus) {
	if !isTerminal(f.screen) {
		return
	}
	if time.Since(f.asked) > askEvery {
		f.asked = time.Now()
		if problems, err := f.crawler.CrawlErrors(ctx, f.id); err == nil { // otherwise the line shows what was known before
			f.failed = len(problems.Errors)
		}
	}
	rate := float64(st.Completed) / max(time.Since(f.began).Seconds(), 0.001)
	fmt.Fprintf(f.screen, "\r\x1b[K%s  %d done / %d found / %d errors  %.1f pages/s", st.Status, st.Completed, st.Total, f.failed, rate)
}

// finish tells how it ended; a crawl of which nothing came is a failure.
func (f *follower) finish(ctx context.Context, st *trawl.CrawlStatus) error {
	problems, err := f.crawler.CrawlErrors(ctx, f.id)
	if err != nil {
		return err
	}
	took := time.Since(f.began)
	if isTerminal(f.screen) {
		fmt.Fprint(f.screen, "\r\x1b[K")
	}
	fmt.Fprintf(f.screen, "%s: %d pages, %d errors, %d refused by robots.txt, %.1f s\n",
		st.Status, st.Completed, len(problems.Errors), len(problems.RobotsBlocked), took.Seconds())
	if st.Warning != "" {
		fmt.Fprintln(f.screen, st.Warning)
	}
	if st.Status == trawl.CrawlFailed || st.Completed == 0 {
		return errQuiet
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
