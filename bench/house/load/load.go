// Package load asks a server as fast as it answers, over a fixed number of
// connections.
//
// The requests are bytes prepared once and the answers are skipped, not parsed:
// what the generator costs is taken from the server, because both share the
// machine, and a costly generator would make every server look alike.
package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Post prepares a request: JSON to an address, with a key.
func Post(address, key, body string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("prepare request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("User-Agent", "trawl-bench")
	text, err := httputil.DumpRequest(req, true)
	if err != nil {
		return nil, fmt.Errorf("prepare request: %w", err)
	}
	head, rest, _ := strings.Cut(string(text), "\r\n\r\n")
	return fmt.Appendf(nil, "%s\r\nContent-Length: %d\r\n\r\n%s", head, len(body), rest), nil
}

// Plan is what is asked, of whom, and for how long.
type Plan struct {
	URL         string        // of the server; only its host is used
	Requests    [][]byte      // sent in turn
	Connections int           // requests under way at once
	For         time.Duration // ends after this time; 0: not by time
	Count       int           // ends after so many answers; 0: not by number
}

// Result is what came of it.
type Result struct {
	Answers int
	Took    time.Duration
}

// Rate is answers per second.
func (r Result) Rate() float64 { return float64(r.Answers) / r.Took.Seconds() }

// Run carries out a plan. Any answer but a 200 ends it with an error.
func Run(ctx context.Context, p Plan) (Result, error) {
	u, err := url.Parse(p.URL)
	if err != nil {
		return Result{}, fmt.Errorf("load: %w", err)
	}
	if p.For == 0 && p.Count == 0 {
		return Result{}, errors.New("load: a plan must end by time or number")
	}
	if p.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.For)
		defer cancel()
	}
	w := &work{plan: p, host: u.Host}
	errs := make([]error, p.Connections)
	began := time.Now()
	var wg sync.WaitGroup
	for i := range p.Connections {
		wg.Go(func() { errs[i] = w.connection(ctx) })
	}
	wg.Wait()
	took := time.Since(began)
	if err := errors.Join(errs...); err != nil {
		return Result{}, fmt.Errorf("load %s: %w", p.URL, err)
	}
	return Result{Answers: int(w.answered.Load()), Took: took}, nil
}

type work struct {
	plan     Plan
	host     string
	sent     atomic.Int64
	answered atomic.Int64
}

// connection asks over one connection until the plan is done.
func (w *work) connection(ctx context.Context) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", w.host)
	if err != nil {
		return err
	}
	defer conn.Close()
	r := newReader(conn)
	for ctx.Err() == nil {
		n := w.sent.Add(1)
		if w.plan.Count > 0 && n > int64(w.plan.Count) {
			return nil
		}
		if _, err := conn.Write(w.plan.Requests[int(n)%len(w.plan.Requests)]); err != nil {
			return fmt.Errorf("ask: %w", err)
		}
		if err := r.skip(); err != nil {
			return fmt.Errorf("read answer: %w", err)
		}
		w.answered.Add(1)
	}
	if err := context.Cause(ctx); w.plan.For == 0 || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
