package gov

import (
	"context"
	"errors"
	"time"

	"github.com/trawlhq/trawl"
)

// AnswerWithin is the longest a search may take before the caller is told that
// the index gives no answer.
const AnswerWithin = 10 * time.Second

// defaultResults is the number of results when none is asked for.
const defaultResults = 10

// GovSearch answers a request of the API.
func (s *Service) GovSearch(ctx context.Context, req trawl.GovSearchRequest) (trawl.GovSearchResponse, error) {
	k := int(req.K)
	if k == 0 {
		k = defaultResults
	}
	results, err := s.searchInTime(ctx, req.Query, k)
	if err != nil {
		return trawl.GovSearchResponse{}, apiError(ctx, err)
	}
	out := trawl.GovSearchResponse{Web: make([]trawl.GovResult, 0, len(results))}
	for _, r := range results {
		out.Web = append(out.Web, trawl.GovResult{
			URL: r.URL, Title: r.Title, Description: r.Description, Position: r.Position, Citation: r.Citation,
			Jurisdiction: r.Jurisdiction, DocumentType: documentType(r.Type), Date: r.Date, Score: r.Score,
		})
	}
	if len(results) == 0 {
		out.Empty = s.empty()
	}
	return out, nil
}

// searchInTime searches beside the clock: a disk that does not answer holds up
// the search, but not the caller.
func (s *Service) searchInTime(ctx context.Context, query string, k int) ([]Result, error) {
	limited, cancel := context.WithTimeout(ctx, s.opts.answerWithin)
	defer cancel()
	type outcome struct {
		results []Result
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		results, err := s.Search(limited, query, k)
		done <- outcome{results, err}
	}()
	select {
	case o := <-done:
		return o.results, o.err
	case <-limited.Done():
		return nil, limited.Err()
	}
}

// apiError says in the words of the API what went wrong. A caller who went away
// is not a fault of the index.
func apiError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return trawl.Errorf(trawl.UpstreamTimeout, "Gateway Timeout").WithCode("GOV_INDEX_TIMEOUT").Because(err)
	}
	return trawl.Errorf(trawl.Upstream, "Bad Gateway").WithCode("GOV_INDEX_ERROR").Because(err)
}

func (s *Service) empty() bool {
	numbers, err := s.ix.Stats()
	return err == nil && numbers.Docs == 0
}

// documentType is the type in the five words of the API.
func documentType(t string) string {
	switch t {
	case "constitution", "statute", "public-law", "statute-compilation", "session-law":
		return "statute"
	case "regulation", "rule":
		return "regulation"
	case "ordinance":
		return "code"
	case "opinion", "agency-decision":
		return "opinion"
	}
	return "publication"
}
