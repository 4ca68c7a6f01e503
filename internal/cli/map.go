package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/client"
	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
)

type mapCommand struct {
	config.Storage
	config.Fetching
	Remote
	URL        string `arg:"" help:"Address of the site."`
	Search     string `help:"Rank the addresses by relevance to this text."`
	Limit      int    `help:"Addresses at most." default:"5000"`
	Sitemap    string `help:"include, skip or only." default:"include" enum:"include,skip,only"`
	Subdomains bool   `help:"Keep other hosts of the domain." default:"true" negatable:""`
	Query      bool   `help:"Keep the queries of addresses."`
	JSON       bool   `name:"json" help:"Print address, title and description as JSON, one per line."`
}

// Run prints the addresses of a site.
func (c *mapCommand) Run(ctx context.Context, env Env) error {
	return withMapper(ctx, c.Remote, c.Storage, c.Fetching, func(m trawl.Mapper) error {
		without := !c.Query
		answer, err := m.Map(ctx, trawl.MapRequest{
			URL: c.URL, Search: c.Search, Limit: c.Limit, Sitemap: c.Sitemap, IncludeSubdomains: &c.Subdomains, IgnoreQueryParameters: &without,
		})
		if err != nil {
			return err
		}
		if answer.Warning != "" {
			fmt.Fprintln(env.Stderr, answer.Warning)
		}
		return c.print(env, answer.Links)
	})
}

func (c *mapCommand) print(env Env, links []trawl.MapLink) error {
	enc := json.NewEncoder(env.Stdout)
	enc.SetEscapeHTML(false)
	for _, link := range links {
		var err error
		if c.JSON {
			err = enc.Encode(link)
		} else {
			_, err = fmt.Fprintln(env.Stdout, link.URL)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// withMapper gives a mapper to a command: a client, or all parts opened in this process.
func withMapper(ctx context.Context, r Remote, s config.Storage, f config.Fetching, use func(trawl.Mapper) error) error {
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
	return use(a.Map)
}
