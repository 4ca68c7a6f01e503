package trawl

import "context"

// Mapper finds the addresses of a site.
type Mapper interface {
	Map(ctx context.Context, req MapRequest) (*MapReply, error)
}

// MapRequest is the body of POST /v2/map.
type MapRequest struct {
	URL                    string            `json:"url" schema:"required" doc:"Where to look; a host that redirects to another is followed."`
	Search                 string            `json:"search,omitempty" doc:"Rank the addresses by relevance to this text."`
	Sitemap                string            `json:"sitemap,omitempty" schema:"enum=include|skip|only,default=include" doc:"Whether sitemaps are read, and whether anything else is."`
	IncludeSubdomains      *bool             `json:"includeSubdomains,omitempty" schema:"default=true" doc:"Keep addresses of other hosts of the registrable domain."`
	IgnoreQueryParameters  *bool             `json:"ignoreQueryParameters,omitempty" schema:"default=true" doc:"Strip queries, then remove duplicates."`
	Limit                  int               `json:"limit,omitempty" schema:"min=1,max=100000,default=5000" doc:"Addresses at most."`
	Timeout                int               `json:"timeout,omitempty" schema:"min=1" doc:"Milliseconds; there is no partial result."`
	Location               *Location         `json:"location,omitempty" doc:"Where the requests should seem to come from."`
	Headers                map[string]string `json:"headers,omitempty" doc:"Sent to the site."`
	FilterByPath           *bool             `json:"filterByPath,omitempty" schema:"default=true" doc:"With a start that has a path, keep only what is below it."`
	UseIndex               *bool             `json:"useIndex,omitempty" schema:"default=true" doc:"Also addresses this server knows already."`
	IgnoreCache            bool              `json:"ignoreCache,omitempty" schema:"default=false" doc:"Read every sitemap anew."`
	IncludePaths           []string          `json:"includePaths,omitempty" schema:"default=[]" doc:"RE2 patterns; when there are any, one must match the path."`
	ExcludePaths           []string          `json:"excludePaths,omitempty" schema:"default=[]" doc:"RE2 patterns; a path that one matches is left out."`
	RegexOnFullURL         bool              `json:"regexOnFullURL,omitempty" schema:"default=false" doc:"Match the whole address instead of its path."`
	AllowExternalLinks     bool              `json:"allowExternalLinks,omitempty" schema:"default=false" doc:"Keep other domains, and do not filter by path."`
	CrawlEntireDomain      bool              `json:"crawlEntireDomain,omitempty" doc:"Accepted; has no effect."`
	AllowSubdomains        bool              `json:"allowSubdomains,omitempty" doc:"Accepted; has no effect."`
	MaxDiscoveryDepth      *int              `json:"maxDiscoveryDepth,omitempty" schema:"min=0" doc:"Accepted; has no effect."`
	DeduplicateSimilarURLs *bool             `json:"deduplicateSimilarURLs,omitempty" schema:"default=true" doc:"http and https, www. and none, index files: one address."`
	IgnoreRobotsTxt        bool              `json:"ignoreRobotsTxt,omitempty" doc:"Accepted; has no effect: nothing is fetched because of a map."`
	RobotsUserAgent        string            `json:"robotsUserAgent,omitempty" doc:"Accepted; has no effect."`
	Delay                  *float64          `json:"delay,omitempty" schema:"max=60" doc:"Accepted; has no effect."`
	UseMock                any               `json:"useMock,omitempty" doc:"Accepted and ignored."`
	AuditMetadata          *AuditMetadata    `json:"auditMetadata,omitempty" doc:"Written to the audit log."`
	ThreatProtection       *ThreatProtection `json:"threatProtection,omitempty" doc:"Hosts that must not, or may, be fetched."`
}

// DefaultMapLimit is the number of addresses of a map that names none.
const DefaultMapLimit = 5000

// Validate gives the issues that no schema expresses.
func (r MapRequest) Validate() []Issue {
	issues := checkPatterns(r.IncludePaths, "includePaths")
	issues = append(issues, checkPatterns(r.ExcludePaths, "excludePaths")...)
	return append(issues, r.Location.validate()...)
}

// Subdomains tells whether other hosts of the domain are kept.
func (r MapRequest) Subdomains() bool { return yes(r.IncludeSubdomains) }

// WithoutQuery tells whether queries are stripped.
func (r MapRequest) WithoutQuery() bool { return yes(r.IgnoreQueryParameters) }

// ByPath tells whether only addresses below the path of the start are kept.
func (r MapRequest) ByPath() bool { return yes(r.FilterByPath) && !r.AllowExternalLinks }

// Indexed tells whether addresses this server knows already may be used.
func (r MapRequest) Indexed() bool { return yes(r.UseIndex) }

// Similar tells whether similar addresses are one.
func (r MapRequest) Similar() bool { return yes(r.DeduplicateSimilarURLs) }

// MapReply answers POST /v2/map.
type MapReply struct {
	Success bool      `json:"success"`
	ID      string    `json:"id"`
	Links   []MapLink `json:"links"`
	Warning string    `json:"warning,omitempty"`
}

// MapLink is one address of a site.
type MapLink struct {
	URL         string `json:"url"`
	Title       string `json:"title,omitempty"`       // 60 characters at most
	Description string `json:"description,omitempty"` // 160 characters at most
}
