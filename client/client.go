// Package client speaks /v2 to a trawl server from Go.
//
// A Client implements the interfaces of package trawl, so code written against
// trawl.Scraper runs the same with a service of its own process. Failures come
// back as *trawl.Error, with the kind, code and details the server gave. What
// may work on another try is tried again, as the API's guidance says; see
// retry.go for the rules.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/trawlhq/trawl"
)

// Client is one server and one key. It is safe for concurrent use.
type Client struct {
	base string
	key  string
	http *http.Client
}

// Options say which server is spoken to, and how.
type Options struct {
	BaseURL string       // scheme and host of the server, e.g. http://127.0.0.1:3002
	Key     string       // bearer key; empty: none is sent, which suits TRAWL_AUTH=off and keyless operations
	HTTP    *http.Client // makes the requests; nil: a plain one. Its Timeout counts per attempt
}

// New makes a client. It does not contact the server.
func New(opts Options) (*Client, error) {
	u, err := url.Parse(opts.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("parse server address: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("server address %q: want http:// or https:// and a host", opts.BaseURL)
	}
	c := &Client{base: strings.TrimSuffix(opts.BaseURL, "/"), key: opts.Key, http: opts.HTTP}
	if c.http == nil {
		c.http = &http.Client{}
	}
	return c, nil
}

// Call is one request to the server.
type Call struct {
	Method string     // empty: GET
	Path   string     // from the root of the server, e.g. /v2/scrape
	Query  url.Values // nil: none
	Body   any        // sent as JSON, unless it is encoded already; nil: no body
	Into   any        // the whole answer is decoded into it; nil: the answer is dropped
}

// Do makes a call, with retries, for operations that have no method of their own.
func (c *Client) Do(ctx context.Context, call Call) error {
	body, err := encode(call.Body)
	if err != nil {
		return fmt.Errorf("encode body of %s: %w", call.Path, err)
	}
	return retry(ctx, func() error { return c.attempt(ctx, call, body) })
}

// encoded is a body as it is sent.
type encoded struct {
	contentType string
	bytes       []byte
}

func encode(body any) (encoded, error) {
	switch body := body.(type) {
	case nil:
		return encoded{}, nil
	case encoded:
		return body, nil
	}
	text, err := json.Marshal(body)
	return encoded{"application/json", text}, err
}

// attempt makes the request once and understands the answer.
func (c *Client) attempt(ctx context.Context, call Call, body encoded) error {
	req, err := c.request(ctx, call, body)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return unanswered(req.Method, err)
	}
	defer func() { _ = resp.Body.Close() }() // read-only
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return unanswered(req.Method, fmt.Errorf("read answer of %s: %w", call.Path, err))
	}
	if err := refusal(resp, answer); err != nil {
		return err
	}
	if call.Into == nil {
		return nil
	}
	if err := json.Unmarshal(answer, call.Into); err != nil {
		return trawl.Errorf(trawl.Upstream, "Bad Gateway").Because(fmt.Errorf("decode answer of %s: %w", call.Path, err))
	}
	return nil
}

func (c *Client) request(ctx context.Context, call Call, body encoded) (*http.Request, error) {
	address := c.base + call.Path
	if len(call.Query) > 0 {
		address += "?" + call.Query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, call.Method, address, bytes.NewReader(body.bytes))
	if err != nil {
		return nil, fmt.Errorf("make request for %s: %w", call.Path, err)
	}
	req.Header.Set("Accept", "application/json")
	if body.contentType != "" {
		req.Header.Set("Content-Type", body.contentType)
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	return req, nil
}

// unanswered says what is known when no whole answer came. The caller's own
// context ending is the caller's business and stays as it is.
func unanswered(method string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &lost{safe: method == http.MethodGet || neverSent(err), err: err}
}
