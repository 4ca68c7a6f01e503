// Command trafilatura reads web pages with the two Go libraries one would take
// if trawl did not exist: go-trafilatura finds the main content,
// html-to-markdown writes it down. It is what `web-speed` is compared with.
//
//	trafilatura FOLDER
//
// It reads every .html file below the folder once to warm up and once for the
// clock, on one core, and its last line is {"pages":…,"seconds":…,"cpu":…,"failed":…}.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/markusmobius/go-trafilatura"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "trafilatura:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("want a folder of HTML files")
	}
	runtime.GOMAXPROCS(1)
	pages, err := read(args[0])
	if err != nil {
		return err
	}
	r := newReader()
	r.all(pages) // the first round fills caches and compiles patterns
	began, before := time.Now(), processorTime()
	failed := r.all(pages)
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"pages": len(pages), "seconds": time.Since(began).Seconds(), "cpu": (processorTime() - before).Seconds(), "failed": failed,
	})
}

// read brings every page into memory: the disk is not what is measured.
func read(folder string) (pages [][]byte, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".html") {
			return err
		}
		page, err := os.ReadFile(path)
		pages = append(pages, page)
		return err
	})
	if err == nil && len(pages) == 0 {
		err = fmt.Errorf("no .html files in %s", folder)
	}
	return pages, err
}

type reader struct {
	options trafilatura.Options
	convert *converter.Converter
}

func newReader() *reader {
	return &reader{
		options: trafilatura.Options{OriginalURL: &url.URL{Scheme: "https", Host: "example.com", Path: "/"}, EnableFallback: true, IncludeLinks: true, IncludeImages: true},
		convert: converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin())),
	}
}

// all turns every page into Markdown and tells how many could not be.
func (r *reader) all(pages [][]byte) (failed int) {
	for _, page := range pages {
		if r.one(page) != nil {
			failed++
		}
	}
	return failed
}

func (r *reader) one(page []byte) error {
	found, err := trafilatura.Extract(bytes.NewReader(page), r.options)
	if err != nil {
		return fmt.Errorf("find main content: %w", err)
	}
	if _, err := r.convert.ConvertNode(found.ContentNode); err != nil {
		return fmt.Errorf("write Markdown: %w", err)
	}
	return nil
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
