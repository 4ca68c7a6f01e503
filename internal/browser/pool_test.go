package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

func TestLostBrowserCostsOneRetry(t *testing.T) {
	t.Parallel()
	var p *Pool
	var killed atomic.Bool
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		if killed.CompareAndSwap(false, true) {
			killBrowser(t, p)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>survived</p>")
	})
	p = openPool(t, nil)
	got := mustRender(t, p, Request{URL: site.URL})
	if got.Attempts != 2 || !strings.Contains(got.HTML, "survived") {
		t.Errorf("got %q after %d attempts, want it after 2", got.HTML, got.Attempts)
	}
	if s := p.Stats(); s.Crashes != 1 || s.Started != 2 || s.Renders != 1 {
		t.Errorf("stats = %+v, want one crash, two starts, one render", s)
	}
}

// killBrowser ends the browser of the pool as a crash would.
func killBrowser(t *testing.T, p *Pool) {
	t.Helper()
	b := p.seats[0].sitting()
	if b == nil {
		t.Error("no browser to kill")
		return
	}
	if err := b.process.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Errorf("kill browser: %v", err)
	}
}

func TestPageThatAlwaysCrashesIsGivenUp(t *testing.T) {
	t.Parallel()
	var p *Pool
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		killBrowser(t, p)
		<-r.Context().Done()
	})
	p = openPool(t, nil)
	_, err := render(t, p, Request{URL: site.URL})
	wantError(t, err, trawl.SiteFailed, "SCRAPE_RETRY_LIMIT")
	if s := p.Stats(); s.Crashes != 2 {
		t.Errorf("%d crashes, want two", s.Crashes)
	}
}

func TestBrowserIsReplacedWhenWorn(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/": `<p>x</p>`})
	for _, tc := range []struct {
		name   string
		change func(*Options)
	}{
		{"by pages", func(o *Options) { o.RecyclePages = 2 }},
		{"by age", func(o *Options) { o.RecycleAge = time.Nanosecond }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := openPool(t, tc.change)
			for range 4 {
				mustRender(t, p, Request{URL: site.URL})
			}
			if s := p.Stats(); s.Started < 2 || s.Recycled < 1 || s.Browsers != 1 {
				t.Errorf("stats = %+v, want several started, one left", s)
			}
			if !eventually(t, patience, func() bool { return runDirs(t, p) == 1 }) {
				t.Errorf("%d folders are left, want that of the running browser", runDirs(t, p))
			}
		})
	}
	t.Run("by memory", func(t *testing.T) {
		t.Parallel()
		p := openPool(t, func(o *Options) { o.RecycleMemory = 1 })
		mustRender(t, p, Request{URL: site.URL, WaitFor: 3 * watchEvery}) // long enough to be weighed
		mustRender(t, p, Request{URL: site.URL})
		if s := p.Stats(); s.Started != 2 {
			t.Errorf("%d browsers were started, want a second for the weight of the first", s.Started)
		}
	})
	t.Run("when nobody uses it", func(t *testing.T) {
		t.Parallel()
		p := openPool(t, func(o *Options) { o.IdleAfter = time.Millisecond })
		mustRender(t, p, Request{URL: site.URL})
		if !eventually(t, patience, func() bool { return p.Stats().Browsers == 0 && runDirs(t, p) == 0 }) {
			t.Errorf("stats = %+v with %d folders, want the idle browser gone", p.Stats(), runDirs(t, p))
		}
	})
}

func runDirs(t *testing.T, p *Pool) int {
	t.Helper()
	entries, err := os.ReadDir(p.opts.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestNoBrowserIsStartedBeforeItIsNeeded(t *testing.T) {
	t.Parallel()
	p := openPool(t, nil)
	if err := p.Healthy(t.Context()); err != nil {
		t.Errorf("healthy: %v", err)
	}
	if s := p.Stats(); s.Browsers != 0 || s.Started != 0 || s.Slots != 4 {
		t.Errorf("stats = %+v, want four slots and no browser", s)
	}
	missing := openPool(t, func(o *Options) { o.Path = "/no/such/browser" })
	if err := missing.Healthy(t.Context()); err == nil {
		t.Error("a pool without a browser calls itself healthy")
	}
	_, err := render(t, missing, Request{URL: "http://a.test/"})
	wantError(t, err, trawl.Unavailable, "BROWSER_UNAVAILABLE")
	broken := openPool(t, func(o *Options) { o.Path = "/bin/true" })
	_, err = render(t, broken, Request{URL: "http://a.test/"})
	wantError(t, err, trawl.Unavailable, "BROWSER_UNAVAILABLE")
}

func TestSlotsBoundWhatRunsAtOnce(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int64
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>x</p>")
	})
	p := openPool(t, func(o *Options) { o.MaxBrowsers, o.PagesPerBrowser = 2, 2 })
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if _, err := render(t, p, Request{URL: site.URL}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most.Load() > 4 {
		t.Errorf("%d pages at once, want at most 4", most.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Render(ctx, Request{URL: site.URL}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled render gave %v", err)
	}
}

func TestClosedPoolRefuses(t *testing.T) {
	t.Parallel()
	p, err := Open(Options{Dial: new(net.Dialer).DialContext, DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = render(t, p, Request{URL: "http://a.test/"})
	wantError(t, err, trawl.Unavailable, "")
}

func TestRemoteBrowserServesAsWell(t *testing.T) {
	t.Parallel()
	in := serveInside(t)
	_, port, err := net.SplitHostPort(in.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	endpoint := startRemote(t)
	site := serve(t, map[string]string{"/": `<p>from afar, and long enough</p><img src="` + in.URL + `">`})
	p := openPool(t, func(o *Options) { o.Endpoints, o.Dial = []string{endpoint}, refusePort(port) })
	if err := p.Healthy(t.Context()); err != nil {
		t.Errorf("healthy: %v", err)
	}
	got := mustRender(t, p, Request{URL: site.URL, Screenshot: &Shot{}})
	if !strings.Contains(got.HTML, "from afar") || got.Screenshot == nil {
		t.Errorf("got %q", got.HTML)
	}
	if _, err := render(t, p, Request{URL: in.URL}); err == nil {
		t.Error("the remote browser brought a forbidden page")
	}
	if n := in.connections.Load(); n != 0 {
		t.Errorf("%d connections reached the inside", n)
	}
}

// startRemote runs a browser with an open port, as somebody else would.
func startRemote(t *testing.T) string {
	t.Helper()
	path, err := FindExecutable("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		killGroup(cmd)
		_ = cmd.Wait() // killed, as it should be
	})
	var port string
	if !eventually(t, patience, func() bool {
		said, err := os.ReadFile(dir + "/DevToolsActivePort")
		port, _, _ = strings.Cut(string(said), "\n")
		return err == nil && port != ""
	}) {
		t.Fatal("the remote browser did not start")
	}
	return "ws://127.0.0.1:" + port
}
