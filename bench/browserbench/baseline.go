package browserbench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/trawlhq/trawl/internal/browser"
)

// bare is a browser driven by hand: commands written to a pipe, answers read
// from another, nothing else.
type bare struct {
	cmd  *exec.Cmd
	in   *os.File
	out  *bufio.Reader
	next int
	dir  string
}

type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    map[string]any  `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     json.RawMessage `json:"error,omitempty"`
}

func startBare() (*bare, error) {
	path, err := browser.FindExecutable("")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "trawl-bare-")
	if err != nil {
		return nil, fmt.Errorf("make bench folder: %w", err)
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe: %w", err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe: %w", err)
	}
	flags := []string{"--headless", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--user-data-dir=" + dir}
	if os.Geteuid() == 0 {
		flags = append(flags, "--no-sandbox")
	}
	b := &bare{cmd: exec.Command(path, append(flags, "about:blank")...), in: ourOut, out: bufio.NewReader(ourIn), dir: dir}
	b.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := b.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start browser: %w", err)
	}
	_, _ = theirIn.Close(), theirOut.Close() // the browser has them now
	return b, nil
}

func (b *bare) close() {
	_ = b.in.Close() // the browser ends with its pipe
	_ = b.cmd.Process.Kill()
	_ = b.cmd.Wait()
	_ = os.RemoveAll(b.dir)
}

// call sends a command and reads until its answer, or until the event when one
// is named.
func (b *bare) call(session, method string, params map[string]any, event string) (json.RawMessage, error) {
	b.next++
	id := b.next
	raw, err := json.Marshal(message{ID: id, SessionID: session, Method: method, Params: params})
	if err != nil {
		return nil, err
	}
	if _, err := b.in.Write(append(raw, 0)); err != nil {
		return nil, fmt.Errorf("write %s: %w", method, err)
	}
	var result json.RawMessage
	answered := false
	for !answered || event != "" {
		line, err := b.out.ReadBytes(0)
		if err != nil {
			return nil, fmt.Errorf("read answer to %s: %w", method, err)
		}
		var got message
		if err := json.Unmarshal(line[:len(line)-1], &got); err != nil {
			return nil, fmt.Errorf("read answer to %s: %w", method, err)
		}
		switch {
		case got.ID == id && got.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, got.Error)
		case got.ID == id:
			result, answered = got.Result, true
		case event != "" && got.Method == event && got.SessionID == session:
			event = ""
		}
	}
	return result, nil
}

// text calls and takes one string out of the answer.
func (b *bare) text(session, method string, params map[string]any, field string) (string, error) {
	raw, err := b.call(session, method, params, "")
	if err != nil {
		return "", err
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return "", fmt.Errorf("read %s: %w", method, err)
	}
	value, _ := fields[field].(string)
	return value, nil
}

// tab opens a page in a context of its own and gives its session.
func (b *bare) tab() (context, session string, err error) {
	if context, err = b.text("", "Target.createBrowserContext", nil, "browserContextId"); err != nil {
		return "", "", err
	}
	target, err := b.text("", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": context}, "targetId")
	if err != nil {
		return "", "", err
	}
	session, err = b.text("", "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true}, "sessionId")
	if err != nil {
		return "", "", err
	}
	_, err = b.call(session, "Page.enable", nil, "")
	return context, session, err
}

// bring navigates and reads the document.
func (b *bare) bring(session, address string) error {
	if _, err := b.call(session, "Page.navigate", map[string]any{"url": address}, "Page.loadEventFired"); err != nil {
		return err
	}
	html, err := b.call(session, "Runtime.evaluate", map[string]any{"expression": "document.documentElement.outerHTML", "returnByValue": true}, "")
	if err != nil {
		return err
	}
	if !strings.Contains(string(html), "Part 199") {
		return fmt.Errorf("navigate %s: %d bytes without its last part", address, len(html))
	}
	return nil
}

// bringFresh does it in a context of its own.
func (b *bare) bringFresh(address string) error {
	context, session, err := b.tab()
	if err != nil {
		return err
	}
	if err := b.bring(session, address); err != nil {
		return err
	}
	_, err = b.call("", "Target.disposeBrowserContext", map[string]any{"browserContextId": context}, "")
	return err
}
