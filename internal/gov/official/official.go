// Package official brings the bulk files of the official sources to a local
// folder: politely (one request at a time, with a pause, asking only for what
// has changed) and so that an interrupted run is taken up where it stopped.
//
// A source knows how to list its files; the rest is the same for all of them.
// What comes down is read by package publisher.
package official

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
)

// Options are what a run needs.
type Options struct {
	// Client makes the requests; required. It must refuse private networks itself.
	Client *http.Client
	// Dir is where the files go, one folder per source below it.
	Dir string
	// Pause lies between two requests to a source; zero means what the source
	// asks for, a second if it says nothing.
	Pause time.Duration
	// Since limits sources that grow by the day to what is newer; zero means
	// the last thirty days.
	Since time.Time
	// Limit is the number of files after which a run ends; zero means all.
	Limit int
	// Token goes along to sources that ask for one (CourtListener).
	Token string
	// Root replaces the address of a source, as "http://127.0.0.1:8080".
	Root string
	// Progress, which may be nil, is called after every file.
	Progress func(Progress)
	// now is the clock of tests.
	now func() time.Time
}

// Progress says how far a run is.
type Progress struct {
	Source  string
	Files   int           // listed so far
	Done    int           // brought or found unchanged
	Same    int           // of them unchanged
	Bytes   int64         // brought in this run
	Rate    float64       // bytes per second
	Left    time.Duration // until the end, as it looks; zero when unknown
	Current string        // the file just finished
}

// file is one file of a source.
type file struct {
	url  string // where it is
	name string // where it goes, below the folder of the source
	body []byte // what is in it, where the list says so already
}

// source is a publisher's bulk service.
type source struct {
	name  string
	root  string
	pause time.Duration // between two requests; zero: a second
	// list calls yield for every file wanted; it may fetch lists itself.
	list func(ctx context.Context, c *client, opts Options, yield func(file) error) error
}

var sources = []source{
	{name: "ecfr", root: "https://www.ecfr.gov", list: listECFR},
	{name: "uscode", root: "https://uscode.house.gov", list: listUSCode},
	{name: "federal-register", root: "https://www.federalregister.gov", list: listRegister},
	// Without a paid plan it answers five requests a minute.
	{name: "courtlistener", root: "https://www.courtlistener.com", pause: 12 * time.Second, list: listCourtListener},
	{name: "dc-code", root: "https://api.github.com", list: listDCCode},
}

// Names are the sources known.
func Names() []string {
	var out []string
	for _, s := range sources {
		out = append(out, s.name)
	}
	return out
}

// Fetch brings a source up to date and gives the folder its files are in.
func Fetch(ctx context.Context, name string, opts Options) (dir string, p Progress, err error) {
	i := slices.IndexFunc(sources, func(s source) bool { return s.name == name })
	if i < 0 {
		return "", Progress{}, trawl.Errorf(trawl.Invalid, "unknown source %q; known are %v", name, Names())
	}
	if opts.Client == nil {
		return "", Progress{}, fmt.Errorf("sync %s: no HTTP client given", name)
	}
	if opts.now == nil {
		opts.now = time.Now
	}
	src := sources[i]
	if opts.Root != "" {
		src.root = opts.Root
	}
	r, err := newRun(src, opts)
	if err != nil {
		return "", Progress{}, err
	}
	if err := src.list(ctx, r.client, opts, func(f file) error { return r.bring(ctx, f) }); err != nil && err != errEnough {
		return r.dir, r.progress, fmt.Errorf("sync %s: %w", name, err)
	}
	return r.dir, r.progress, nil
}
