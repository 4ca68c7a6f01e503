package scrape

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/format/diff"
	"github.com/trawlhq/trawl/internal/store"
)

// track compares the page with its last tracked scrape by the same team under
// the same tag, and puts itself in that one's place.
func (s *Service) track(ctx context.Context, r *run, p *page, doc *trawl.Document) error {
	f, wanted := r.req.Format(trawl.FormatChangeTracking)
	if !wanted {
		return nil
	}
	before, known, err := s.Store.SwapSnapshot(ctx, store.Snapshot{
		TeamID: r.caller.TeamID, URL: r.req.URL, Tag: f.Tag, Text: encoder.EncodeAll([]byte(doc.Markdown), nil), ScrapedAt: s.Now(),
	})
	if err != nil {
		return fmt.Errorf("track changes: %w", err)
	}
	doc.Unseal()
	tracked := &trawl.ChangeTracking{ChangeStatus: "new", Visibility: "visible"}
	doc.ChangeTracking = tracked
	previous := ""
	if known {
		at := trawl.Timestamp(before.ScrapedAt)
		tracked.PreviousScrapeAt = &at
		text, err := decoder.DecodeAll(before.Text, nil)
		if err != nil {
			return fmt.Errorf("read the text before: %w", err)
		}
		previous = string(text)
	}
	switch {
	case p.Status == 404:
		tracked.ChangeStatus = "removed"
	case known && sameText(previous, doc.Markdown):
		tracked.ChangeStatus = "same"
	case known:
		tracked.ChangeStatus = "changed"
	}
	if tracked.ChangeStatus == "changed" && slices.Contains(f.Modes, "git-diff") {
		d := diff.Lines(previous, doc.Markdown)
		tracked.Diff = &d
	}
	return nil
}

// sameText compares without any white space: a page that is only laid out anew has not changed.
func sameText(a, b string) bool {
	return a == b || withoutSpace(a) == withoutSpace(b)
}

func withoutSpace(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return -1
		}
		return c
	}, text)
}
