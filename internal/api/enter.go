package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
)

type identityKey struct{}

// identity is who makes a request that passed enter.
func identity(r *http.Request) access.Identity {
	id, _ := r.Context().Value(identityKey{}).(access.Identity)
	return id
}

// enter is what every operation checks before its handler runs, in the order
// of the contract: size of the body, key, rate, scope. The path was checked by
// the mux; the body's content is the handler's business.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, rt route) (*http.Request, error) {
	r, err := s.limitBody(w, r, rt)
	if err != nil || rt.keyless == anyone {
		return r, err
	}
	id, err := s.authenticate(r, rt)
	if err != nil {
		return r, err
	}
	if err := s.countRequest(w, r, id, rt); err != nil {
		return r, err
	}
	if err := id.Permit(rt.scope); err != nil {
		return r, err
	}
	ctx := context.WithValue(r.Context(), identityKey{}, id)
	return r.WithContext(trawl.WithCaller(ctx, id.Caller())), nil
}

// limitBody refuses bodies over the limit. A body that does not say its size is
// read now: nobody is told that a key is wrong before they are told that the body is too large.
// Files are not read here, and have a limit of their own.
func (s *Server) limitBody(w http.ResponseWriter, r *http.Request, rt route) (*http.Request, error) {
	if files, ok := rt.body.(upload); ok {
		return s.limitUpload(w, r, files)
	}
	if r.ContentLength > s.BodyLimit {
		return r, tooLarge(nil)
	}
	r.Body = http.MaxBytesReader(w, r.Body, s.BodyLimit)
	if r.ContentLength >= 0 {
		return r, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return r, bodyError(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r, nil
}

func tooLarge(cause error) error {
	return trawl.Errorf(trawl.TooLarge, "Payload Too Large").Because(cause)
}

// bodyError tells a body over the limit from one that did not arrive.
func bodyError(err error) error {
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		return tooLarge(err)
	}
	return trawl.Errorf(trawl.Invalid, "Bad Request").WithCode("BAD_REQUEST_INVALID_JSON").Because(err)
}

// authenticate finds out who asks. Only a request without any Authorization
// header can be keyless: a bad key is never quietly taken for none.
func (s *Server) authenticate(r *http.Request, rt route) (access.Identity, error) {
	from := s.clientAddr(r)
	token, sent := bearer(r)
	if !sent {
		return s.access.Stranger(r.Context(), rt.keyless, from)
	}
	return s.access.Authenticate(r.Context(), token, from)
}

// bearer gives the key a request shows: in its header, or as the subprotocol of
// a WebSocket, where a browser cannot set headers.
func bearer(r *http.Request) (token string, sent bool) {
	if header := r.Header.Values("Authorization"); len(header) > 0 {
		scheme, token, _ := strings.Cut(strings.TrimSpace(header[0]), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return "", true
		}
		return strings.TrimSpace(token), true
	}
	if isUpgrade(r) && r.Header.Get("Sec-WebSocket-Protocol") != "" {
		token, _, _ := strings.Cut(r.Header.Get("Sec-WebSocket-Protocol"), ",")
		return strings.TrimSpace(token), true
	}
	return "", false
}

func isUpgrade(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// countRequest counts the request against its class and says in the headers how many are left.
func (s *Server) countRequest(w http.ResponseWriter, r *http.Request, id access.Identity, rt route) error {
	rate, err := s.access.Allow(r.Context(), id, rt.class)
	if rate.Limit > 0 {
		h := w.Header()
		h.Set("X-RateLimit-Limit", strconv.Itoa(rate.Limit))
		h.Set("X-RateLimit-Remaining", strconv.Itoa(rate.Remaining))
		h.Set("X-RateLimit-Reset", strconv.FormatInt(rate.Reset.Unix(), 10))
	}
	return err
}
