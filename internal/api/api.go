// Package api is the door: /v2 over HTTP.
//
// routes.go is the whole surface on one screen. A handler decodes, calls one
// method of a capability and replies; it returns its error, and fail turns
// errors into answers through the one table from kind to status. What every
// request passes before its handler (who asks, how often, may they) is in
// enter.go, in the order the contract fixes.
package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/api/openapi"
	"github.com/trawlhq/trawl/internal/telemetry"
)

// Options are what the doors need: the capabilities, the gate, and a few
// decisions of the operator.
type Options struct {
	Access  *access.Service
	Scraper trawl.Scraper
	Crawler trawl.Crawler
	Batches trawl.BatchScraper
	Mapper  trawl.Mapper
	Parser  trawl.FileParser
	Uploads trawl.Uploads
	Gov     trawl.GovSearcher
	Files   Files // screenshots and the like that answers point to

	CheckURL func(raw string) (issue string) // what is wrong with an address field; empty: nothing
	Queue    Queue                           // work that waits and runs, per team

	PublicURL      string // what absolute links start with; empty: as the request came in
	TrustedProxies []netip.Prefix
	BodyLimit      int64  // bytes of a JSON body; 0: 10 MiB
	SpoolDir       string // where large uploads lie while they arrive; empty: the system's
	Version        string
	HealthOnly     bool // a worker: no API, only whether it is well

	Checks  []Check // what /readyz looks at
	Log     *slog.Logger
	Metrics *telemetry.Metrics
}

// Queue tells how much of a team's durable work waits and runs.
type Queue interface {
	Depth(ctx context.Context, team string) (waiting, active int, err error)
}

// Check is one part that must work for the server to be of use.
type Check struct {
	Name   string
	Verify func(ctx context.Context) (detail string, err error)
}

// DefaultBodyLimit is the largest JSON body accepted.
const DefaultBodyLimit = 10 << 20

// Server answers requests.
type Server struct {
	Options
	public   *url.URL
	document *openapi.Document
	spec     []byte
	mux      *http.ServeMux
	access   *access.Service
}

// New makes a server. An error is a mistake in our own route table or in PublicURL.
func New(o Options) (*Server, error) {
	if o.BodyLimit == 0 {
		o.BodyLimit = DefaultBodyLimit
	}
	s := &Server{Options: o, mux: http.NewServeMux(), access: o.Access}
	if o.PublicURL != "" {
		public, err := url.Parse(o.PublicURL)
		if err != nil || public.Host == "" {
			return nil, fmt.Errorf("public URL %q is not an absolute address", o.PublicURL)
		}
		s.public = public
	}
	routes := s.routes()
	if err := s.describe(routes); err != nil {
		return nil, err
	}
	if o.HealthOnly {
		routes = nil
	}
	for _, r := range routes {
		s.mux.HandleFunc(r.pattern, s.serve(r))
	}
	for pattern, h := range s.beside() {
		s.mux.HandleFunc(pattern, s.plain(pattern, h))
	}
	s.mux.HandleFunc("/", s.plain("unknown", notFound))
	return s, nil
}

// Handler gives the whole stack.
func (s *Server) Handler() http.Handler { return s.outermost(s.mux) }

// describe makes the OpenAPI document, whose schemas validate the requests.
func (s *Server) describe(routes []route) error {
	operations := make([]openapi.Operation, len(routes))
	for i, r := range routes {
		operations[i] = r.operation()
	}
	document, err := openapi.New("trawl", s.Version, operations)
	if err != nil {
		return fmt.Errorf("describe the API: %w", err)
	}
	s.document = document
	s.spec, err = document.JSON()
	return err
}

// handler is what a route calls: it replies, or returns why it cannot.
type handler func(w http.ResponseWriter, r *http.Request) error

func notFound(http.ResponseWriter, *http.Request) error {
	return trawl.Errorf(trawl.NotFound, "Not Found")
}
