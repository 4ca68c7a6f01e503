package browser

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// scripted is a browser that answers as told.
type scripted struct {
	mu      sync.Mutex
	written []*cdproto.Message
	answers chan *cdproto.Message
	answer  func(*cdproto.Message) []*cdproto.Message
}

func newScripted(answer func(*cdproto.Message) []*cdproto.Message) *scripted {
	return &scripted{answers: make(chan *cdproto.Message, 16), answer: answer}
}

func (s *scripted) Read(_ context.Context, msg *cdproto.Message) error {
	next, open := <-s.answers
	if !open {
		return io.EOF
	}
	*msg = *next
	return nil
}

func (s *scripted) Write(_ context.Context, msg *cdproto.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written = append(s.written, msg)
	for _, m := range s.answer(msg) {
		s.answers <- m
	}
	return nil
}

func (s *scripted) Close() error { return nil }

func TestEventsBeforeAnAnswerAreHandledBeforeIt(t *testing.T) {
	t.Parallel()
	browserSide := newScripted(func(m *cdproto.Message) []*cdproto.Message {
		return []*cdproto.Message{
			{Method: "Page.loadEventFired", Params: []byte(`{"timestamp":1}`)},
			{SessionID: "unknown", Method: "Page.loadEventFired", Params: []byte(`{"timestamp":2}`)},
			{Method: "Page.loadEventFired", Params: []byte(`not JSON`)},
			{ID: m.ID, Result: []byte(`{"product":"Chrome/1"}`)},
		}
	})
	_, root := newConn(browserSide)
	var seen []float64
	on(root, page.LoadEventFired, func(e page.EventLoadEventFired) { seen = append(seen, float64(e.Timestamp)) })
	got, err := call(t.Context(), root, browser.GetVersion, cdp.Empty{})
	if err != nil || got.Product != "Chrome/1" {
		t.Fatalf("call = %v, %v", got, err)
	}
	if len(seen) != 1 || seen[0] != 1 {
		t.Errorf("events seen when the call returned: %v, want only that of the session", seen)
	}
}

func TestCallEnds(t *testing.T) {
	t.Parallel()
	t.Run("with the browser's error", func(t *testing.T) {
		t.Parallel()
		_, root := newConn(newScripted(func(m *cdproto.Message) []*cdproto.Message {
			return []*cdproto.Message{{ID: m.ID, Error: &cdproto.Error{Code: -32000, Message: "no such thing"}}}
		}))
		if err := do(t.Context(), root, browser.GetVersion, cdp.Empty{}); err == nil || !strings.Contains(err.Error(), "no such thing") {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("with its context", func(t *testing.T) {
		t.Parallel()
		_, root := newConn(newScripted(func(*cdproto.Message) []*cdproto.Message { return nil }))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if err := do(ctx, root, browser.GetVersion, cdp.Empty{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v", err)
		}
		if len(root.conn.waiting) != 0 {
			t.Error("an abandoned call is still waited for")
		}
	})
	t.Run("with the browser", func(t *testing.T) {
		t.Parallel()
		gone := newScripted(func(*cdproto.Message) []*cdproto.Message { return nil })
		_, root := newConn(gone)
		close(gone.answers)
		if err := do(t.Context(), root, browser.GetVersion, cdp.Empty{}); !errors.Is(err, errLost) {
			t.Errorf("error = %v", err)
		}
	})
}

// FuzzPipe feeds the connection what a broken browser might send.
func FuzzPipe(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{}}` + "\x00"))
	f.Add([]byte(`{"method":"Page.loadEventFired","params":{"timestamp":"x"}}` + "\x00" + `{"id":1}`))
	f.Add([]byte("\x00\x00{}\x00[1]\x00"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		pipe := chromedp.NewPipeConn(io.NopCloser(strings.NewReader(string(sent))), nopWriter{})
		c, root := newConn(pipe)
		on(root, page.LoadEventFired, func(page.EventLoadEventFired) {})
		<-c.lost // the reader must come to the end of it
	})
}

type nopWriter struct{}

func (nopWriter) Write(b []byte) (int, error) { return len(b), nil }
func (nopWriter) Close() error                { return nil }

func TestKeysAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		key       rune
		modifiers int64
		ok        bool
	}{
		{"Enter", '\r', 0, true},
		{"enter", '\r', 0, true},
		{"Tab", '\t', 0, true},
		{"a", 'a', 0, true},
		{"é", 'é', 0, true},
		{"+", '+', 0, true},
		{"Control+A", 'A', 2, true},
		{"ctrl+shift+Enter", '\r', 10, true},
		{"Control++", '+', 2, true},
		{"", 0, 0, false},
		{"Nothing", 0, 0, false},
	} {
		key, modifiers, ok := parseKey(tc.name)
		if key != tc.key || modifiers != tc.modifiers || ok != tc.ok {
			t.Errorf("parseKey(%q) = %q %d %v, want %q %d %v", tc.name, key, modifiers, ok, tc.key, tc.modifiers, tc.ok)
		}
	}
}
