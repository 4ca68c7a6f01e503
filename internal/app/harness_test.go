package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
)

const key = "fc-test"

// settings are the defaults of a server for one test.
func settings(t *testing.T) config.Serve {
	t.Helper()
	s := config.Serve{Role: "all", DrainTime: 5 * time.Second, BodyLimit: 10 << 20}
	s.DataDir, s.CacheSize = t.TempDir(), 64
	s.BootstrapKey, s.AllowPrivateNetworks = key, "true"
	s.GovSync, s.KeylessGovDay = "off", 200
	shareEngine(t, s.DataDir)
	return s
}

// shareEngine lets all tests use one compiled PDF engine, which takes seconds to
// make where the cache in the system's temporary folder is cold.
func shareEngine(t *testing.T, dataDir string) {
	t.Helper()
	shared := filepath.Join(os.TempDir(), fmt.Sprintf("trawl-pdfium-%d", os.Getuid()))
	for _, dir := range []string{shared, filepath.Join(dataDir, "cache")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(shared, filepath.Join(dataDir, "cache", "pdfium")); err != nil {
		t.Fatal(err)
	}
}

// running is a server that runs in this process.
type running struct {
	*app.App
	URL  string
	stop func() error // stops it as SIGTERM would, and waits
}

// start runs a server until the test ends.
func start(t *testing.T, s config.Serve) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	a, err := app.Open(ctx, s, "test", slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- a.Serve(ctx, listener, func() { close(ready) }) }()
	<-ready
	r := &running{App: a, URL: "http://" + listener.Addr().String()}
	stopped := false
	r.stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		err := <-done
		if closing := a.Close(); err == nil {
			err = closing
		}
		return err
	}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	return r
}

// reply is an answer of the API, as far as tests look at it.
type reply struct {
	Status  int             `json:"-"`
	Success bool            `json:"success"`
	Error   string          `json:"error"`
	Code    string          `json:"code"`
	Details json.RawMessage `json:"details"`
	Data    *trawl.Document `json:"data"`
	Raw     string          `json:"-"`
}

// call sends one request with the test's key; token overrides it.
func (r *running) call(t *testing.T, method, path string, body any, token ...string) reply {
	t.Helper()
	got, err := r.try(t.Context(), method, path, body, append(token, key)[0])
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (r *running) try(ctx context.Context, method, path string, body any, token string) (reply, error) {
	var sent io.Reader
	if text, ok := body.(string); ok {
		sent = strings.NewReader(text)
	} else if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		sent = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, r.URL+path, sent)
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return reply{}, err
	}
	got := reply{Status: res.StatusCode, Raw: string(data)}
	if err := json.Unmarshal(data, &got); err != nil {
		return got, fmt.Errorf("%s %s answered %d and no JSON: %s", method, path, res.StatusCode, data)
	}
	return got, nil
}

// request makes a request for answers of another shape.
func (r *running) request(t *testing.T, method, path string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	return req
}

func (r *running) scrape(t *testing.T, url string, options map[string]any) reply {
	t.Helper()
	body := map[string]any{"url": url}
	for name, value := range options {
		body[name] = value
	}
	return r.call(t, "POST", "/v2/scrape", body)
}

// eventually polls until a claim holds.
func eventually(t *testing.T, within time.Duration, claim string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(within); ; {
		if holds() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", within, claim)
		}
		time.Sleep(20 * time.Millisecond) // between two looks at another process
	}
}

// writePlans writes a plans file and gives its path.
func writePlans(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "plans.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// freeAddress is a loopback address nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// limitFiles sets how large a file another process may make.
func limitFiles(t *testing.T, pid int, bytes uint64) {
	t.Helper()
	limit := syscall.Rlimit{Cur: bytes, Max: math.MaxUint64}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_FSIZE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
}

func appOpen(t *testing.T, s config.Serve) (*app.App, error) {
	t.Helper()
	return app.Open(t.Context(), s, "test", slog.New(slog.DiscardHandler))
}
