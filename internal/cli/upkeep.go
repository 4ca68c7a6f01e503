package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"text/tabwriter"

	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
	"github.com/trawlhq/trawl/internal/store"
)

type gcCommand struct {
	config.Storage
	CacheSize int64 `name:"cache-size" env:"TRAWL_CACHE_SIZE" default:"4096" help:"Budget of the page cache in MiB."`
	DryRun    bool  `help:"Only tell what would be removed."`
}

// Run removes what has expired.
func (c *gcCommand) Run(ctx context.Context, env Env) error {
	settings := config.Serve{Storage: c.Storage}
	settings.CacheSize = c.CacheSize
	a, err := app.Open(ctx, settings, Version(), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer a.Close()
	removed, blobs, err := a.Sweep(ctx, c.DryRun)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TABLE\tROWS\tBYTES")
	for _, r := range removed {
		fmt.Fprintf(w, "%s\t%d\t%d\n", r.Table, r.Rows, r.Bytes)
	}
	fmt.Fprintf(w, "blobs\t%d\t\n", blobs)
	if c.DryRun {
		fmt.Fprintln(w, "nothing was removed: this was a dry run")
	}
	return w.Flush()
}

type backupCommand struct {
	config.Storage
	File string `arg:"" help:"File to write; must not exist." type:"path"`
}

// Run copies the database.
func (c *backupCommand) Run(ctx context.Context, env Env) error {
	db, err := store.Open(ctx, store.Options{DataDir: c.DataDir, DatabaseURL: c.DatabaseURL})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Backup(ctx, c.File); err != nil {
		return err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "%s  %d bytes\nLarge page bodies, screenshots and files are blobs; back up %s/blobs or your bucket as well.\n",
		c.File, info.Size(), c.DataDir)
	return err
}
