package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
)

// startCrawl answers POST /v2/crawl.
func (s *Server) startCrawl(w http.ResponseWriter, r *http.Request) error {
	var req trawl.CrawlRequest
	if err := s.decode(r, &req); err != nil {
		return err
	}
	if err := s.checkURL(req.URL, "url"); err != nil {
		return err
	}
	if err := checkSchemas(req.ScrapeOptions.FormatList(), "scrapeOptions"); err != nil {
		return err
	}
	if err := identity(r).PermitOptions(req.ScrapeOptions); err != nil {
		return err
	}
	key, err := idempotencyKey(r)
	if err != nil {
		return err
	}
	req.IdempotencyKey, req.BaseURL = key, s.baseURL(r)
	started, err := s.Crawler.StartCrawl(r.Context(), req)
	if err != nil {
		return err
	}
	started.URL = s.baseURL(r) + "/v2/crawl/" + started.ID
	return reply(w, started)
}

// idempotencyKey reads the header that keeps a request from being carried out twice.
func idempotencyKey(r *http.Request) (string, error) {
	key := r.Header.Get("X-Idempotency-Key")
	if len(key) > 255 {
		return "", trawl.BadRequest([]trawl.Issue{trawl.CustomIssue("x-idempotency-key must have at most 255 characters")})
	}
	return key, nil
}

// previewCrawl answers POST /v2/crawl/params-preview.
func (s *Server) previewCrawl(w http.ResponseWriter, r *http.Request) error {
	var req trawl.CrawlPreviewRequest
	if err := s.decode(r, &req); err != nil {
		return invalidParameters(err)
	}
	preview, err := s.Crawler.PreviewCrawl(r.Context(), req)
	if err != nil {
		return err
	}
	return reply(w, trawl.CrawlPreviewReply{Success: true, Data: preview, Warning: preview.Warning})
}

// invalidParameters says what is wrong with the body in the words of this one operation.
func invalidParameters(err error) error {
	var e *trawl.Error
	if !errors.As(err, &e) || e.Code != "BAD_REQUEST" {
		return err
	}
	issues, _ := e.Details.([]trawl.Issue)
	var texts []string
	for _, issue := range issues {
		texts = append(texts, strings.Trim(fmt.Sprint(issue.Path...)+": "+issue.Message, ": "))
	}
	return trawl.Errorf(trawl.Invalid, "Invalid request parameters: %s", strings.Join(texts, "; ")).WithCode("BAD_REQUEST").WithDetails(e.Details)
}

// crawlStatus answers GET /v2/crawl/{id}.
func (s *Server) crawlStatus(w http.ResponseWriter, r *http.Request) error {
	return s.jobStatus(w, r, "/v2/crawl/", s.Crawler.CrawlStatus)
}

// statusFunc tells how far a crawl or a batch is.
type statusFunc func(ctx context.Context, id string, part trawl.Window) (*trawl.CrawlStatus, error)

// jobStatus is the same for crawls and batches.
func (s *Server) jobStatus(w http.ResponseWriter, r *http.Request, path string, status statusFunc) error {
	id, err := pathID(r)
	if err != nil {
		return err
	}
	if isUpgrade(r) {
		return s.watch(w, r, id, status)
	}
	part, err := window(r)
	if err != nil {
		return err
	}
	part.Packed = takesGzip(r)
	answer, err := status(r.Context(), id, part)
	if err != nil {
		return err
	}
	if err := s.absoluteAll(r, answer); err != nil {
		return err
	}
	answer.Next = s.next(r, path+id, part, answer)
	return replyStatus(w, answer)
}

// next is where the next documents are. While a crawl runs there is always a
// next page after one that had documents, and none after an empty one: clients
// follow it without a pause.
func (s *Server) next(r *http.Request, path string, part trawl.Window, answer *trawl.CrawlStatus) string {
	if answer.Count() == 0 || answer.Ended() && !answer.More {
		return ""
	}
	link := s.baseURL(r) + path + "?skip=" + strconv.Itoa(part.Skip+answer.Count())
	if r.URL.Query().Has("limit") {
		link += "&limit=" + strconv.Itoa(part.Limit)
	}
	return link
}

// window reads skip and limit.
func window(r *http.Request) (trawl.Window, error) {
	part := trawl.Window{Limit: trawl.DefaultWindow}
	query := r.URL.Query()
	if values, ok := query["skip"]; ok {
		n, err := digits(values)
		if err != nil {
			return part, invalidPagination("skip must be a non-negative integer")
		}
		part.Skip = n
	}
	if values, ok := query["limit"]; ok {
		n, err := digits(values)
		if err != nil || n < 1 || n > trawl.MaxWindow {
			return part, invalidPagination("limit must be an integer between 1 and 1000")
		}
		part.Limit = n
	}
	return part, nil
}

func invalidPagination(what string) error {
	return trawl.Errorf(trawl.Invalid, "Invalid pagination: %s", what).WithCode("BAD_REQUEST")
}

// digits reads a number that is written once and with nothing but digits.
func digits(values []string) (int, error) {
	if len(values) != 1 || strings.Trim(values[0], "0123456789") != "" {
		return 0, errors.New("not a number")
	}
	return strconv.Atoi(values[0])
}

// absoluteAll writes the addresses of files in documents in full. Few documents have any.
func (s *Server) absoluteAll(r *http.Request, answer *trawl.CrawlStatus) error {
	for i, text := range answer.Data {
		if !bytes.Contains(text, []byte(`"/files/`)) {
			continue
		}
		var doc trawl.Document
		if err := json.Unmarshal(text, &doc); err != nil {
			return err
		}
		full, err := json.Marshal(s.absolute(r, &doc))
		if err != nil {
			return err
		}
		answer.Data[i] = full
	}
	return nil
}

// cancelCrawl answers DELETE /v2/crawl/{id}.
func (s *Server) cancelCrawl(w http.ResponseWriter, r *http.Request) error {
	return cancelJob(w, r, s.Crawler.CancelCrawl)
}

func cancelJob(w http.ResponseWriter, r *http.Request, cancel func(ctx context.Context, id string) error) error {
	id, err := pathID(r)
	if err != nil {
		return err
	}
	if err := cancel(r.Context(), id); err != nil {
		return err
	}
	return reply(w, trawl.CancelReply{Success: true, Status: trawl.CrawlCancelled})
}

// crawlErrors answers GET /v2/crawl/{id}/errors.
func (s *Server) crawlErrors(w http.ResponseWriter, r *http.Request) error {
	return jobErrors(w, r, s.Crawler.CrawlErrors)
}

func jobErrors(w http.ResponseWriter, r *http.Request, list func(ctx context.Context, id string) (*trawl.CrawlErrors, error)) error {
	id, err := pathID(r)
	if err != nil {
		return err
	}
	answer, err := list(r.Context(), id)
	if err != nil {
		return err
	}
	return reply(w, answer)
}

// activeCrawls answers GET /v2/crawl/active.
func (s *Server) activeCrawls(w http.ResponseWriter, r *http.Request) error {
	crawls, err := s.Crawler.ActiveCrawls(r.Context())
	if err != nil {
		return err
	}
	return reply(w, trawl.ActiveCrawlsReply{Success: true, Crawls: crawls})
}
