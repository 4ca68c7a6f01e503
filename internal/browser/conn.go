package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// errLost is what every call on a connection gets once the browser behind it
// is gone, whatever the reason.
var errLost = errors.New("browser connection lost")

// conn is one connection to one browser, a pipe or a websocket. Commands of
// all sessions share it: each goes out with a number, and its answer comes back
// to whoever waits for that number. Events go to the handlers of their session.
//
// chromedp's own multiplexer is not used: it mirrors the whole DOM of every tab
// and hands out events per method, while we need none of the first and the
// order between methods of the second (a request must be seen before its end).
type conn struct {
	transport chromedp.Transport
	lost      chan struct{} // closed when the browser is gone

	mu       sync.Mutex
	next     int64
	waiting  map[int64]chan<- *cdproto.Message
	sessions map[target.SessionID]*session
}

// newConn takes the transport over and starts reading from it. The session it
// returns is the browser's own, which has no id.
func newConn(transport chromedp.Transport) (*conn, *session) {
	c := &conn{
		transport: transport,
		lost:      make(chan struct{}),
		waiting:   map[int64]chan<- *cdproto.Message{},
		sessions:  map[target.SessionID]*session{},
	}
	root := c.session("")
	go c.read()
	return c, root
}

// session makes the session with that id known, so that its events arrive.
func (c *conn) session(id target.SessionID) *session {
	s := &session{conn: c, id: id, handlers: map[string]func(jsonv2.Value){}}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[id] = s
	return s
}

// forget drops a session: events that still come for it are ignored.
func (c *conn) forget(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, s.id)
}

// close ends the connection. A local browser exits when its pipe closes.
func (c *conn) close() error { return c.transport.Close() }

func (c *conn) read() {
	defer close(c.lost)
	for {
		msg := new(cdproto.Message)
		if err := c.transport.Read(context.Background(), msg); err != nil {
			return
		}
		if msg.ID != 0 {
			c.answer(msg)
			continue
		}
		c.mu.Lock()
		s := c.sessions[msg.SessionID]
		c.mu.Unlock()
		if s != nil {
			s.dispatch(string(msg.Method), msg.Params)
		}
	}
}

func (c *conn) answer(msg *cdproto.Message) {
	c.mu.Lock()
	waiter := c.waiting[msg.ID]
	delete(c.waiting, msg.ID)
	c.mu.Unlock()
	if waiter != nil {
		waiter <- msg // buffered: never blocks the reader
	}
}

// expect reserves a number and the channel its answer will arrive on.
func (c *conn) expect() (int64, <-chan *cdproto.Message) {
	answer := make(chan *cdproto.Message, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	c.waiting[c.next] = answer
	return c.next, answer
}

func (c *conn) giveUp(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

// session is one end of a flat CDP session: a tab, or the browser itself.
type session struct {
	conn *conn
	id   target.SessionID

	mu       sync.Mutex
	handlers map[string]func(jsonv2.Value)
}

// call sends one command and waits for its answer, for ctx, or for the end of
// the browser, whichever is first.
func call[P, R any](ctx context.Context, s *session, cmd cdp.Command[P, R], params P) (R, error) {
	var result R
	msg, err := s.roundTrip(ctx, cmd.Method, params)
	if err != nil {
		return result, fmt.Errorf("%s: %w", cmd.Method, err)
	}
	if msg.Error != nil {
		return result, fmt.Errorf("%s: %w", cmd.Method, msg.Error)
	}
	if err := jsonv2.Unmarshal(msg.Result, &result, chromedp.DefaultUnmarshalOptions); err != nil {
		return result, fmt.Errorf("%s: read answer: %w", cmd.Method, err)
	}
	return result, nil
}

// do is call for commands whose answer says nothing.
func do[P, R any](ctx context.Context, s *session, cmd cdp.Command[P, R], params P) error {
	_, err := call(ctx, s, cmd, params)
	return err
}

func (s *session) roundTrip(ctx context.Context, method string, params any) (*cdproto.Message, error) {
	sent, err := s.send(ctx, method, params)
	if err != nil {
		return nil, err
	}
	return sent.await(ctx)
}

// command is one that was sent and not yet answered.
type command struct {
	session *session
	id      int64
	answer  <-chan *cdproto.Message
}

// send writes a command. Those sent one after another are done in that order,
// so a series need not wait for each answer before the next.
func (s *session) send(ctx context.Context, method string, params any) (*command, error) {
	raw, err := jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
	if err != nil {
		return nil, fmt.Errorf("write parameters: %w", err)
	}
	id, answer := s.conn.expect()
	msg := &cdproto.Message{ID: id, SessionID: s.id, Method: cdproto.MethodType(method), Params: raw}
	if err := s.conn.transport.Write(ctx, msg); err != nil {
		s.conn.giveUp(id)
		return nil, errors.Join(errLost, err)
	}
	return &command{session: s, id: id, answer: answer}, nil
}

// await waits for the answer, for ctx, or for the end of the browser.
func (c *command) await(ctx context.Context) (*cdproto.Message, error) {
	defer c.session.conn.giveUp(c.id)
	select {
	case msg := <-c.answer:
		return msg, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.session.conn.lost:
		return nil, errLost
	}
}

// on sets the handler of an event. Handlers of a connection run one after
// another on its reader, so an event that came before an answer has been
// handled when the call returns. They must not block, and must not call.
func on[E any](s *session, event cdp.Event[E], handle func(E)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers[event.Method] = func(raw jsonv2.Value) {
		var e E
		if err := jsonv2.Unmarshal(raw, &e, chromedp.DefaultUnmarshalOptions); err != nil {
			return // an event of a protocol newer than ours
		}
		handle(e)
	}
}

func (s *session) dispatch(method string, params jsonv2.Value) {
	s.mu.Lock()
	handle := s.handlers[method]
	s.mu.Unlock()
	if handle != nil {
		handle(params)
	}
}
