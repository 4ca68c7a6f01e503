package api

import (
	"net/http"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// govQuery answers GET /v2/search/gov.
func (s *Server) govQuery(w http.ResponseWriter, r *http.Request) error {
	var q trawl.GovSearchQuery
	if err := s.decodeQuery(r, &q); err != nil {
		return err
	}
	return s.govSearch(w, r, q.GovSearchRequest)
}

// govBody answers POST /v2/search/gov.
func (s *Server) govBody(w http.ResponseWriter, r *http.Request) error {
	var req trawl.GovSearchRequest
	if err := s.decode(r, &req); err != nil {
		return err
	}
	return s.govSearch(w, r, req)
}

func (s *Server) govSearch(w http.ResponseWriter, r *http.Request, req trawl.GovSearchRequest) error {
	found, err := s.Gov.GovSearch(r.Context(), req)
	if err != nil {
		return err
	}
	caller := trawl.CallerFrom(r.Context())
	s.access.Note(store.Activity{TeamID: caller.TeamID, KeyID: caller.KeyID, Endpoint: "search", Target: req.Query, Succeeded: true})
	if found.Empty {
		w.Header().Set("X-Trawl-Index", "empty")
	}
	if found.Web == nil {
		found.Web = []trawl.GovResult{}
	}
	return reply(w, trawl.GovSearchReply{Success: true, Data: found})
}
