package crawlbench

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/trawlhq/trawl/bench/suite"
)

// site is what is crawled.
type site struct {
	URL    string // with a trailing slash: the first page
	sent   atomic.Int64
	server *http.Server
	done   chan struct{}
}

// javaDoc is where Debian's openjdk-17-doc has its ten thousand pages.
const javaDoc = "usr/share/doc/openjdk-17-jre-headless/api"

// openSite serves real documentation: of the folder TRAWL_BENCH_SITE, or of
// openjdk-17-doc, installed or unpacked into build/sites. Where there is none,
// the site is a made-up one, and that is said.
func openSite(env suite.Env) (*site, error) {
	if env.Quick {
		return serveSite(http.HandlerFunc(servePage))
	}
	for _, dir := range []string{os.Getenv("TRAWL_BENCH_SITE"), "/" + javaDoc, "build/sites/openjdk-17-doc/" + javaDoc} {
		if _, err := os.Stat(filepath.Join(dir, "index.html")); dir == "" || err != nil {
			continue
		}
		fmt.Fprintf(env.Log, "crawl: the site is %s, as %d editions\n", dir, editions)
		return serveSite(library(dir))
	}
	fmt.Fprintln(env.Log, "crawl: openjdk-17-doc is not installed (scripts/setup bench), so the site is a made-up one")
	return serveSite(http.HandlerFunc(servePage))
}

// editions is how many copies of a tree make up the site: one has ten thousand
// pages, and twenty thousand are to be crawled. Links within a tree are
// relative, so a copy under another path is complete in itself.
const editions = 3

// library serves a tree several times, with a page that leads to each of them.
func library(dir string) http.Handler {
	mux := http.NewServeMux()
	var entry strings.Builder
	for i := range editions {
		path := fmt.Sprintf("/%d/", i+1)
		mux.Handle(path, http.StripPrefix(path[:len(path)-1], http.FileServer(http.Dir(dir))))
		fmt.Fprintf(&entry, "<p><a href=\"%[1]s\">Edition %[1]s</a>", path)
	}
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!DOCTYPE html><title>Library</title><h1>Library</h1>"+entry.String()) // the crawler may have left
	})
	return mux
}

func serveSite(pages http.Handler) (*site, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the site: %w", err)
	}
	s := &site{URL: "http://" + listener.Addr().String() + "/", done: make(chan struct{})}
	s.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pages.ServeHTTP(&counting{ResponseWriter: w, sent: &s.sent}, r)
	})}
	go func() {
		defer close(s.done)
		_ = s.server.Serve(listener) // ends with ErrServerClosed
	}()
	return s, nil
}

func (s *site) close() {
	_ = s.server.Close() // nobody listens any more
	<-s.done
}

// counting counts what is sent.
type counting struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.sent.Add(int64(n))
	return n, err
}

// ReadFrom keeps the way open on which a file goes to a socket without passing through us.
func (c *counting) ReadFrom(from io.Reader) (int64, error) {
	n, err := io.Copy(c.ResponseWriter, from)
	c.sent.Add(n)
	return n, err
}
