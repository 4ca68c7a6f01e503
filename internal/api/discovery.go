package api

import (
	"fmt"
	"net/http"
)

// protectedResource and authorizationServer tell a client that met a 401 where it is and how keys travel.
func (s *Server) protectedResource(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "max-age=300")
	return reply(w, s.resource(r))
}

func (s *Server) authorizationServer(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "max-age=300")
	document := s.resource(r)
	document["issuer"] = s.baseURL(r)
	return reply(w, document)
}

func (s *Server) resource(r *http.Request) map[string]any {
	base := s.baseURL(r)
	return map[string]any{
		"resource":                 base + "/",
		"resource_name":            "trawl",
		"authorization_servers":    []string{base},
		"scopes_supported":         []string{"trawl:global"},
		"bearer_methods_supported": []string{"header"},
	}
}

const authGuide = `# Access to this trawl server

Send your key with every request:

    curl %[1]s/v2/team -H "Authorization: Bearer <key>"

Keys are made by the operator (` + "`trawl keys create`" + `) or with an existing key
(POST %[1]s/v2/team/api-keys). Ask the operator of this server for one.

The whole API is described at %[1]s/openapi.json and, for people, at %[1]s/docs.
`

// authGuide answers GET /auth.md: the way to a key, for agents that read.
func (s *Server) authGuide(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Cache-Control", "max-age=300")
	_, err := fmt.Fprintf(w, authGuide, s.baseURL(r))
	return err
}
