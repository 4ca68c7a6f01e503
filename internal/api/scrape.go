package api

import (
	"net/http"

	"github.com/trawlhq/trawl"
)

// scrape answers POST /v2/scrape.
func (s *Server) scrape(w http.ResponseWriter, r *http.Request) error {
	var req trawl.ScrapeRequest
	if err := s.decode(r, &req); err != nil {
		return err
	}
	if err := s.checkURL(req.URL, "url"); err != nil {
		return err
	}
	if err := checkSchemas(req.FormatList()); err != nil {
		return err
	}
	if err := identity(r).PermitOptions(req.ScrapeOptions); err != nil {
		return err
	}
	doc, err := s.Scraper.Scrape(r.Context(), req)
	if err != nil {
		return err
	}
	return replyDocument(w, s.absolute(r, doc))
}

// scraped answers GET /v2/scrape/{id}.
func (s *Server) scraped(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r)
	if err != nil {
		return err
	}
	doc, err := s.Scraper.Scraped(r.Context(), id)
	if err != nil {
		return err
	}
	return replyDocument(w, s.absolute(r, doc))
}
