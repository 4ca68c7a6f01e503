package api

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/api/openapi"
	"github.com/trawlhq/trawl/internal/parse"
)

// What is missing from a request to parse.
const (
	missingUpload = "Missing file upload. Send multipart/form-data with a 'file' field, or JSON with an 'uploadRef'."
	missingFile   = "Missing file upload. Send multipart/form-data with a 'file' field and optional 'options' JSON string."
)

func badUpload(message string) error {
	return trawl.Errorf(trawl.Invalid, "%s", message).WithCode("BAD_REQUEST")
}

// limitUpload refuses bodies that say they are too large and cuts off those that
// turn out to be. Around the file of a form there is room for the options.
func (s *Server) limitUpload(w http.ResponseWriter, r *http.Request, files upload) (*http.Request, error) {
	limit := int64(trawl.MaxFileSize)
	if files.options != nil {
		limit += s.BodyLimit
	}
	if r.ContentLength > limit {
		return r, parse.TooLarge()
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit+1) // one more, so that the file's own limit is met first
	return r, nil
}

// parse answers POST /v2/parse.
func (s *Server) parse(w http.ResponseWriter, r *http.Request) error {
	mediaType, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && mediaType == "multipart/form-data" {
		return s.parseForm(w, r, params["boundary"])
	}
	return s.parseUploaded(w, r, mediaType == "application/json")
}

// parseForm parses a file that comes with the request.
func (s *Server) parseForm(w http.ResponseWriter, r *http.Request, boundary string) error {
	f, err := s.readForm(r.Body, boundary)
	if err != nil {
		return err
	}
	defer f.close()
	options, err := s.formOptions(r, f)
	if err != nil {
		return err
	}
	if err := permitParse(r, options); err != nil {
		return err
	}
	file := trawl.File{Name: f.name, ContentType: f.contentType, Size: f.file.Size, Content: f.file}
	doc, err := s.Parser.Parse(r.Context(), file, options)
	if err != nil {
		return err
	}
	return replyDocument(w, doc)
}

// formOptions reads the options of a form; none are the defaults.
func (s *Server) formOptions(r *http.Request, f *form) (options trawl.ParseOptions, err error) {
	if f.options == nil {
		return options, nil
	}
	var any json.RawMessage
	if json.Unmarshal(f.options, &any) != nil {
		return options, badUpload("Invalid JSON in the 'options' field. Provide a valid JSON string.")
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(f.options, &object) != nil || object == nil {
		return options, badUpload("The 'options' field must parse to a JSON object.")
	}
	return options, s.decodeBody(r, f.options, &options)
}

// permitParse refuses what this caller may not have, or nobody may have of a file.
func permitParse(r *http.Request, o trawl.ParseOptions) error {
	if err := o.Refused(); err != nil {
		return err
	}
	if err := checkSchemas(o.FormatList()); err != nil {
		return err
	}
	return identity(r).PermitOptions(o.ScrapeOptions)
}

// parseUploaded parses a file that was sent before.
func (s *Server) parseUploaded(w http.ResponseWriter, r *http.Request, isJSON bool) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.BodyLimit))
	if err != nil {
		return bodyError(err)
	}
	var named struct {
		UploadRef json.RawMessage `json:"uploadRef"`
	}
	if err := json.Unmarshal(body, &named); err != nil && isJSON && !isWrongType(err) {
		return trawl.Errorf(trawl.Invalid, "Bad Request").WithCode("BAD_REQUEST_INVALID_JSON").Because(errors.Join(openapi.ErrNotJSON, err))
	}
	if len(named.UploadRef) == 0 || string(named.UploadRef) == "null" {
		return badUpload(missingUpload)
	}
	var req trawl.UploadedRequest
	if err := s.decodeBody(r, body, &req); err != nil {
		return err
	}
	if err := permitParse(r, req.ParseOptions); err != nil {
		return err
	}
	doc, err := s.Uploads.ParseUploaded(r.Context(), req)
	if err != nil {
		return err
	}
	return replyDocument(w, doc)
}

// isWrongType tells JSON that is no object from what is no JSON.
func isWrongType(err error) bool {
	var wrong *json.UnmarshalTypeError
	return errors.As(err, &wrong)
}

// openSlot answers POST /v2/parse/upload-url.
func (s *Server) openSlot(w http.ResponseWriter, r *http.Request) error {
	var req trawl.UploadRequest
	if err := s.decode(r, &req); err != nil {
		return err
	}
	slot, err := s.Uploads.OpenSlot(r.Context(), req)
	if err != nil {
		return err
	}
	slot.UploadURL = s.baseURL(r) + "/v2/parse/upload/" + slot.ID + "?uploadRef=" + url.QueryEscape(slot.UploadRef)
	return reply(w, trawl.UploadReply{Success: true, Data: slot})
}

// upload answers PUT /v2/parse/upload/{uploadId}.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	ref := r.URL.Query().Get("uploadRef")
	if err := s.Uploads.Upload(r.Context(), r.PathValue("uploadId"), ref, r.Body); err != nil {
		return receiveError(err)
	}
	return reply(w, trawl.OKReply{Success: true})
}
