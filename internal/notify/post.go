package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/netguard"
	"github.com/trawlhq/trawl/internal/store"
)

// The headers of a delivery. The first keeps the name existing receivers check.
const (
	signatureHeader = "X-Firecrawl-Signature"
	idHeader        = "X-Trawl-Webhook-Id"
	attemptHeader   = "X-Trawl-Delivery-Attempt"
)

// newClient reaches out through the guard, follows nothing and keeps no cookies.
func newClient(guard *netguard.Guard) *http.Client {
	return &http.Client{
		Timeout:       attemptTime,
		Transport:     &http.Transport{DialContext: guard.DialContext, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: perTarget, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// finalError is a failure that another attempt would meet again.
type finalError struct{ error }

func (f finalError) Unwrap() error { return f.error }

// isFinal also counts refusals by the guard: a private address stays one.
func isFinal(err error) bool {
	var f finalError
	var refused *trawl.Error
	return errors.As(err, &f) || errors.As(err, &refused) && refused.Kind == trawl.Forbidden
}

// post makes one attempt. Any 2xx is a success.
func (s *Service) post(ctx context.Context, d store.Delivery) (status int, err error) {
	w, base, err := readSubscription(d.Webhook)
	if err != nil {
		return 0, finalError{err}
	}
	body, err := s.body(ctx, d, w.Metadata, base)
	if err != nil {
		return 0, err
	}
	req, err := s.request(ctx, d, w, body)
	if err != nil {
		return 0, err
	}
	res, err := s.client.Do(req)
	if err != nil {
		return 0, withoutAddress(err)
	}
	_ = res.Body.Close() // its body is of no interest
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return res.StatusCode, fmt.Errorf("the receiver answered %s", res.Status)
	}
	return res.StatusCode, nil
}

func (s *Service) request(ctx context.Context, d store.Delivery, w trawl.Webhook, body []byte) (*http.Request, error) {
	u, err := url.Parse(strings.TrimSpace(w.URL))
	if err != nil {
		return nil, finalError{fmt.Errorf("read webhook address: %w", err)}
	}
	if err := s.Guard.CheckURL(u); err != nil {
		return nil, finalError{err}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, finalError{err}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "trawl-webhook/"+s.Version)
	for name, value := range w.Headers {
		req.Header.Set(name, value)
	}
	req.Header.Set(idHeader, d.ID)
	req.Header.Set(attemptHeader, strconv.Itoa(d.Attempts+1))
	return req, s.sign(ctx, req, d.TeamID, body)
}

// sign adds the signature with the team's secret as it is now.
func (s *Service) sign(ctx context.Context, req *http.Request, teamID string, body []byte) error {
	req.Header.Del(signatureHeader)
	team, err := s.Store.Team(ctx, teamID)
	if err != nil {
		return fmt.Errorf("read webhook secret: %w", err)
	}
	if team.WebhookSecret != "" {
		req.Header.Set(signatureHeader, Signature(team.WebhookSecret, body))
	}
	return nil
}

// Signature is what a receiver recomputes over the raw body, to compare in constant time.
func Signature(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// body is made anew for every attempt, from rows that do not change.
func (s *Service) body(ctx context.Context, d store.Delivery, metadata map[string]string, base string) ([]byte, error) {
	event := trawl.WebhookEvent{
		Success: d.Error == "", Type: d.Event, ID: d.JobID, WebhookID: d.ID, Data: []json.RawMessage{}, Metadata: metadata, Error: d.Error,
	}
	if event.Metadata == nil {
		event.Metadata = map[string]string{}
	}
	if d.ScrapeID != "" {
		doc, err := s.Document(ctx, d.TeamID, d.ScrapeID)
		if err != nil {
			return nil, finalError{fmt.Errorf("read document of event: %w", err)}
		}
		text, err := doc.WithFilesAt(base).AppendJSON(nil)
		if err != nil {
			return nil, finalError{fmt.Errorf("write document of event: %w", err)}
		}
		event.Data = append(event.Data, text)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(event); err != nil {
		return nil, finalError{fmt.Errorf("write event: %w", err)}
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// withoutAddress keeps the receiver's address, which may hold a secret, out of logs.
func withoutAddress(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
