package cli

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"mime"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/client"
	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
	"github.com/trawlhq/trawl/internal/document/progress"
)

type parseCommand struct {
	config.Storage
	Remote
	Paths    []string      `arg:"" name:"file" help:"Files, or folders whose files are all parsed." type:"path"`
	Format   []string      `help:"markdown, html, links, images, …" default:"markdown"`
	JSON     bool          `name:"json" help:"Print documents as JSON, one per line."`
	Output   string        `short:"o" help:"Write one file per document into this folder." type:"path"`
	MaxPages int           `help:"Read no more pages of a PDF. 0: all."`
	OCR      string        `name:"ocr" help:"Pages of a PDF that are read as pictures: auto (those without text), never, always." default:"auto" enum:"auto,never,always"`
	Timeout  time.Duration `help:"For one file." default:"5m"`
	At       int           `name:"parallel" help:"Files at once. 0: as many as there are cores."`
}

// Run parses all files; those that fail are told and do not stop the others.
func (c *parseCommand) Run(ctx context.Context, env Env) error {
	files, err := filesBelow(c.Paths)
	if err != nil {
		return err
	}
	at := c.At
	if at <= 0 {
		at = runtime.NumCPU()
	}
	return c.withParser(ctx, func(p trawl.FileParser) error {
		out := &output{env: env, folder: c.Output, json: c.JSON, total: len(files)}
		pages := newPageLine(env.Stderr)
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(at)
		for _, file := range files {
			group.Go(func() error {
				doc, err := c.parse(progress.With(ctx, pages.of(file.label)), p, file)
				return pages.aside(func() error { return out.add(file.label, doc, err) })
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		return out.finish()
	})
}

// found is a file to be parsed.
type found struct {
	path  string
	label string // what it is called in messages and in the output folder: below the folder that was named
}

// filesBelow lists the files that were named and those in the folders that were;
// hidden ones only where they were named themselves.
func filesBelow(paths []string) ([]found, error) {
	var files []found
	for _, top := range paths {
		err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path != top && strings.HasPrefix(entry.Name(), ".") && entry.IsDir():
				return filepath.SkipDir
			case !entry.Type().IsRegular() || path != top && strings.HasPrefix(entry.Name(), "."):
				return nil
			}
			label := filepath.Base(path)
			if below, err := filepath.Rel(top, path); err == nil && below != "." {
				label = filepath.ToSlash(below)
			}
			files = append(files, found{path, label})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no files in %s", strings.Join(paths, ", "))
	}
	return files, nil
}

func (c *parseCommand) parse(ctx context.Context, p trawl.FileParser, file found) (*trawl.Document, error) {
	f, err := os.Open(file.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return p.Parse(ctx, trawl.File{
		Name: filepath.Base(file.path), ContentType: mime.TypeByExtension(filepath.Ext(file.path)), Size: info.Size(), Content: f,
	}, c.options())
}

func (c *parseCommand) options() trawl.ParseOptions {
	formats := make([]trawl.Format, len(c.Format))
	for i, name := range c.Format {
		formats[i] = trawl.Format{Type: name}
	}
	mode := map[string]string{"auto": "auto", "never": "fast", "always": "ocr"}[c.OCR]
	parsers := []trawl.Parser{{Type: "pdf", Mode: mode, MaxPages: c.MaxPages}, {Type: "image"}}
	return trawl.ParseOptions{ScrapeOptions: trawl.ScrapeOptions{
		Formats: &formats, Parsers: &parsers, Timeout: int(c.Timeout.Milliseconds()),
	}}
}

// withParser gives a parser to the command: a client, or all parts opened in this process.
func (c *parseCommand) withParser(ctx context.Context, use func(trawl.FileParser) error) error {
	if c.Server != "" {
		remote, err := client.New(client.Options{BaseURL: c.Server, Key: c.Key})
		if err != nil {
			return err
		}
		return use(remote)
	}
	settings := config.Serve{Storage: c.Storage}
	settings.GovSync = "off"
	a, err := app.Open(ctx, settings, Version(), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer a.Close()
	stop := a.Background(ctx)
	defer stop()
	return use(a.Parse)
}
