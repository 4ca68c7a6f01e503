package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"

	"github.com/trawlhq/trawl/internal/browser"
	"github.com/trawlhq/trawl/internal/config"
	"github.com/trawlhq/trawl/internal/store"
)

type doctorCommand struct {
	config.Storage
	Chromium string `name:"chromium" env:"TRAWL_CHROMIUM" help:"Path of the browser. Empty: looked up."`
}

// finding is what the doctor says of one part.
type finding struct {
	part   string
	ok     bool
	detail string
	cost   string // what does not work without it
	remedy string
}

// Run looks at everything and fails when something that is always needed is missing.
func (c *doctorCommand) Run(ctx context.Context, env Env) error {
	findings := []finding{c.database(ctx), c.dataDir(), c.browser(), program("tesseract", "text in scanned pages and pictures is not read", "apt-get install tesseract-ocr")}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	sick := false
	for i, f := range findings {
		state := "ok"
		if !f.ok {
			state = "missing"
			sick = sick || i < 2
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", state, f.part, f.detail)
		if !f.ok {
			fmt.Fprintf(w, "\t\twithout it: %s\n\t\tto fix it: %s\n", f.cost, f.remedy)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if sick {
		return errQuiet
	}
	return nil
}

func (c *doctorCommand) database(ctx context.Context) finding {
	f := finding{part: "database", cost: "nothing works", remedy: "see the message; check --data-dir or --database-url"}
	db, err := store.Open(ctx, store.Options{DataDir: c.DataDir, DatabaseURL: c.DatabaseURL})
	if err != nil {
		f.detail = err.Error()
		return f
	}
	defer db.Close()
	if err := db.Ping(ctx); err != nil {
		f.detail = err.Error()
		return f
	}
	f.ok, f.detail = true, db.Database()
	return f
}

// dataDir writes a file: permissions, quotas and full disks all show.
func (c *doctorCommand) dataDir() finding {
	f := finding{part: "data directory", detail: c.DataDir, cost: "nothing can be kept", remedy: "make " + c.DataDir + " writable, or set --data-dir"}
	probe := filepath.Join(c.DataDir, ".doctor")
	if err := os.WriteFile(probe, []byte("ok"), 0o600); err != nil {
		f.detail = err.Error()
		return f
	}
	f.ok = os.Remove(probe) == nil
	return f
}

func (c *doctorCommand) browser() finding {
	f := finding{
		part: "browser", cost: "no screenshots, actions, branding or pages that need scripts",
		remedy: "apt-get install chromium-headless-shell (or chromium), or set --chromium",
	}
	path, err := browser.FindExecutable(c.Chromium)
	if err != nil {
		f.detail = err.Error()
		return f
	}
	f.ok, f.detail = true, path
	return f
}

func program(name, cost, remedy string) finding {
	path, err := exec.LookPath(name)
	if err != nil {
		return finding{part: name, detail: "not on PATH", cost: cost, remedy: remedy}
	}
	return finding{part: name, ok: true, detail: path}
}
