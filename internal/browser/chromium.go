package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp/remote"
)

// chromium is one running browser: a process of ours, or a remote one that we
// are connected to.
type chromium struct {
	conn      *conn
	root      *session
	process   *process // nil: remote
	dir       *runDir  // nil: remote
	proxyAddr string
	userAgent string
	major     string // version, e.g. "156"
	began     time.Time

	mu   sync.Mutex
	tabs map[*tab]struct{}
}

// startWithin bounds how long a browser may take to answer its first question.
const startWithin = 30 * time.Second

// launchChromium starts a browser on this machine. dir becomes the browser's.
func launchChromium(ctx context.Context, l launch, dir *runDir) (*chromium, error) {
	proc, err := startProcess(l)
	if err != nil {
		return nil, err
	}
	c := &chromium{process: proc, dir: dir, proxyAddr: l.proxy, began: time.Now(), tabs: map[*tab]struct{}{}}
	c.conn, c.root = newConn(proc.transport)
	if err := c.greet(ctx); err != nil {
		proc.stop(0)
		return nil, fmt.Errorf("%w: start %s: %w: %s", errNoBrowser, l.executable, err, proc.output)
	}
	return c, nil
}

// connectChromium joins a browser that somebody else runs.
func connectChromium(ctx context.Context, endpoint, proxyAddr string) (*chromium, error) {
	address, err := debuggerAddress(ctx, endpoint)
	if err != nil {
		return nil, err
	}
	transport, err := remote.DialContext(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("%w: connect to remote browser: %w", errNoBrowser, err)
	}
	c := &chromium{proxyAddr: proxyAddr, began: time.Now(), tabs: map[*tab]struct{}{}}
	c.conn, c.root = newConn(transport)
	if err := c.greet(ctx); err != nil {
		_ = c.conn.close() // it did not answer
		return nil, fmt.Errorf("connect to remote browser: %w", err)
	}
	return c, nil
}

// greet learns who answers, and asks to be told about every target.
func (c *chromium) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	version, err := call(ctx, c.root, browser.GetVersion, cdp.Empty{})
	if err != nil {
		return err
	}
	c.userAgent = strings.ReplaceAll(version.UserAgent, "HeadlessChrome", "Chrome")
	_, number, _ := strings.Cut(version.Product, "/")
	c.major, _, _ = strings.Cut(number, ".")
	on(c.root, target.TargetCreated, func(e target.EventTargetCreated) { c.refusePopup(e.TargetInfo) })
	on(c.root, target.TargetCrashed, func(e target.EventTargetCrashed) { c.crashed(e.TargetID) })
	return do(ctx, c.root, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
}

// refusePopup closes a page that a page opened.
func (c *chromium) refusePopup(info *target.Info) {
	if info.Type != "page" || info.OpenerID == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for t := range c.tabs {
		if t.owns(info.OpenerID) {
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
				defer cancel()
				_ = do(ctx, c.root, target.CloseTarget, target.CloseTargetParams{TargetID: info.TargetID}) // it may be gone
			}()
			return
		}
	}
}

func (c *chromium) crashed(id target.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for t := range c.tabs {
		if t.owns(id) {
			t.crash()
		}
	}
}

func (t *tab) owns(id target.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.target == id
}

func (c *chromium) adopt(t *tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tabs[t] = struct{}{}
}

func (c *chromium) disown(t *tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.tabs, t)
}

// isLost reports whether the browser is gone.
func (c *chromium) isLost() bool {
	select {
	case <-c.conn.lost:
		return true
	default:
		return false
	}
}

// ping asks the browser for a sign of life.
func (c *chromium) ping(ctx context.Context) error {
	return do(ctx, c.root, browser.GetVersion, cdp.Empty{})
}

// quit lets the browser write its state and end.
func (c *chromium) quit(ctx context.Context) error {
	if c.process == nil {
		return c.close()
	}
	err := do(ctx, c.root, browser.Close, cdp.Empty{})
	if errors.Is(err, errLost) {
		err = nil // it ended before it could answer
	}
	select {
	case <-c.process.exited:
	case <-ctx.Done():
	}
	return errors.Join(err, c.close())
}

// close ends a browser of ours and removes what it wrote; a remote one is left.
func (c *chromium) close() error {
	if c.process == nil {
		return c.conn.close()
	}
	c.process.stop(500 * time.Millisecond)
	if c.dir == nil {
		return nil
	}
	return c.dir.remove()
}

// reachableFrom gives the address of this machine that the host of a remote
// browser can reach: the one our own packets to it start from.
func reachableFrom(hostport string) (string, error) {
	probe, err := net.Dial("udp", hostport) // sends nothing
	if err != nil {
		return "", fmt.Errorf("find route to remote browser: %w", err)
	}
	defer probe.Close()
	host, _, err := net.SplitHostPort(probe.LocalAddr().String())
	return host, err
}
