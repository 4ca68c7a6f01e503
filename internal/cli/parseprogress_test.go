package cli

import (
	"bytes"
	"testing"
	"time"
)

func TestPagesAreCountedOut(t *testing.T) {
	for _, tc := range []struct {
		name     string
		terminal bool
		every    time.Duration // between two pages
		pages    int
		want     string
	}{
		{"on a terminal in one line, which goes away", true, 60 * time.Millisecond, 20, "\r\x1b[Ka.pdf  page 2 / 20\r\x1b[Ka.pdf  page 4 / 20"},
		{"in a log now and then", false, 2 * time.Second, 20, "a.pdf  page 3 / 20\na.pdf  page 6 / 20\n"},
		{"a short file not at all", true, time.Minute, 19, ""},
		{"a fast file not at all", true, time.Millisecond, 20, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			clock := time.Unix(0, 0)
			l := &pageLine{to: &out, terminal: tc.terminal, now: func() time.Time { return clock }, last: clock}
			listen := l.of("a.pdf")
			for page := range 7 {
				clock = clock.Add(tc.every)
				listen(page+1, tc.pages)
				if page == 4 && tc.terminal && out.String() != tc.want {
					t.Errorf("after five pages: %q, want %q", out.String(), tc.want)
				}
			}
			if !tc.terminal && out.String() != tc.want {
				t.Errorf("%q, want %q", out.String(), tc.want)
			}
			shown := l.shown
			out.Reset()
			err := l.aside(func() error { return nil })
			if cleared := out.String() == "\r\x1b[K"; err != nil || cleared != shown || l.shown {
				t.Errorf("aside: %q, %v", out.String(), err)
			}
		})
	}
}
