package api

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strings"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/api/openapi"
)

// validating is a request with rules that no schema expresses.
type validating interface{ Validate() []trawl.Issue }

// decode reads a JSON body into a pointer to one of the root types: strictly,
// against the schema that is also documented, all issues at once.
func (s *Server) decode(r *http.Request, into any) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return bodyError(err)
	}
	return s.decodeBody(r, body, into)
}

// decodeBody is decode for a body that was read already.
func (s *Server) decodeBody(r *http.Request, body []byte, into any) error {
	body, err := s.check(body, into)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return trawl.Errorf(trawl.Invalid, "Bad Request").WithCode("BAD_REQUEST").Because(err)
	}
	s.logLabels(r, body)
	return validate(into)
}

// decodeQuery reads the parameters of the query as decode reads a body.
func (s *Server) decodeQuery(r *http.Request, into any) error {
	validator, ok := s.document.Validator(reflect.ValueOf(into).Elem().Interface())
	if !ok {
		return trawl.Errorf(trawl.Internal, "Internal Server Error").Because(errors.New("no schema for " + reflect.TypeOf(into).String()))
	}
	object, issues := validator.Query(r.URL.Query())
	if len(issues) > 0 {
		err := trawl.BadRequest(issues)
		err.Message = strings.Replace(err.Message, "Unrecognized key in body", "Unrecognized query parameter", 1)
		return err
	}
	data, err := json.Marshal(object)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return trawl.Errorf(trawl.Invalid, "Bad Request").WithCode("BAD_REQUEST").Because(err)
	}
	return validate(into)
}

func (s *Server) check(body []byte, into any) ([]byte, error) {
	validator, ok := s.document.Validator(reflect.ValueOf(into).Elem().Interface())
	if !ok {
		return nil, trawl.Errorf(trawl.Internal, "Internal Server Error").Because(errors.New("no schema for " + reflect.TypeOf(into).String()))
	}
	body, issues, err := validator.Decode(body)
	if errors.Is(err, openapi.ErrNotJSON) {
		return nil, trawl.Errorf(trawl.Invalid, "Bad Request").WithCode("BAD_REQUEST_INVALID_JSON").Because(err)
	}
	if err != nil {
		return nil, err
	}
	if len(issues) > 0 {
		return nil, trawl.BadRequest(issues)
	}
	return body, nil
}

func validate(v any) error {
	if v, ok := v.(validating); ok {
		if issues := v.Validate(); len(issues) > 0 {
			return trawl.BadRequest(issues)
		}
	}
	return nil
}

// logLabels writes down which client a request came from.
func (s *Server) logLabels(r *http.Request, body []byte) {
	if !s.Log.Enabled(r.Context(), slog.LevelDebug) {
		return
	}
	var labels struct {
		Origin      string `json:"origin"`
		Integration string `json:"integration"`
	}
	if json.Unmarshal(body, &labels) == nil {
		s.Log.DebugContext(r.Context(), "client", "origin", labels.Origin, "integration", labels.Integration, "x-origin", r.Header.Get("X-Origin"))
	}
}

// pathID reads the job id of the path: any UUID, always in lower case.
func pathID(r *http.Request) (string, error) {
	text := r.PathValue("id")
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 {
		return "", trawl.Errorf(trawl.Invalid, "Invalid job ID format. Job ID must be a valid UUID.")
	}
	return id.String(), nil
}

// checkURL adds what is wrong with an address field.
func (s *Server) checkURL(raw string, path ...any) error {
	if issue := s.CheckURL(raw); issue != "" {
		return trawl.BadRequest([]trawl.Issue{trawl.URLIssue(issue, path...)})
	}
	return nil
}
