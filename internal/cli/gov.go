package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/client"
	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
	"github.com/trawlhq/trawl/internal/gov"
)

type govCommand struct {
	Search govSearchCommand `cmd:"" default:"withargs" help:"Search primary US law."`
	Import govImportCommand `cmd:"" help:"Read folders, archives and files of publishers into the index."`
	Sync   govSyncCommand   `cmd:"" help:"Bring an official source up to date."`
	Stats  govStatsCommand  `cmd:"" help:"Tell what is in the index."`
}

// withGov opens the index of a data directory.
func withGov(ctx context.Context, s config.Storage, f config.Fetching, use func(*app.App, *gov.Service) error) error {
	settings := config.Serve{Storage: s, Fetching: f}
	settings.GovSync = "off"
	a, err := app.Open(ctx, settings, Version(), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer a.Close()
	law, err := a.Gov()
	if err != nil {
		return err
	}
	return use(a, law)
}

type govSearchCommand struct {
	config.Storage
	Remote
	Query []string `arg:"" help:"A question, a phrase or a citation."`
	K     int      `short:"k" help:"How many results." default:"10"`
	JSON  bool     `name:"json" help:"Print JSON."`
}

// Run searches.
func (c *govSearchCommand) Run(ctx context.Context, env Env) error {
	req := trawl.GovSearchRequest{Query: strings.Join(c.Query, " "), K: trawl.Count(c.K)}
	if c.Server != "" {
		remote, err := client.New(client.Options{BaseURL: c.Server, Key: c.Key})
		if err != nil {
			return err
		}
		return c.search(ctx, env, remote, req)
	}
	return withGov(ctx, c.Storage, config.Fetching{}, func(_ *app.App, law *gov.Service) error { return c.search(ctx, env, law, req) })
}

func (c *govSearchCommand) search(ctx context.Context, env Env, s trawl.GovSearcher, req trawl.GovSearchRequest) error {
	found, err := s.GovSearch(ctx, req)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(env.Stdout).Encode(found.Web)
	}
	for _, r := range found.Web {
		fmt.Fprintf(env.Stdout, "%d. %s\n   %s\n   %s\n\n", r.Position, r.Title, r.URL, r.Description)
	}
	return nil
}

type govImportCommand struct {
	config.Storage
	Paths []string `arg:"" help:"Folders, archives or files." type:"path"`
}

// Run imports, with a line of progress.
func (c *govImportCommand) Run(ctx context.Context, env Env) error {
	return withGov(ctx, c.Storage, config.Fetching{}, func(_ *app.App, law *gov.Service) error {
		began := time.Now()
		p, err := law.Import(ctx, c.Paths, importLine(env, began))
		fmt.Fprintf(env.Stderr, "\n%d units read, %d new or changed, %d sources unchanged, %d files damaged, in %s\n",
			p.Units, p.Changed, p.Skipped, p.Damaged, time.Since(began).Round(time.Second))
		return err
	})
}

// importLine keeps one line up to date: how much, how fast, how long still.
func importLine(env Env, began time.Time) func(gov.Progress) {
	return func(p gov.Progress) {
		rate := float64(p.Units) / max(time.Since(began).Seconds(), 0.001)
		left := ""
		if p.Bytes > 0 && p.Total > p.Bytes {
			left = ", " + (time.Duration(float64(time.Since(began)) * float64(p.Total-p.Bytes) / float64(p.Bytes))).Round(time.Second).String() + " left"
		}
		fmt.Fprintf(env.Stderr, "\r\033[K%d/%d sources  %d units  %.0f/s%s  %s", p.Done, p.Sources, p.Units, rate, left, p.Source)
	}
}

type govSyncCommand struct {
	config.Storage
	config.Fetching
	Source string        `arg:"" help:"Name of the source; see the error for the list."`
	Since  time.Duration `help:"For sources that grow by the day: how far back." default:"720h"`
	Limit  int           `help:"Stop after this many files. 0: all."`
	Pause  time.Duration `help:"Between two requests. 0: what the source asks for."`
	Token  string        `env:"TRAWL_GOV_TOKEN" help:"For sources that ask for one."`
}

// Run syncs, with a line of progress.
func (c *govSyncCommand) Run(ctx context.Context, env Env) error {
	if !slices.Contains(gov.SyncSources(), c.Source) {
		return fmt.Errorf("no source %q; there are: %s", c.Source, strings.Join(gov.SyncSources(), ", "))
	}
	return withGov(ctx, c.Storage, c.Fetching, func(a *app.App, law *gov.Service) error {
		began := time.Now()
		p, err := law.Sync(ctx, c.Source, gov.SyncOptions{
			Client: a.GovClient(), Pause: c.Pause, Since: time.Now().Add(-c.Since), Limit: c.Limit, Token: c.Token, Imported: importLine(env, began),
		})
		fmt.Fprintf(env.Stderr, "\n%d units read, %d new or changed\n", p.Units, p.Changed)
		return err
	})
}

type govStatsCommand struct {
	config.Storage
	JSON bool `name:"json" help:"Print JSON."`
}

// Run counts.
func (c *govStatsCommand) Run(ctx context.Context, env Env) error {
	return withGov(ctx, c.Storage, config.Fetching{}, func(_ *app.App, law *gov.Service) error {
		s, err := law.Stats(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return json.NewEncoder(env.Stdout).Encode(s)
		}
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "documents with full text\t%d\nlisted only\t%d\npassages\t%d\nbytes on disk\t%d\n", s.Documents, s.Listed, s.Passages, s.Bytes)
		if s.Release > 0 {
			fmt.Fprintf(w, "release shared with other nodes\t%d\n", s.Release)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Types)) {
			fmt.Fprintf(w, "  %s\t%d\n", name, s.Types[name])
		}
		if s.Documents == 0 {
			fmt.Fprintln(w, "Only the finding list is in. `trawl gov sync SOURCE` or `trawl gov import PATH` brings full texts.")
		}
		return w.Flush()
	})
}
