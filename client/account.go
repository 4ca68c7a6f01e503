package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/trawlhq/trawl"
)

// CreditUsage gives the team's balance of the running month.
func (c *Client) CreditUsage(ctx context.Context) (*trawl.CreditUsage, error) {
	answer, err := get[trawl.CreditUsageReply](ctx, c, "/v2/team/credit-usage", nil)
	if err != nil {
		return nil, err
	}
	return &answer.Data, nil
}

// TokenUsage gives the same balance in tokens.
func (c *Client) TokenUsage(ctx context.Context) (*trawl.TokenUsage, error) {
	answer, err := get[trawl.TokenUsageReply](ctx, c, "/v2/team/token-usage", nil)
	if err != nil {
		return nil, err
	}
	return &answer.Data, nil
}

// CreditHistory gives the credits used per month, for the team or, with
// byAPIKey, for each of its keys.
func (c *Client) CreditHistory(ctx context.Context, byAPIKey bool) ([]trawl.UsagePeriod, error) {
	var query url.Values
	if byAPIKey {
		query = url.Values{"byApiKey": {"true"}}
	}
	answer, err := get[trawl.HistoryReply](ctx, c, "/v2/team/credit-usage/historical", query)
	if err != nil {
		return nil, err
	}
	return answer.Periods, nil
}

// QueueStatus tells how much of the team's work waits and runs.
func (c *Client) QueueStatus(ctx context.Context) (*trawl.QueueReply, error) {
	return get[trawl.QueueReply](ctx, c, "/v2/team/queue-status", nil)
}

// Concurrency tells how many pages the team loads at this moment, and how many it may.
func (c *Client) Concurrency(ctx context.Context) (*trawl.ConcurrencyReply, error) {
	return get[trawl.ConcurrencyReply](ctx, c, "/v2/concurrency-check", nil)
}

// CreateKey makes a key. Its text is in the answer and is never shown again.
func (c *Client) CreateKey(ctx context.Context, req trawl.KeyRequest) (*trawl.KeyView, error) {
	var answer trawl.KeyReply
	if err := c.Do(ctx, Call{Method: http.MethodPost, Path: "/v2/team/api-keys", Body: req, Into: &answer}); err != nil {
		return nil, err
	}
	return &answer.APIKey, nil
}

// Keys lists the keys of the team; the client's own key needs the scope admin.
func (c *Client) Keys(ctx context.Context) ([]trawl.KeyView, error) {
	answer, err := get[trawl.KeysReply](ctx, c, "/v2/team/api-keys", nil)
	if err != nil {
		return nil, err
	}
	return answer.APIKeys, nil
}

// RevokeKey ends a key at once; the client's own key needs the scope admin.
func (c *Client) RevokeKey(ctx context.Context, id string) error {
	return c.Do(ctx, Call{Method: http.MethodDelete, Path: "/v2/team/api-keys/" + url.PathEscape(id)})
}

// get reads an answer of type T.
func get[T any](ctx context.Context, c *Client, path string, query url.Values) (*T, error) {
	answer := new(T)
	if err := c.Do(ctx, Call{Path: path, Query: query, Into: answer}); err != nil {
		return nil, err
	}
	return answer, nil
}
