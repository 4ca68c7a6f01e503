package client

import (
	"context"
	"net/http"

	"github.com/trawlhq/trawl"
)

// GovSearch searches primary US law.
func (c *Client) GovSearch(ctx context.Context, req trawl.GovSearchRequest) (trawl.GovSearchResponse, error) {
	var reply trawl.GovSearchReply
	err := c.Do(ctx, Call{Method: http.MethodPost, Path: "/v2/search/gov", Body: req, Into: &reply})
	return reply.Data, err
}
