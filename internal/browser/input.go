package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/input"
)

// spot is where page.js says an element can be clicked.
type spot struct {
	X       float64 `json:"x"`
	Y       float64 `json:"y"`
	Covered bool    `json:"covered"`
	Code    string  `json:"code"`
}

func (t *tab) actClick(ctx context.Context, a Action) error {
	if err := t.await(ctx, a.Selector, appearWithin); err != nil {
		return err
	}
	matches := 1
	if a.All {
		var err error
		if matches, err = ask[int](ctx, t, js("count", a.Selector)); err != nil {
			return err
		}
	}
	for n := range matches {
		if err := t.clickMatch(ctx, a.Selector, n, a.All); err != nil {
			return err
		}
	}
	return t.follow(ctx)
}

// clickMatch clicks the nth match with the mouse, as a person would. What is
// covered by something else, or hidden among many, is clicked by script.
func (t *tab) clickMatch(ctx context.Context, selector string, n int, oneOfMany bool) error {
	at, err := ask[spot](ctx, t, js("aim", selector, n))
	if err != nil {
		return err
	}
	switch {
	case at.Code == "SELECTOR_NOT_FOUND" && oneOfMany && n > 0:
		return nil // an earlier click took it away
	case at.Code == "ELEMENT_NOT_VISIBLE", at.Code == "" && at.Covered:
		code, err := ask[string](ctx, t, js("push", selector, n))
		if err == nil && code != "" {
			err = actionFailure{code, selector}
		}
		return err
	case at.Code != "":
		return actionFailure{at.Code, selector}
	}
	return t.clickAt(ctx, at.X, at.Y)
}

func (t *tab) clickAt(ctx context.Context, x, y float64) error {
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	for _, step := range []input.DispatchMouseEventParams{
		{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y},
		{Type: input.DispatchMouseEventTypeMousePressed, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1},
		{Type: input.DispatchMouseEventTypeMouseReleased, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1},
	} {
		if err := do(ctx, t.session, input.DispatchMouseEvent, step); err != nil {
			return fmt.Errorf("click: %w", t.explain(ctx, err))
		}
	}
	return nil
}

// typedAsKeys is how much of a text is typed key by key; the rest is inserted
// in one go, as a paste would.
const typedAsKeys = 500

func (t *tab) actWrite(ctx context.Context, a Action) error {
	focused, err := ask[bool](ctx, t, "trawl.hasFocus()")
	if err != nil {
		return err
	}
	if !focused {
		return actionFailure{"NO_FOCUSED_ELEMENT", "click the field before writing"}
	}
	text := []rune(a.Text)
	typed := min(len(text), typedAsKeys)
	if err := t.pressKeys(ctx, text[:typed], 0); err != nil {
		return err
	}
	if typed < len(text) {
		if err := t.insert(ctx, string(text[typed:])); err != nil {
			return err
		}
	}
	return t.follow(ctx)
}

func (t *tab) insert(ctx context.Context, text string) error {
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	if err := do(ctx, t.session, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		return fmt.Errorf("insert text: %w", t.explain(ctx, err))
	}
	return nil
}

func (t *tab) actPress(ctx context.Context, a Action) error {
	key, modifiers, ok := parseKey(a.Key)
	if !ok {
		return actionFailure{"UNKNOWN_KEY", a.Key}
	}
	if err := t.pressKeys(ctx, []rune{key}, modifiers); err != nil {
		return err
	}
	return t.follow(ctx)
}
