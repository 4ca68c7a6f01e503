package api

import (
	"net/http"

	"github.com/trawlhq/trawl"
)

// mapSite answers POST /v2/map.
func (s *Server) mapSite(w http.ResponseWriter, r *http.Request) error {
	var req trawl.MapRequest
	if err := s.decode(r, &req); err != nil {
		return err
	}
	if err := s.checkURL(req.URL, "url"); err != nil {
		return err
	}
	answer, err := s.Mapper.Map(r.Context(), req)
	if err != nil {
		return err
	}
	return reply(w, answer)
}
