package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/trawlhq/trawl"
)

var _ trawl.Scraper = (*Client)(nil)

// Scrape turns one address into one document.
func (c *Client) Scrape(ctx context.Context, req trawl.ScrapeRequest) (*trawl.Document, error) {
	return c.document(ctx, Call{Method: http.MethodPost, Path: "/v2/scrape", Body: req})
}

// Scraped gives the document of an earlier scrape.
func (c *Client) Scraped(ctx context.Context, id string) (*trawl.Document, error) {
	return c.document(ctx, Call{Path: "/v2/scrape/" + url.PathEscape(id)})
}

// document makes a call whose answer carries one document.
func (c *Client) document(ctx context.Context, call Call) (*trawl.Document, error) {
	var answer trawl.ScrapeReply
	call.Into = &answer
	if err := c.Do(ctx, call); err != nil {
		return nil, err
	}
	if answer.Data == nil {
		return nil, trawl.Errorf(trawl.Upstream, "Bad Gateway").WithDetails(map[string]any{"reason": "the answer has no document"})
	}
	return answer.Data, nil
}
