package testsite

import (
	"fmt"
	"net"
	"net/http"
	"strings"
)

// faultPages break the connection or the protocol. They write raw bytes, since
// net/http would not let them.
func faultPages() []Page {
	const okHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
	return []Page{
		{Path: "/fault/reset", About: "connection reset in the middle of the body", serve: wire(true, okHead+"Content-Length: 5000\r\n\r\n<title>Reset</title><p>The first half.")},
		{Path: "/fault/reset-early", About: "connection reset before any answer", serve: wire(true, "")},
		{Path: "/fault/empty", About: "connection closed without an answer", serve: wire(false, "")},
		{Path: "/fault/garbage", About: "an answer that is not HTTP", serve: wire(false, "220 mail.quay.test ESMTP ready\r\n")},
		{Path: "/fault/chunk", About: "chunk whose size is not a number", serve: wire(false, okHead+"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n")},
		{Path: "/fault/chunk-cut", About: "chunked body without its last chunk", serve: wire(false, okHead+"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")},
		{Path: "/fault/header", About: "a header line without a colon", serve: wire(false, okHead+"This is no header\r\n\r\n<p>body</p>")},
		{Path: "/fault/header-huge", About: "4 MiB of headers", serve: wire(false, okHead+strings.Repeat("X-Filler: "+strings.Repeat("f", 1000)+"\r\n", 4<<10)+"\r\n<p>body</p>")},
		{Path: "/fault/smuggle", About: "two different lengths", serve: wire(false, okHead+"Content-Length: 5\r\nContent-Length: 11\r\n\r\nhello world")},
	}
}

// wire takes the connection over, writes the bytes as they are and closes it;
// with reset the peer gets an RST instead of an orderly end.
func wire(reset bool, answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			http.Error(w, fmt.Sprintf("take the connection over: %v", err), http.StatusInternalServerError)
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = conn.Write([]byte(answer)) // the peer may have left
		if tcp, ok := conn.(*net.TCPConn); ok && reset {
			_ = tcp.SetLinger(0)
		}
	}
}
