package scrape

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/fetch"
)

// attach adds what only a browser brings: the screenshot, the brand's looks and
// what the actions gave.
func (s *Service) attach(ctx context.Context, r *run, p *page, doc *trawl.Document) error {
	if p.Rendered == nil {
		return nil
	}
	doc.Unseal()
	if shot := p.Rendered.Screenshot; shot != nil && r.req.Wants(trawl.FormatScreenshot) {
		link, err := s.linkTo(ctx, r, shot.Data, shot.MIME, extensionOf(shot.MIME))
		if err != nil {
			return err
		}
		doc.Screenshot = link
	}
	if r.req.Wants(trawl.FormatBranding) {
		doc.Branding = p.Rendered.Branding
	}
	if len(r.req.Actions) == 0 {
		return nil
	}
	results, err := s.actionResults(ctx, r, p.Rendered.Actions)
	doc.Actions = results
	return err
}

func (s *Service) actionResults(ctx context.Context, r *run, in fetch.ActionResults) (*trawl.ActionResults, error) {
	out := &trawl.ActionResults{Scrapes: in.Scrapes, JavascriptReturns: in.JavascriptReturns}
	for _, shot := range in.Screenshots {
		link, err := s.linkTo(ctx, r, shot.Data, shot.MIME, extensionOf(shot.MIME))
		if err != nil {
			return nil, fmt.Errorf("keep screenshot of an action: %w", err)
		}
		out.Screenshots = append(out.Screenshots, link)
	}
	for _, paper := range in.PDFs {
		link, err := s.linkTo(ctx, r, paper, "application/pdf", ".pdf")
		if err != nil {
			return nil, fmt.Errorf("keep PDF of an action: %w", err)
		}
		out.PDFs = append(out.PDFs, link)
	}
	return out, nil
}

func extensionOf(mime string) string {
	switch mime {
	case "image/jpeg":
		return ".jpg"
	case "image/webp":
		return ".webp"
	default:
		return ".png"
	}
}

// profileDir is where a team keeps a browser profile. Names are the caller's, so they are hashed.
func (s *Service) profileDir(r *run) string {
	if r.req.Profile == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(r.caller.TeamID + "\n" + r.req.Profile.Name))
	return filepath.Join(s.ProfileDir, hex.EncodeToString(sum[:16]))
}
