package trawl

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// GovSearchRequest asks the government index: the body of POST /v2/search/gov.
type GovSearchRequest struct {
	Query string `json:"query" schema:"required,minLength=1,maxLength=2000" doc:"A question, a phrase or a citation."`
	K     Count  `json:"k,omitempty" schema:"default=10" doc:"How many results, 1 to 100."`
}

// GovSearchQuery is the same request as the query of GET /v2/search/gov.
type GovSearchQuery struct {
	GovSearchRequest
}

// Validate gives the issues that no schema expresses.
func (r GovSearchRequest) Validate() []Issue {
	if strings.TrimSpace(r.Query) != "" {
		return nil
	}
	least, inclusive := 1.0, true
	return []Issue{{
		Code: IssueTooSmall, Path: []any{"query"}, Origin: "string", Minimum: &least, Inclusive: &inclusive,
		Message: "Too small: expected string to have >=1 characters",
	}}
}

// Count is a number of results; the wire takes it as a number and as its digits.
type Count int

// UnmarshalJSON takes 5 and "5".
func (c *Count) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	n, err := strconv.ParseFloat(text, 64) // 5.0 is a whole number, too
	if err != nil || n != float64(int(n)) {
		return fmt.Errorf("%s is not a whole number", data)
	}
	*c = Count(n)
	return nil
}

// JSONSchema describes both forms.
func (Count) JSONSchema() map[string]any {
	return schema{"oneOf": []any{
		schema{"type": "integer", "minimum": 1, "maximum": 100},
		schema{"type": "string", "pattern": "^(100|[1-9][0-9]?)$"},
	}}
}

// GovSearchReply answers both.
type GovSearchReply struct {
	Success bool              `json:"success"`
	Data    GovSearchResponse `json:"data"`
}

// GovResult is one document of the government index.
type GovResult struct {
	URL         string `json:"url"`         // official address of the document
	Title       string `json:"title"`       // as a lawyer would name it
	Description string `json:"description"` // the passage that answers, plain text, at most 500 characters
	Position    int    `json:"position"`    // rank, from 1

	Citation     string  `json:"citation,omitempty"`
	Jurisdiction string  `json:"jurisdiction,omitempty"` // "us", "us-ca", "us-ca-los-angeles"
	DocumentType string  `json:"documentType,omitempty"` // "statute", "regulation", "code", "opinion", "publication"
	Date         string  `json:"date,omitempty"`         // YYYY-MM-DD
	Score        float64 `json:"score,omitempty"`
}

// GovSearchResponse is what becomes "data": one group of results.
type GovSearchResponse struct {
	Web []GovResult `json:"web"`
	// Empty says that nothing at all is in the index yet.
	Empty bool `json:"-"`
}

// GovSearcher searches primary law and regulatory material.
type GovSearcher interface {
	GovSearch(ctx context.Context, req GovSearchRequest) (GovSearchResponse, error)
}
