package api

import (
	"net/http"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/api/openapi"
)

// route is one operation: where it is, who may call it, what it reads and what it answers.
type route struct {
	pattern string // method and path
	summary string
	scope   string // of the key; empty: any key
	class   string // of the rate limit
	keyless string // the operation in the operator's keyless list; empty: a key is always needed
	query   any
	body    any
	reply   any
	handle  handler
}

// anyone in place of a keyless operation: the address itself is the credential.
const anyone = "*"

// upload is the body of an operation that takes files. It has a size limit of
// its own and is not read before its handler asks for it.
type upload struct {
	json    any // what may come instead of a form; nil: the body is the file itself
	options any // the part of the form beside the file
}

// routes is the whole API.
func (s *Server) routes() []route {
	return []route{
		{"POST /v2/scrape", "Turn one page into a document", trawl.ScopeScrape, access.ClassScrape, trawl.ScopeScrape, nil, trawl.ScrapeRequest{}, trawl.ScrapeReply{}, s.scrape},
		{"GET /v2/scrape/{id}", "Read a finished scrape again", trawl.ScopeScrape, access.ClassCrawlStatus, "", nil, nil, trawl.ScrapeReply{}, s.scraped},

		{"POST /v2/batch/scrape", "Scrape a list of pages", trawl.ScopeBatchScrape, access.ClassScrape, "", nil, trawl.BatchRequest{}, trawl.BatchStarted{}, s.startBatch},
		{"GET /v2/batch/scrape/{id}", "How far a batch is, and its documents", trawl.ScopeBatchScrape, access.ClassCrawlStatus, "", trawl.Window{}, nil, trawl.CrawlStatus{}, s.batchStatus},
		{"DELETE /v2/batch/scrape/{id}", "Stop a batch", trawl.ScopeBatchScrape, access.ClassCrawlStatus, "", nil, nil, trawl.CancelReply{}, s.cancelBatch},
		{"GET /v2/batch/scrape/{id}/errors", "Pages of a batch that could not be had", trawl.ScopeBatchScrape, access.ClassCrawlStatus, "", nil, nil, trawl.CrawlErrors{}, s.batchErrors},

		{"POST /v2/crawl", "Scrape a whole site", trawl.ScopeCrawl, access.ClassCrawl, "", nil, trawl.CrawlRequest{}, trawl.CrawlStarted{}, s.startCrawl},
		{"POST /v2/crawl/params-preview", "What a prompt means for a crawl", trawl.ScopeCrawl, access.ClassCrawl, "", nil, trawl.CrawlPreviewRequest{}, trawl.CrawlPreviewReply{}, s.previewCrawl},
		{"GET /v2/crawl/active", "The team's crawls that run", trawl.ScopeCrawl, access.ClassCrawlStatus, "", nil, nil, trawl.ActiveCrawlsReply{}, s.activeCrawls},
		{"GET /v2/crawl/ongoing", "The team's crawls that run", trawl.ScopeCrawl, access.ClassCrawlStatus, "", nil, nil, trawl.ActiveCrawlsReply{}, s.activeCrawls},
		{"GET /v2/crawl/{id}", "How far a crawl is, and its documents", trawl.ScopeCrawl, access.ClassCrawlStatus, "", trawl.Window{}, nil, trawl.CrawlStatus{}, s.crawlStatus},
		{"DELETE /v2/crawl/{id}", "Stop a crawl", trawl.ScopeCrawl, access.ClassCrawlStatus, "", nil, nil, trawl.CancelReply{}, s.cancelCrawl},
		{"GET /v2/crawl/{id}/errors", "Pages of a crawl that could not be had", trawl.ScopeCrawl, access.ClassCrawlStatus, "", nil, nil, trawl.CrawlErrors{}, s.crawlErrors},

		{"POST /v2/map", "List the addresses of a site", trawl.ScopeMap, access.ClassMap, "", nil, trawl.MapRequest{}, trawl.MapReply{}, s.mapSite},

		{"POST /v2/parse", "Turn a file into a document", trawl.ScopeParse, access.ClassScrape, trawl.ScopeParse, nil, upload{trawl.UploadedRequest{}, trawl.ParseOptions{}}, trawl.ScrapeReply{}, s.parse},
		{"POST /v2/parse/upload-url", "Make a place to send a file to", trawl.ScopeParse, access.ClassScrape, "", nil, trawl.UploadRequest{}, trawl.UploadReply{}, s.openSlot},
		{"PUT /v2/parse/upload/{uploadId}", "Send a file to its place", "", "", anyone, trawl.UploadQuery{}, upload{}, trawl.OKReply{}, s.upload},

		{"GET /v2/search/gov", "Search primary US law", trawl.ScopeGov, access.ClassGov, trawl.ScopeGov, trawl.GovSearchQuery{}, nil, trawl.GovSearchReply{}, s.govQuery},
		{"POST /v2/search/gov", "Search primary US law", trawl.ScopeGov, access.ClassGov, trawl.ScopeGov, nil, trawl.GovSearchRequest{}, trawl.GovSearchReply{}, s.govBody},

		{"GET /v2/team", "The team of the key, and its limits", "", access.ClassAccount, "", nil, nil, trawl.TeamReply{}, s.team},
		{"GET /v2/team/credit-usage", "Credits left this month", "", access.ClassAccount, "", nil, nil, trawl.CreditUsageReply{}, s.creditUsage},
		{"GET /v2/team/credit-usage/historical", "Credits used, month by month", "", access.ClassAccount, "", nil, nil, trawl.HistoryReply{}, s.creditHistory},
		{"GET /v2/team/token-usage", "Tokens left this month", "", access.ClassAccount, "", nil, nil, trawl.TokenUsageReply{}, s.tokenUsage},
		{"GET /v2/team/token-usage/historical", "Tokens used, month by month", "", access.ClassAccount, "", nil, nil, trawl.HistoryReply{}, s.tokenHistory},
		{"GET /v2/team/queue-status", "Work that waits and runs", "", access.ClassAccount, "", nil, nil, trawl.QueueReply{}, s.queueStatus},
		{"GET /v2/team/activity", "Requests of the last day", "", access.ClassAccount, "", nil, nil, trawl.ActivityReply{}, s.activity},
		{"GET /v2/concurrency-check", "Pages being loaded now", "", access.ClassCrawlStatus, "", nil, nil, trawl.ConcurrencyReply{}, s.concurrency},
		{"POST /v2/team/api-keys", "Make a key, no wider than the one that asks", "", access.ClassAccount, "", nil, trawl.KeyRequest{}, trawl.KeyReply{}, s.createKey},
		{"GET /v2/team/api-keys", "List the team's keys", trawl.ScopeAdmin, access.ClassAccount, "", nil, nil, trawl.KeysReply{}, s.listKeys},
		{"DELETE /v2/team/api-keys/{id}", "Revoke a key", trawl.ScopeAdmin, access.ClassAccount, "", nil, nil, trawl.OKReply{}, s.revokeKey},
	}
}

// beside are the addresses outside the API proper. They need no key.
func (s *Server) beside() map[string]handler {
	return map[string]handler{
		"GET /{$}":          s.home,
		"GET /healthz":      s.healthz,
		"GET /readyz":       s.readyz,
		"GET /metrics":      s.metrics,
		"GET /openapi.json": s.openapi,
		"GET /docs":         s.docs,
		"GET /files/{name}": s.file,
		"GET /auth.md":      s.authGuide,
		"GET /.well-known/oauth-protected-resource":   s.protectedResource,
		"GET /.well-known/oauth-authorization-server": s.authorizationServer,
	}
}

// path is the pattern without its method.
func (r route) path() string {
	_, path, _ := strings.Cut(r.pattern, " ")
	return path
}

func (r route) operation() openapi.Operation {
	method, path, _ := strings.Cut(r.pattern, " ")
	tag := strings.Split(strings.TrimPrefix(path, "/v2/"), "/")[0]
	op := openapi.Operation{
		Method: method, Path: path, ID: operationID(method, path), Tag: tag, Summary: r.summary,
		Query: r.query, Body: r.body, Reply: r.reply, Open: r.keyless == anyone,
	}
	if files, ok := r.body.(upload); ok {
		op.Body, op.Form, op.Bytes = files.json, files.options, files.json == nil
	}
	return op
}

// operationID makes getTeamActivity of GET /v2/team/activity.
func operationID(method, path string) string {
	words := strings.FieldsFunc(strings.TrimPrefix(path, "/v2"), func(c rune) bool {
		return strings.ContainsRune("/-{}", c)
	})
	id := strings.ToLower(method)
	for _, word := range words {
		id += strings.ToUpper(word[:1]) + word[1:]
	}
	return id
}

// serve puts the checks every operation shares before its handler.
func (s *Server) serve(rt route) http.HandlerFunc {
	return s.plain(rt.path(), func(w http.ResponseWriter, r *http.Request) error {
		r, err := s.enter(w, r, rt)
		if err != nil {
			return err
		}
		return rt.handle(w, r)
	})
}
