package cli

import (
	"context"

	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
)

// readApartCommand is trawl as a reader of files for another trawl. Nobody types
// it: see package apart.
type readApartCommand struct{ config.Storage }

// Run reads files from standard input until it ends.
func (c *readApartCommand) Run(ctx context.Context, env Env) error {
	return app.ServeReaders(ctx, c.DataDir, env.Stdin, env.Stdout)
}
