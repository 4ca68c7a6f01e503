package browser

import (
	"context"
	_ "embed" // for pageScript
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// pageScript is our side of the conversation with a document.
//
//go:embed script/page.js
var pageScript string

// worldName names the isolated world our scripts live in.
const worldName = "trawl"

// errPageMoved says that the document changed under a call: the page went
// somewhere else, and the call may be made again there.
type errPageMoved struct{ cause error }

func (e errPageMoved) Error() string { return "page navigated away: " + e.cause.Error() }
func (e errPageMoved) Unwrap() error { return e.cause }

// ask evaluates an expression in our world of the main frame, waits for it if
// it is a promise, and reads its value.
func ask[T any](ctx context.Context, t *tab, expression string) (T, error) {
	var value T
	raw, err := t.evaluate(ctx, expression)
	if err != nil {
		return value, err
	}
	if len(raw) == 0 {
		return value, nil
	}
	if err := jsonv2.Unmarshal(raw, &value); err != nil {
		return value, fmt.Errorf("read value of page script: %w", err)
	}
	return value, nil
}

func (t *tab) evaluate(ctx context.Context, expression string) (jsonv2.Value, error) {
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	world, err := t.ourWorld(ctx)
	if err != nil {
		return nil, t.explain(ctx, err)
	}
	if !world.furnished {
		expression = pageScript + expression
	}
	got, err := call(ctx, t.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ContextID: world.id,
		ReturnByValue: new(true), AwaitPromise: new(true), Silent: new(true),
	})
	if err != nil {
		t.leaveWorld()
		return nil, t.explain(ctx, err)
	}
	if got.ExceptionDetails != nil {
		return nil, fmt.Errorf("page script: %s", exceptionText(got.ExceptionDetails))
	}
	t.furnish(world)
	return got.Result.Value, nil
}

// world is the place in a document where our scripts live: it sees the DOM,
// and the page sees nothing of it.
type world struct {
	loader    cdp.LoaderID // the document it belongs to
	id        runtime.ExecutionContextID
	furnished bool // page.js has been run there
}

// ourWorld gives the world in the document now shown.
func (t *tab) ourWorld(ctx context.Context) (world, error) {
	t.mu.Lock()
	known, loader := t.world, t.main.loader
	t.mu.Unlock()
	if known.id != 0 && known.loader == loader {
		return known, nil
	}
	id, err := t.worldOf(ctx, t.frame)
	return world{loader: loader, id: id}, err
}

func (t *tab) furnish(w world) {
	w.furnished = true
	t.mu.Lock()
	defer t.mu.Unlock()
	t.world = w
}

func (t *tab) leaveWorld() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.world = world{}
}

// whileAlive ends ctx when the page dies, so that no call waits for the answer
// of a dead page. The cause says so.
func (t *tab) whileAlive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := make(chan struct{})
	go func() {
		select {
		case <-t.crashed:
			cancel(errCrashed)
		case <-ctx.Done():
		case <-stop:
		}
	}()
	return ctx, func() { close(stop); cancel(nil) }
}

// explain turns the protocol's words into ours.
func (t *tab) explain(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause == errCrashed {
		return errCrashed
	}
	text := err.Error()
	for _, moved := range []string{
		"context was destroyed", "Cannot find context", "No frame", "Inspected target navigated",
		"uniqueContextId not found", "Promise was collected", "Cannot create isolated world", "Could not create isolated world",
	} {
		if strings.Contains(text, moved) {
			return errPageMoved{err}
		}
	}
	return err
}

func exceptionText(e *runtime.ExceptionDetails) string {
	if e.Exception != nil && e.Exception.Description != "" {
		return e.Exception.Description
	}
	return e.Text
}

// js writes a call of one of our functions with JSON arguments.
func js(function string, args ...any) string {
	written := make([]string, len(args))
	for i, arg := range args {
		raw, err := json.Marshal(arg)
		if err != nil {
			raw = []byte("null") // strings and numbers always have a form
		}
		written[i] = string(raw)
	}
	return "trawl." + function + "(" + strings.Join(written, ",") + ")"
}
