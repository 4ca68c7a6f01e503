package trawl

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// Webhook says whom to tell about a job. On the wire it is an address or an object.
type Webhook struct {
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Events   []string          `json:"events,omitempty"` // empty: started, page, completed, failed
}

// The events of crawls and batches, without their namespace.
const (
	EventStarted   = "started"
	EventPage      = "page"
	EventCompleted = "completed"
	EventFailed    = "failed"
	EventCancelled = "cancelled"
)

// The namespaces of events.
const (
	EventsOfCrawl = "crawl"
	EventsOfBatch = "batch_scrape"
)

var (
	usualEvents     = []string{EventStarted, EventPage, EventCompleted, EventFailed}
	eventNamespaces = []string{EventsOfCrawl, EventsOfBatch}
)

// UnmarshalJSON takes the bare address and the object.
func (w *Webhook) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*w = Webhook{}
		return json.Unmarshal(data, &w.URL)
	}
	type plain Webhook
	return json.Unmarshal(data, (*plain)(w))
}

// JSONSchema describes the bare address and the object.
func (Webhook) JSONSchema() map[string]any {
	texts := schema{"type": "object", "additionalProperties": schema{"type": "string"}}
	return schema{"oneOf": []any{schema{"type": "string"}, schema{
		"type": "object", "additionalProperties": false, "required": []any{"url"},
		"properties": schema{
			"url": schema{"type": "string"}, "headers": texts, "metadata": texts,
			"events": schema{"type": "array", "items": schema{"type": "string", "enum": anys(eventNames())}},
		},
	}}}
}

// eventNames are the names a filter may have, bare and in full.
func eventNames() []string {
	bare := append(slices.Clone(usualEvents), EventCancelled)
	names := slices.Clone(bare)
	for _, namespace := range eventNamespaces {
		for _, name := range bare {
			names = append(names, namespace+"."+name)
		}
	}
	return names
}

// Wants tells whether an event of a namespace is to be sent.
func (w *Webhook) Wants(namespace, event string) bool {
	if w == nil {
		return false
	}
	events := w.Events
	if len(events) == 0 {
		events = usualEvents
	}
	return slices.Contains(events, event) || slices.Contains(events, namespace+"."+event)
}

func (w *Webhook) validate() []Issue {
	if w == nil {
		return nil
	}
	u, err := url.Parse(strings.TrimSpace(w.URL))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return []Issue{{Code: IssueFormat, Format: "url", Path: []any{"webhook", "url"}, Message: "Invalid URL"}}
	}
	return nil
}

// WebhookEvent is the body of a delivery.
type WebhookEvent struct {
	Success   bool              `json:"success"`
	Type      string            `json:"type"`
	ID        string            `json:"id"`        // of the job
	WebhookID string            `json:"webhookId"` // of the event; the same on every try
	Data      []json.RawMessage `json:"data"`
	Metadata  map[string]string `json:"metadata"`
	Error     string            `json:"error,omitempty"`
}
