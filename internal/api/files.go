package api

import (
	"context"
	"io"
	"net/http"

	"github.com/trawlhq/trawl"
)

// Files are the pictures and papers that answers point to, under names nobody can guess.
type Files interface {
	OpenFile(ctx context.Context, name string) (content io.ReadCloser, contentType string, err error)
}

// file answers GET /files/{name}. The name is the credential.
func (s *Server) file(w http.ResponseWriter, r *http.Request) error {
	content, contentType, err := s.Files.OpenFile(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	defer content.Close()
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "private, max-age=86400")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	_, err = io.Copy(w, content)
	return err
}

// absolute writes the addresses of files in full: the capabilities know only
// their path, the door knows how it was reached.
func (s *Server) absolute(r *http.Request, doc *trawl.Document) *trawl.Document {
	if !doc.HasFiles() {
		return doc
	}
	return doc.WithFilesAt(s.baseURL(r))
}
