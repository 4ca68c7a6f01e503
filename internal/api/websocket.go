package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/trawlhq/trawl"
)

const (
	watchEvery = 250 * time.Millisecond // how often a watched job is looked at
	pingEvery  = 30 * time.Second
	frameTime  = 30 * time.Second // for a frame to be taken
	frameBytes = 10 << 20         // documents in the first frame
)

// doneReason ends a stream. There is no frame for it: a client that sees the
// connection close fetches the status and finishes with the full result.
const doneReason = `{"type":"done"}`

// frame is one message to a watcher.
type frame struct {
	Type  string `json:"type"` // catchup, document, error
	Data  any    `json:"data,omitempty"`
	Error string `json:"error,omitempty"`
}

// watch streams a job. Whatever is wrong with the request is answered before
// the upgrade, in plain HTTP.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, id string, status statusFunc) error {
	first, err := status(r.Context(), id, trawl.Window{Limit: trawl.MaxWindow})
	if err != nil {
		return err
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       offered(r), // echoed, or browsers and Node refuse the connection
		InsecureSkipVerify: true,       // keys, not origins, are what protects the API
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		return nil // Accept has answered
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go ignoreFrames(ctx, cancel, conn)
	v := &watcher{server: s, request: r, conn: conn, id: id, status: status}
	if err := v.stream(ctx, first); err != nil {
		v.fail(ctx, err)
		return nil
	}
	_ = conn.Close(websocket.StatusNormalClosure, doneReason) // the watcher may have left
	return nil
}

func offered(r *http.Request) []string {
	var list []string
	for _, name := range strings.Split(r.Header.Get("Sec-WebSocket-Protocol"), ",") {
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list[:min(len(list), 1)]
}

// ignoreFrames reads what a client sends and drops it; when the client goes, so do we.
func ignoreFrames(ctx context.Context, gone context.CancelFunc, conn *websocket.Conn) {
	defer gone()
	for {
		if _, _, err := conn.Read(ctx); err != nil {
			return
		}
	}
}

// watcher is one open stream.
type watcher struct {
	server  *Server
	request *http.Request
	conn    *websocket.Conn
	id      string
	status  statusFunc
	sent    int // documents
}

// stream sends what there is, then what comes, until the job ends.
func (v *watcher) stream(ctx context.Context, now *trawl.CrawlStatus) error {
	if err := v.catchUp(ctx, now); err != nil {
		return err
	}
	look, ping := time.NewTicker(watchEvery), time.NewTicker(pingEvery)
	defer look.Stop()
	defer ping.Stop()
	for !now.Ended() || now.More {
		if !now.More {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-ping.C:
				if err := v.ping(ctx); err != nil {
					return err
				}
				continue
			case <-look.C:
			}
		}
		var err error
		if now, err = v.status(ctx, v.id, trawl.Window{Skip: v.sent, Limit: trawl.DefaultWindow}); err != nil {
			return err
		}
		if err := v.sendAll(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// catchUp is the first frame: the status as it is, with all documents that fit.
func (v *watcher) catchUp(ctx context.Context, now *trawl.CrawlStatus) error {
	if err := v.server.absoluteAll(v.request, now); err != nil {
		return err
	}
	size := 0
	for _, doc := range now.Data {
		size += len(doc)
	}
	for more := now; more.More && size < frameBytes; { // beyond a thousand documents
		next, err := v.status(ctx, v.id, trawl.Window{Skip: len(now.Data), Limit: trawl.MaxWindow})
		if err != nil {
			return err
		}
		if err := v.server.absoluteAll(v.request, next); err != nil {
			return err
		}
		for i, doc := range next.Data {
			if size += len(doc); size > frameBytes {
				next.Data, next.More = next.Data[:i], true
				break
			}
		}
		now.Data = append(now.Data, next.Data...)
		now.More, more = next.More, next
	}
	v.sent = len(now.Data)
	return v.send(ctx, frame{Type: "catchup", Data: now})
}

// sendAll sends documents, each once.
func (v *watcher) sendAll(ctx context.Context, now *trawl.CrawlStatus) error {
	if err := v.server.absoluteAll(v.request, now); err != nil {
		return err
	}
	for _, doc := range now.Data {
		if err := v.send(ctx, frame{Type: "document", Data: doc}); err != nil {
			return err
		}
		v.sent++
	}
	return nil
}

func (v *watcher) send(ctx context.Context, f frame) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	return v.conn.Write(ctx, websocket.MessageText, text)
}

func (v *watcher) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	return v.conn.Ping(ctx)
}

// fail tells the watcher that the stream cannot go on, if it is still there.
func (v *watcher) fail(ctx context.Context, err error) {
	if ctx.Err() != nil && !errors.Is(context.Cause(v.request.Context()), ErrStopping) {
		_ = v.conn.CloseNow()
		return
	}
	e := public(err)
	v.server.Log.WarnContext(ctx, "stream broken off", "job", v.id, "err", err)
	last := context.WithoutCancel(ctx)
	_ = v.send(last, frame{Type: "error", Error: e.Message})
	_ = v.conn.Close(websocket.StatusInternalError, e.Message[:min(len(e.Message), 120)])
}
