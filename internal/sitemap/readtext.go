package sitemap

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine is longer than any address that works.
const maxLine = 16 << 10

// readText reads one address a line. Lines that are none are passed over; a file
// without any is no sitemap.
func readText(from io.Reader, each func(Entry) error) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 4<<10), maxLine)
	found := false
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if !strings.HasPrefix(line, "http://") && !strings.HasPrefix(line, "https://") {
			continue
		}
		found = true
		if err := each(Entry{Page, line}); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("read sitemap: %w", err)
	}
	if !found {
		return ErrNotSitemap
	}
	return nil
}
