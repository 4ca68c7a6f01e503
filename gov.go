package trawl

import "context"

// GovSearchRequest asks the government index.
type GovSearchRequest struct {
	// Query is a question, a phrase or a citation.
	Query string `json:"query"`
	// K is the number of results wanted, 1 to 100; zero means 10.
	K int `json:"k"`
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
