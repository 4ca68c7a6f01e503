package browser

import (
	"context"
	"net/http"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// fetchPlan says what to do with the requests the browser pauses for us: every
// answer that would become a document, and, where headers are to be added,
// every request to the origin they are meant for.
type fetchPlan struct {
	origin  string      // scheme://host:port the headers are for
	headers http.Header // added there
	take    bool        // the first document that is no page is taken as bytes
	force   bool        // and so is one that claims to be a page
	show    bool        // and shown as well, where Chromium can
}

// interceptWith makes the plan the current one.
func (t *tab) interceptWith(ctx context.Context, plan fetchPlan) error {
	t.mu.Lock()
	t.plan = plan
	t.mu.Unlock()
	patterns := []*fetch.RequestPattern{
		// Only requests that pause before they are sent are asked for a password, even by a proxy.
		{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageRequest},
		{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageResponse},
	}
	if len(plan.headers) > 0 {
		patterns = append(patterns, &fetch.RequestPattern{URLPattern: plan.origin + "/*", RequestStage: fetch.RequestStageRequest})
	}
	return do(ctx, t.session, fetch.Enable, fetch.EnableParams{Patterns: patterns, HandleAuthRequests: new(true)})
}

// authenticate shows our proxy the pass of this tab. Sites that ask for a
// password get none.
func (t *tab) authenticate(e fetch.EventAuthRequired) {
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	answer := &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseCancelAuth}
	if e.AuthChallenge.Source == fetch.AuthChallengeSourceProxy {
		answer.Response = fetch.AuthChallengeResponseResponseProvideCredentials
		answer.Username, answer.Password = t.pass.User, t.pass.Password
	}
	_ = do(ctx, t.session, fetch.ContinueWithAuth, fetch.ContinueWithAuthParams{
		RequestID: e.RequestID, AuthChallengeResponse: answer,
	}) // a request that was given up needs no answer
}

// resume decides about a paused request.
func (t *tab) resume(e fetch.EventRequestPaused) {
	ctx, cancel := context.WithTimeout(context.Background(), takeWithin)
	defer cancel()
	t.mu.Lock()
	plan := t.plan
	t.mu.Unlock()
	proceed := fetch.ContinueRequestParams{RequestID: e.RequestID}
	switch answered := e.ResponseStatusCode != 0; {
	case answered && t.arrived(ctx, e, plan):
		return
	case !answered && e.ResponseErrorReason == "":
		if strings.HasPrefix(e.Request.URL, plan.origin+"/") {
			proceed.Headers = withHeaders(e.Request.Headers, plan.headers)
		}
	}
	_ = do(ctx, t.session, fetch.ContinueRequest, proceed) // a request that was given up needs no answer
}

// withHeaders puts the added headers over those of the browser.
func withHeaders(own network.Headers, added http.Header) []*fetch.HeaderEntry {
	if len(added) == 0 {
		return nil
	}
	var merged []*fetch.HeaderEntry
	for name, value := range own {
		if text, ok := value.(string); ok && added.Get(name) == "" {
			merged = append(merged, &fetch.HeaderEntry{Name: name, Value: text})
		}
	}
	for name, values := range added {
		merged = append(merged, &fetch.HeaderEntry{Name: name, Value: strings.Join(values, ", ")})
	}
	return merged
}
