package testsite

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Inside stands for a machine's private services. Nothing may reach it, so it
// counts connections, not requests: a handshake alone is already a failure. A
// datagram is one too (WebRTC and QUIC use no connections of TCP).
//
// It listens on an address of its own (127.0.0.3), so that a guard can permit the
// test site and still has to refuse this, and on ::1 under the same port.
type Inside struct {
	URL  string // by IPv4
	URL6 string // by IPv6; empty on a machine without it

	connections atomic.Int64
	server      *http.Server
	datagrams   net.PacketConn
	running     sync.WaitGroup
}

func startInside() (*Inside, error) {
	in := &Inside{}
	in.server = &http.Server{Handler: text("secret of the inside\n"), ReadHeaderTimeout: 10 * time.Second, ErrorLog: silentLog()}
	ln, err := net.Listen("tcp", "127.0.0.3:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the inside server: %w", err)
	}
	in.URL = "http://" + ln.Addr().String()
	in.serve(ln)
	if in.datagrams, err = net.ListenPacket("udp", ln.Addr().String()); err != nil {
		in.close()
		return nil, fmt.Errorf("listen for datagrams of the inside server: %w", err)
	}
	in.running.Go(in.receive)
	if ln6, err := net.Listen("tcp", net.JoinHostPort("::1", portOf(ln))); err == nil {
		in.URL6 = "http://" + ln6.Addr().String()
		in.serve(ln6)
	}
	return in, nil
}

// Connections says how many connections and datagrams reached the inside server.
func (in *Inside) Connections() int { return int(in.connections.Load()) }

func (in *Inside) serve(ln net.Listener) {
	in.running.Go(func() {
		if err := in.server.Serve(countingListener{ln, &in.connections}); !errors.Is(err, http.ErrServerClosed) {
			_ = ln.Close() // nothing to report to: a test that connects will fail by itself
		}
	})
}

// receive counts datagrams until the socket is closed.
func (in *Inside) receive() {
	buf := make([]byte, 1)
	for {
		if _, _, err := in.datagrams.ReadFrom(buf); err != nil {
			return
		}
		in.connections.Add(1)
	}
}

func (in *Inside) close() {
	_ = in.server.Close() // closes the listeners too
	if in.datagrams != nil {
		_ = in.datagrams.Close()
	}
	in.running.Wait()
}

// countingListener counts what it accepts.
type countingListener struct {
	net.Listener
	accepted *atomic.Int64
}

func (l countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.accepted.Add(1)
	}
	return conn, err
}
