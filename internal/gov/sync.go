package gov

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/trawlhq/trawl/internal/gov/official"
)

// SyncOptions say how a source is brought.
type SyncOptions struct {
	// Client makes the requests; it must refuse private networks itself.
	Client *http.Client
	// Pause lies between two requests; zero means one second.
	Pause time.Duration
	// Since limits sources that grow by the day; zero means the last month.
	Since time.Time
	// Limit is the number of files after which to stop; zero means all.
	Limit int
	// Token goes along to sources that ask for one.
	Token string
	// Root replaces the address of the source.
	Root string
	// Fetched and Imported, which may be nil, are told how far it is.
	Fetched  func(official.Progress)
	Imported func(Progress)
}

// SyncSources are the names Sync knows.
func SyncSources() []string { return official.Names() }

// StarterSources are what a fresh install brings first.
func StarterSources() []string { return official.Starter() }

// Sync brings an official source up to date and imports what changed. It may be
// stopped at any time and goes on from there when called again.
func (s *Service) Sync(ctx context.Context, source string, opts SyncOptions) (Progress, error) {
	dir, _, err := official.Fetch(ctx, source, official.Options{
		Client: opts.Client, Dir: filepath.Join(s.dir, "official"), Pause: opts.Pause, Since: opts.Since, Limit: opts.Limit,
		Token: opts.Token, Root: opts.Root, Progress: opts.Fetched,
	})
	if err != nil {
		return Progress{}, err
	}
	p, err := s.Import(ctx, []string{dir}, opts.Imported)
	if err != nil {
		return p, fmt.Errorf("sync %s: %w", source, err)
	}
	return p, nil
}
