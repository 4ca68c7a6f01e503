package store_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func TestLostConnectionIsUnavailableAndRecovers(t *testing.T) {
	line := newLine(t, storetest.Postgres(t))
	s := storetest.Open(t, line.options)
	ctx := t.Context()
	if err := s.SetMeta(ctx, "before", "kept"); err != nil {
		t.Fatal(err)
	}
	listening, stop := context.WithCancel(ctx)
	heard := make(chan string, 100)
	var wg sync.WaitGroup
	wg.Go(func() { s.Listen(listening, func(text string) { heard <- text }) })
	defer wg.Wait()
	defer stop()
	<-heard

	line.cut()
	for range 3 { // the pool may hold more than one dead connection
		if err := s.SetMeta(ctx, "during", "lost"); !store.Unavailable(err) {
			t.Errorf("SetMeta over a cut line = %v, want an error that says unavailable", err)
		}
	}
	line.mend()
	if err := s.SetMeta(ctx, "after", "works"); err != nil {
		t.Errorf("SetMeta over a mended line = %v", err)
	}
	if got, err := s.Meta(ctx, "before"); got != "kept" || err != nil {
		t.Errorf("Meta = %q, %v, want what was committed", got, err)
	}
	select {
	case text := <-heard:
		if text != "" {
			t.Errorf("heard %q, want the empty text that says: you may have missed something", text)
		}
	case <-time.After(20 * time.Second):
		t.Error("the listener did not come back")
	}
}

// line is a way to PostgreSQL that can be cut.
type line struct {
	options store.Options
	socket  string // where the server really is

	mu     sync.Mutex
	broken bool
	open   map[net.Conn]bool
}

func newLine(t *testing.T, opt store.Options) *line {
	t.Helper()
	u, err := url.Parse(opt.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{socket: serverAddress(u), open: map[net.Conn]bool{}}
	q := u.Query()
	q.Del("host")
	q.Set("sslmode", "disable")
	u.Host, u.RawQuery = listener.Addr().String(), q.Encode()
	l.options = store.Options{DatabaseURL: u.String(), MaxConns: opt.MaxConns}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { l.carry(c) })
		}
	})
	t.Cleanup(func() { listener.Close(); l.cut(); wg.Wait() })
	return l
}

// serverAddress is a host and port, or the path of a socket.
func serverAddress(u *url.URL) string {
	if dir := u.Query().Get("host"); strings.HasPrefix(dir, "/") {
		return dir + "/.s.PGSQL.5432"
	}
	if u.Port() == "" {
		return u.Hostname() + ":5432"
	}
	return u.Host
}

func (l *line) carry(client net.Conn) {
	defer client.Close()
	network := "tcp"
	if strings.HasPrefix(l.socket, "/") {
		network = "unix"
	}
	server, err := net.Dial(network, l.socket)
	if err != nil {
		return
	}
	defer server.Close()
	l.mu.Lock()
	if l.broken {
		l.mu.Unlock()
		return
	}
	l.open[client], l.open[server] = true, true
	l.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = io.Copy(server, client); server.Close() })
	_, _ = io.Copy(client, server)
	client.Close()
	wg.Wait()
}

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = true
	for c := range l.open {
		c.Close()
	}
	clear(l.open)
}

func (l *line) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = false
}
