package official

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/trawlhq/trawl"
)

const (
	userAgent = "trawl (government index; self-hosted)"
	maxList   = 64 << 20 // bytes of a list
	tries     = 4
)

// client makes requests with a pause between them, and tries again when the
// publisher asks for patience.
type client struct {
	http  *http.Client
	root  *url.URL
	limit *rate.Limiter
	token string
	wait  func(ctx context.Context, d time.Duration) error
}

func newClient(src source, opts Options) *client {
	pause := cmp.Or(opts.Pause, src.pause, time.Second)
	root, err := url.Parse(src.root)
	if err != nil {
		root = &url.URL{} // the first request says what is wrong
	}
	return &client{http: opts.Client, root: root, limit: rate.NewLimiter(rate.Every(pause), 1), token: opts.Token, wait: sleep}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// address makes an absolute address of one below the root of the source.
func (c *client) address(ref string) (string, error) {
	u, err := c.root.Parse(ref)
	if err != nil {
		return "", fmt.Errorf("read address %q: %w", ref, err)
	}
	return u.String(), nil
}

// get asks for an address. Answers 200, 206 and 304 come back; others are errors.
func (c *client) get(ctx context.Context, address string, header func(http.Header)) (*http.Response, error) {
	for try := 1; ; try++ {
		if err := c.limit.Wait(ctx); err != nil {
			return nil, err
		}
		res, err := c.once(ctx, address, header)
		if err == nil && (res.StatusCode == http.StatusOK || res.StatusCode == http.StatusPartialContent || res.StatusCode == http.StatusNotModified) {
			return res, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		pause := time.Duration(try*try) * time.Second
		if err == nil {
			_ = res.Body.Close() // nothing of it is wanted
			if !patience(res.StatusCode) {
				return nil, trawl.Errorf(trawl.Upstream, "%s answered %s", c.root.Host, res.Status)
			}
			pause = max(pause, retryAfter(res.Header))
			err = trawl.Errorf(trawl.Upstream, "%s answered %s", c.root.Host, res.Status)
		}
		if try == tries {
			return nil, err
		}
		if err := c.wait(ctx, pause); err != nil {
			return nil, err
		}
	}
}

func (c *client) once(ctx context.Context, address string, header func(http.Header)) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("User-Agent", userAgent)
	if c.token != "" && req.URL.Host == c.root.Host {
		req.Header.Set("Authorization", "Token "+c.token)
	}
	if header != nil {
		header(req.Header)
	}
	return c.http.Do(req)
}

// patience says that the same request may work later.
func patience(status int) bool {
	return status == http.StatusTooManyRequests || status >= 500
}

// longestWait bounds what a publisher can make us wait.
const longestWait = 10 * time.Minute

func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 {
		return min(time.Duration(n)*time.Second, longestWait)
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(time.Until(at), 0), longestWait)
	}
	return 0
}

// read asks for a list and reads all of it.
func (c *client) read(ctx context.Context, ref string) ([]byte, error) {
	address, err := c.address(ref)
	if err != nil {
		return nil, err
	}
	res, err := c.get(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxList+1))
	if err != nil {
		return nil, fmt.Errorf("read list: %w", err)
	}
	if len(body) > maxList {
		return nil, trawl.Errorf(trawl.Upstream, "list at %s is too long", address)
	}
	return body, nil
}

// readJSON asks for a list in JSON.
func (c *client) readJSON(ctx context.Context, ref string, into any) error {
	body, err := c.read(ctx, ref)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("read list %s: %w", ref, err)
	}
	return nil
}
