package browser

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// modifierBits are the protocol's numbers for keys held down.
var modifierBits = map[string]int64{"alt": 1, "control": 2, "ctrl": 2, "meta": 4, "command": 4, "shift": 8}

// parseKey reads a key as people write it: a name (Enter, ArrowDown), a
// character, or one of these with keys held down (Control+A).
func parseKey(name string) (key rune, modifiers int64, ok bool) {
	for {
		held, rest, more := strings.Cut(name, "+")
		bit := modifierBits[strings.ToLower(held)]
		if !more || rest == "" || bit == 0 {
			break
		}
		modifiers |= bit
		name = rest
	}
	key, ok = keyNamed(name)
	return key, modifiers, ok
}

// keyNamed finds the rune that stands for a key in the table of keys.
func keyNamed(name string) (rune, bool) {
	if r, size := utf8.DecodeRuneInString(name); size == len(name) && size > 0 && r != utf8.RuneError {
		return r, true
	}
	found, ok := rune(0), false
	for r, key := range kb.Keys {
		matches := strings.EqualFold(key.Key, name) || strings.EqualFold(key.Code, name)
		if matches && (!ok || r < found) { // the main key, not its twin on the number pad
			found, ok = r, true
		}
	}
	return found, ok
}

// pressKeys presses and releases keys, one after another. With control, alt or
// meta held they type nothing.
func (t *tab) pressKeys(ctx context.Context, keys []rune, modifiers int64) error {
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	const commanding = 1 | 2 | 4
	var sent []*command
	for _, key := range keys {
		for _, step := range kb.Encode(key) {
			if step.Type == input.DispatchKeyEventTypeChar && modifiers&commanding != 0 {
				continue
			}
			step.Modifiers |= modifiers
			c, err := t.session.send(ctx, input.CommandDispatchKeyEvent, step)
			if err != nil {
				return fmt.Errorf("press key: %w", err)
			}
			sent = append(sent, c)
		}
	}
	for _, c := range sent {
		if _, err := c.await(ctx); err != nil {
			return fmt.Errorf("press key: %w", t.explain(ctx, err))
		}
	}
	return nil
}
