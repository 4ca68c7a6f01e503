package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trawlhq/trawl/internal/parse"
)

// openParse opens what turns files into documents. It works in every role: the
// files are read by children of this process, never by the queue's workers.
func (a *App) openParse(ctx context.Context) error {
	spool := filepath.Join(a.Settings.DataDir, "spool")
	if err := os.MkdirAll(spool, 0o700); err != nil {
		return fmt.Errorf("make folder for uploads: %w", err)
	}
	var err error
	a.Parse, err = parse.Open(ctx, parse.Options{
		Reader: a.Scrape, Store: a.Store, Blobs: a.Blobs, SpoolDir: spool, Pictures: hasOCR(), Log: a.Log,
	})
	return err
}
