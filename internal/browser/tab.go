package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl/internal/browser/egress"
)

// errCrashed says that the page's process died: a crash, or too much memory.
var errCrashed = errors.New("page crashed")

// tab is one page in a browser context of its own, so with its own cookies,
// cache and connections. It knows the state of its main frame from the events,
// and whoever waits for a state is woken when it changes.
type tab struct {
	chromium *chromium
	session  *session
	pass     *egress.Pass
	context  cdp.BrowserContextID // empty: the browser's default one, of a profile
	target   target.ID
	frame    cdp.FrameID // the main frame

	crashed  chan struct{}
	crashing sync.Once

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when anything below changes
	main    mainFrame
	traffic traffic
	taken   *takenBody // the main resource, when it is no page
	plan    fetchPlan
	look    look
	world   world
}

// mainFrame is what the events said about the main frame.
type mainFrame struct {
	loader      cdp.LoaderID // of the document now shown
	loaded      bool         // its load event has fired
	navigating  bool         // another document is on its way
	unreachable string       // the address an error page is shown for
	response    *network.Response
	request     network.RequestID // of the last document asked for
	requested   string            // its address, redirects followed
	failure     string            // why it could not be had
}

// isShown reports whether a document stands there, loaded, and is to stay.
func (m *mainFrame) isShown() bool { return m.loader != "" && m.loaded && !m.navigating }

// openTab makes a context and a page in it, ready for a first address.
func openTab(ctx context.Context, c *chromium, pass *egress.Pass, own bool) (*tab, error) {
	t := &tab{chromium: c, pass: pass, crashed: make(chan struct{}), changed: make(chan struct{})}
	t.traffic.requests = map[network.RequestID]pending{}
	if own {
		made, err := call(ctx, c.root, target.CreateBrowserContext, target.CreateBrowserContextParams{
			DisposeOnDetach: new(true),
			ProxyServer:     "http://" + c.proxyAddr,
			ProxyBypassList: "<-loopback>",
		})
		if err != nil {
			return nil, fmt.Errorf("open browser context: %w", err)
		}
		t.context = made.BrowserContextID
	}
	if err := t.open(ctx); err != nil {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = t.dispose(undo) // that it did not open is the news
		return nil, err
	}
	return t, nil
}

func (t *tab) open(ctx context.Context) error {
	t.chromium.adopt(t)
	blank := target.CreateTargetParams{URL: "about:blank", BrowserContextID: t.context}
	if t.context != "" { // a whole Chromium gives a size to new windows only
		blank.Width, blank.Height = int64(desktop.Width), int64(desktop.Height)
	}
	made, err := call(ctx, t.chromium.root, target.CreateTarget, blank)
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.target, t.frame = made.TargetID, cdp.FrameID(made.TargetID)
	t.mu.Unlock()
	attached, err := call(ctx, t.chromium.root, target.AttachToTarget, target.AttachToTargetParams{
		TargetID: made.TargetID, Flatten: new(true),
	})
	if err != nil {
		return err
	}
	t.session = t.chromium.conn.session(attached.SessionID)
	t.listen()
	return t.prepare(ctx)
}

// prepare switches on what every render needs. The commands do not depend on
// each other, so they travel together.
func (t *tab) prepare(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return do(ctx, t.session, page.Enable, page.EnableParams{}) })
	group.Go(func() error { return do(ctx, t.session, inspector.Enable, cdp.Empty{}) })
	group.Go(func() error {
		return do(ctx, t.session, network.Enable, network.EnableParams{
			MaxTotalBufferSize: new(int64(0)), MaxResourceBufferSize: new(int64(0)), // bodies are taken elsewhere
		})
	})
	group.Go(func() error { return t.interceptWith(ctx, fetchPlan{}) })
	group.Go(func() error {
		return do(ctx, t.chromium.root, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: t.context,
		})
	})
	group.Go(func() error { return t.emulate(ctx, look{}) })
	return group.Wait()
}

// close gives the tab back. It must work on a page that no longer answers, so
// it asks the browser, not the page.
func (t *tab) close(ctx context.Context) error {
	if t.session != nil {
		t.chromium.conn.forget(t.session)
	}
	return t.dispose(ctx)
}

func (t *tab) dispose(ctx context.Context) error {
	defer t.pass.Revoke()
	defer t.chromium.disown(t)
	if t.context == "" {
		if t.target == "" {
			return nil
		}
		return do(ctx, t.chromium.root, target.CloseTarget, target.CloseTargetParams{TargetID: t.target})
	}
	return do(ctx, t.chromium.root, target.DisposeBrowserContext,
		target.DisposeBrowserContextParams{BrowserContextID: t.context})
}

// update changes the state under the lock and wakes whoever waits.
func (t *tab) update(change func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change()
	close(t.changed)
	t.changed = make(chan struct{})
}

// until waits for the condition, which is asked under the lock after each
// change, for ctx, or for the end of the page.
func (t *tab) until(ctx context.Context, holds func() bool) error {
	for {
		t.mu.Lock()
		done, changed := holds(), t.changed
		t.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-t.crashed:
			return errCrashed
		case <-t.chromium.conn.lost:
			return errLost
		}
	}
}

// sleep waits for d, ctx, or the end of the page.
func (t *tab) sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-t.crashed:
		return errCrashed
	case <-t.chromium.conn.lost:
		return errLost
	}
}

// crash marks the page as dead.
func (t *tab) crash() { t.crashing.Do(func() { close(t.crashed) }) }
