package testsite

import "net/http"

// control adds the addresses by which another process (a bench, the Node
// tests) learns about the site and turns its knobs.
func (s *Site) control(mux *http.ServeMux) {
	mux.HandleFunc("GET /_site", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"pages": s.pages, "origins": s.Origins(), "inside": s.Inside.URL})
	})
	mux.HandleFunc("GET /_site/hits", func(w http.ResponseWriter, r *http.Request) {
		writeJSON(w, map[string]int{"hits": s.Hits(r.FormValue("of"))})
	})
	mux.HandleFunc("GET /_site/inside", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]int{"connections": s.Inside.Connections()})
	})
	mux.HandleFunc("POST /_site/board/{name}", func(w http.ResponseWriter, r *http.Request) {
		s.SetBoard(r.PathValue("name"), r.FormValue("content"))
		writeJSON(w, map[string]bool{"success": true})
	})
}
