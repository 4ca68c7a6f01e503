package notify

import (
	"encoding/json"
	"fmt"

	"github.com/trawlhq/trawl"
)

// subscription is the stored form of a webhook: the caller's object, and where
// the caller reached this server.
type subscription struct {
	*trawl.Webhook
	Base string `json:"base,omitempty"`
}

// Subscribe gives the stored form of a webhook; empty: there is none. base is
// what the addresses of files begin with in the documents that are sent.
func Subscribe(w *trawl.Webhook, base string) (string, error) {
	if w == nil {
		return "", nil
	}
	text, err := json.Marshal(subscription{w, base})
	if err != nil {
		return "", fmt.Errorf("write webhook: %w", err)
	}
	return string(text), nil
}

// readSubscription is the reverse. The two parts are read one after the other,
// because a webhook reads all of its object by itself.
func readSubscription(text string) (w trawl.Webhook, base string, err error) {
	var rest struct {
		Base string `json:"base"`
	}
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		return w, "", fmt.Errorf("read webhook: %w", err)
	}
	if err := json.Unmarshal([]byte(text), &rest); err != nil {
		return w, "", fmt.Errorf("read webhook: %w", err)
	}
	return w, rest.Base, nil
}
