package cli

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
)

type serveCommand struct{ config.Serve }

// Run serves until it is told to stop.
func (c *serveCommand) Run(ctx context.Context, env Env) (err error) {
	// The address comes first: a first start that cannot listen must not make
	// the first key, which is shown only once.
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	a, err := app.Open(ctx, c.Serve, Version(), logger(env.Stderr, c.Logging))
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() {
		if closing := a.Close(); err == nil {
			err = closing
		}
	}()
	return a.Serve(ctx, listener, func() { c.greet(env, a, listener.Addr()) })
}

// greet says where the server is and, the first time, which key opens it.
func (c *serveCommand) greet(env Env, a *app.App, addr net.Addr) {
	base := "http://" + addr.String()
	if c.PublicURL != "" {
		base = c.PublicURL
	}
	fmt.Fprintf(env.Stdout, "trawl is at      %s\n", base)
	fmt.Fprintf(env.Stdout, "API reference    %s/docs\n", base)
	switch {
	case c.Auth == "off":
		fmt.Fprintln(env.Stdout, "API key          none needed (auth is off)")
	case a.FirstKey != "":
		fmt.Fprintf(env.Stdout, "API key          %s   (shown only this once)\n", a.FirstKey)
	case c.BootstrapKey != "":
		fmt.Fprintln(env.Stdout, "API key          the bootstrap key")
	default:
		fmt.Fprintln(env.Stdout, "API key          as before; `trawl keys create` makes another")
	}
}
