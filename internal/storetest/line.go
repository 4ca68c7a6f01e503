package storetest

import (
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl/internal/store"
)

// Line is a way to PostgreSQL that a test can cut.
type Line struct {
	Options store.Options // how to connect through it

	server string // where it leads: host and port, or the path of a socket

	mu     sync.Mutex
	broken bool
	open   map[net.Conn]bool
}

// NewLine lays a line to the database that opt describes.
func NewLine(t testing.TB, opt store.Options) *Line {
	t.Helper()
	u, err := url.Parse(opt.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &Line{server: serverAddress(u), open: map[net.Conn]bool{}}
	q := u.Query()
	q.Del("host")
	q.Set("sslmode", "disable")
	u.Host, u.RawQuery = listener.Addr().String(), q.Encode()
	l.Options = store.Options{DatabaseURL: u.String(), MaxConns: opt.MaxConns}
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
	t.Cleanup(func() { listener.Close(); l.Cut(); wg.Wait() })
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

func (l *Line) carry(client net.Conn) {
	defer client.Close()
	network := "tcp"
	if strings.HasPrefix(l.server, "/") {
		network = "unix"
	}
	server, err := net.Dial(network, l.server)
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

// Cut breaks all connections and lets no new one through.
func (l *Line) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = true
	for c := range l.open {
		c.Close()
	}
	clear(l.open)
}

// Mend lets connections through again.
func (l *Line) Mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = false
}
