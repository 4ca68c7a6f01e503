package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/trawlhq/trawl"
)

var (
	_ trawl.Crawler      = (*Client)(nil)
	_ trawl.BatchScraper = (*Client)(nil)
	_ trawl.Mapper       = (*Client)(nil)
)

// StartCrawl starts the crawl of a site.
func (c *Client) StartCrawl(ctx context.Context, req trawl.CrawlRequest) (*trawl.CrawlStarted, error) {
	return ask[trawl.CrawlStarted](ctx, c, Call{Method: http.MethodPost, Path: "/v2/crawl", Body: req})
}

// CrawlStatus tells how far a crawl is, with a part of its documents.
func (c *Client) CrawlStatus(ctx context.Context, id string, part trawl.Window) (*trawl.CrawlStatus, error) {
	return c.jobStatus(ctx, "/v2/crawl/", id, part)
}

// CancelCrawl stops a crawl.
func (c *Client) CancelCrawl(ctx context.Context, id string) error {
	return c.Do(ctx, Call{Method: http.MethodDelete, Path: "/v2/crawl/" + url.PathEscape(id)})
}

// CrawlErrors lists the pages of a crawl that could not be had.
func (c *Client) CrawlErrors(ctx context.Context, id string) (*trawl.CrawlErrors, error) {
	return ask[trawl.CrawlErrors](ctx, c, Call{Path: "/v2/crawl/" + url.PathEscape(id) + "/errors"})
}

// ActiveCrawls lists the team's crawls that run.
func (c *Client) ActiveCrawls(ctx context.Context) ([]trawl.ActiveCrawl, error) {
	answer, err := ask[trawl.ActiveCrawlsReply](ctx, c, Call{Path: "/v2/crawl/active"})
	if err != nil {
		return nil, err
	}
	return answer.Crawls, nil
}

// PreviewCrawl tells what a prompt would mean for a crawl.
func (c *Client) PreviewCrawl(ctx context.Context, req trawl.CrawlPreviewRequest) (*trawl.CrawlPreview, error) {
	answer, err := ask[trawl.CrawlPreviewReply](ctx, c, Call{Method: http.MethodPost, Path: "/v2/crawl/params-preview", Body: req})
	if err != nil {
		return nil, err
	}
	answer.Data.Warning = answer.Warning
	return answer.Data, nil
}

// StartBatch starts the scraping of a list of pages.
func (c *Client) StartBatch(ctx context.Context, req trawl.BatchRequest) (*trawl.BatchStarted, error) {
	return ask[trawl.BatchStarted](ctx, c, Call{Method: http.MethodPost, Path: "/v2/batch/scrape", Body: req})
}

// BatchStatus tells how far a batch is, with a part of its documents.
func (c *Client) BatchStatus(ctx context.Context, id string, part trawl.Window) (*trawl.CrawlStatus, error) {
	return c.jobStatus(ctx, "/v2/batch/scrape/", id, part)
}

// CancelBatch stops a batch.
func (c *Client) CancelBatch(ctx context.Context, id string) error {
	return c.Do(ctx, Call{Method: http.MethodDelete, Path: "/v2/batch/scrape/" + url.PathEscape(id)})
}

// BatchErrors lists the pages of a batch that could not be had.
func (c *Client) BatchErrors(ctx context.Context, id string) (*trawl.CrawlErrors, error) {
	return ask[trawl.CrawlErrors](ctx, c, Call{Path: "/v2/batch/scrape/" + url.PathEscape(id) + "/errors"})
}

// Map lists the addresses of a site.
func (c *Client) Map(ctx context.Context, req trawl.MapRequest) (*trawl.MapReply, error) {
	return ask[trawl.MapReply](ctx, c, Call{Method: http.MethodPost, Path: "/v2/map", Body: req})
}

func (c *Client) jobStatus(ctx context.Context, path, id string, part trawl.Window) (*trawl.CrawlStatus, error) {
	if part.Limit == 0 {
		part.Limit = trawl.DefaultWindow
	}
	query := url.Values{"skip": {strconv.Itoa(part.Skip)}, "limit": {strconv.Itoa(part.Limit)}}
	answer, err := ask[trawl.CrawlStatus](ctx, c, Call{Path: path + url.PathEscape(id), Query: query})
	if err != nil {
		return nil, err
	}
	answer.More = part.Skip+len(answer.Data) < answer.Completed
	return answer, nil
}

// ask makes a call whose answer is a T.
func ask[T any](ctx context.Context, c *Client, call Call) (*T, error) {
	answer := new(T)
	call.Into = answer
	if err := c.Do(ctx, call); err != nil {
		return nil, err
	}
	return answer, nil
}
