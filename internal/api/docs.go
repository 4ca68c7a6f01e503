package api

import (
	_ "embed"
	"net/http"
)

// docsPage shows /openapi.json to a person. It loads nothing from anywhere else.
//
//go:embed docs.html
var docsPage []byte

// docs answers GET /docs.
func (s *Server) docs(w http.ResponseWriter, _ *http.Request) error {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'")
	_, err := w.Write(docsPage)
	return err
}

// openapi answers GET /openapi.json.
func (s *Server) openapi(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, err := w.Write(s.spec)
	return err
}

// home sends a person who opens the bare address to the reference.
func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, "/docs", http.StatusFound)
	return nil
}
