package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/trawlhq/trawl/internal/document/progress"
)

// When the pages of a file are counted out: for files that take a while, and no
// more often than someone can read, or than a log wants to hear.
const (
	manyPages     = 20
	terminalPause = 100 * time.Millisecond
	logPause      = 5 * time.Second
)

// pageLine tells how far the files are that are being read: on a terminal in one
// line that changes, elsewhere now and then in a line of its own.
type pageLine struct {
	to       io.Writer
	terminal bool
	now      func() time.Time

	mu    sync.Mutex
	last  time.Time // when something was told
	shown bool      // the line stands on the terminal
}

func newPageLine(to io.Writer) *pageLine {
	return &pageLine{to: to, terminal: isTerminal(to), now: time.Now, last: time.Now()}
}

// of gives the listener for one file.
func (l *pageLine) of(label string) progress.Listener {
	return func(done, all int) {
		if all < manyPages {
			return
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		pause := logPause
		if l.terminal {
			pause = terminalPause
		}
		if l.now().Sub(l.last) < pause && (done < all || !l.shown) {
			return
		}
		l.last = l.now()
		if l.terminal {
			fmt.Fprintf(l.to, "\r\x1b[K%s  page %d / %d", label, done, all)
			l.shown = true
			return
		}
		fmt.Fprintf(l.to, "%s  page %d / %d\n", label, done, all)
	}
}

// aside takes the line away while something else is written.
func (l *pageLine) aside(write func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown {
		fmt.Fprint(l.to, "\r\x1b[K")
		l.shown = false
	}
	return write()
}
