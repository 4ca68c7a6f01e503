package api

import (
	"net/http"

	"github.com/trawlhq/trawl"
)

// startBatch answers POST /v2/batch/scrape. Its addresses are not checked here:
// bad ones may be left out.
func (s *Server) startBatch(w http.ResponseWriter, r *http.Request) error {
	var req trawl.BatchRequest
	if err := s.decode(r, &req); err != nil {
		return err
	}
	if err := checkSchemas(req.FormatList()); err != nil {
		return err
	}
	if err := identity(r).PermitOptions(req.ScrapeOptions); err != nil {
		return err
	}
	key, err := idempotencyKey(r)
	if err != nil {
		return err
	}
	req.IdempotencyKey, req.BaseURL = key, s.baseURL(r)
	started, err := s.Batches.StartBatch(r.Context(), req)
	if err != nil {
		return err
	}
	started.URL = s.baseURL(r) + "/v2/batch/scrape/" + started.ID
	return reply(w, started)
}

// batchStatus answers GET /v2/batch/scrape/{id}.
func (s *Server) batchStatus(w http.ResponseWriter, r *http.Request) error {
	return s.jobStatus(w, r, "/v2/batch/scrape/", s.Batches.BatchStatus)
}

// cancelBatch answers DELETE /v2/batch/scrape/{id}.
func (s *Server) cancelBatch(w http.ResponseWriter, r *http.Request) error {
	return cancelJob(w, r, s.Batches.CancelBatch)
}

// batchErrors answers GET /v2/batch/scrape/{id}/errors.
func (s *Server) batchErrors(w http.ResponseWriter, r *http.Request) error {
	return jobErrors(w, r, s.Batches.BatchErrors)
}
