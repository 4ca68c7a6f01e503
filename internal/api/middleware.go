package api

import (
	"fmt"
	"net/http"
	"path"
	"runtime/debug"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/telemetry"
)

// outermost is what every request passes before it is routed: an id, the CORS
// headers, and a plain 404 for paths that the mux would answer with a redirect.
func (s *Server) outermost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := telemetry.SaneRequestID(r.Header.Get("X-Request-Id"))
		r = r.WithContext(telemetry.WithRequestID(r.Context(), id))
		w.Header().Set("X-Request-Id", id)
		allowOrigins(w, r)
		switch {
		case r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "":
			w.WriteHeader(http.StatusOK)
		case !isClean(r.URL.Path) || r.Method == http.MethodConnect:
			s.plain("unknown", notFound)(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// allowOrigins lets any web page call the API: keys, not origins, are what protects it.
func allowOrigins(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "*")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS")
		if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
			h.Set("Access-Control-Allow-Headers", asked)
		}
	}
}

// isClean tells paths that the mux takes as they are from those it would redirect.
func isClean(p string) bool {
	if p == "" || p[0] != '/' {
		return false
	}
	clean := path.Clean(p)
	return clean == p || clean+"/" == p
}

// plain runs a handler: turns its error or panic into an answer, logs, counts.
func (s *Server) plain(name string, h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		rec := &recorder{ResponseWriter: w}
		if err := safely(rec, r, h); err != nil {
			rec.status = s.finish(rec, r, err)
		}
		took := time.Since(began)
		s.Metrics.Request(name, rec.code(), took)
		s.Log.InfoContext(r.Context(), "request", "method", r.Method, "path", r.URL.Path, "status", rec.code(), "took", took)
	}
}

// finish answers a failed request, unless its answer has already begun: then
// the connection is cut, so that nobody takes half an answer for a whole one.
func (s *Server) finish(rec *recorder, r *http.Request, err error) int {
	if rec.status == 0 {
		return s.fail(rec, r, err)
	}
	s.Log.ErrorContext(r.Context(), "answer broken off", "path", r.URL.Path, "err", err)
	panic(http.ErrAbortHandler)
}

// safely turns a panic into an error that carries the stack.
func safely(w http.ResponseWriter, r *http.Request, h handler) (err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if v == http.ErrAbortHandler {
			panic(v)
		}
		err = trawl.Errorf(trawl.Internal, "Internal Server Error").WithCode("UNKNOWN_ERROR").
			Because(fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
	}()
	return h(w, r)
}

// recorder remembers the status for the log.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) code() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}
