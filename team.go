package trawl

import (
	"context"
	"time"
)

// DefaultTeam is the team that exists from the first start.
const DefaultTeam = "default"

// Unlimited stands on the wire for a number without a limit: clients expect an integer.
const Unlimited = 1_000_000_000

// Team owns keys, jobs, credits, change history and rate buckets.
type Team struct {
	ID            string
	Name          string
	Plan          string
	WebhookSecret string
	AllowedIPs    []string // addresses and CIDR ranges; empty: all
	CreatedAt     time.Time
}

// Key is what a caller shows. Only its hash is kept.
type Key struct {
	ID         string
	TeamID     string
	Name       string
	OwnerID    string
	Last4      string
	Scopes     []string // empty: everything but admin
	Formats    []string // empty: every format
	SpendLimit *SpendLimit
	CreatedAt  time.Time
	LastUsedAt time.Time // zero: never
	ExpiresAt  time.Time // zero: never
	RevokedAt  time.Time // zero: valid
}

// SpendLimit caps what one key may spend in an interval.
type SpendLimit struct {
	Credits  int    `json:"credits" schema:"required,min=1"`
	Interval string `json:"interval" schema:"required,enum=day|week|month"`
}

// The scopes of a key. ScopeAdmin must be listed, the others are implied by an empty list.
const (
	ScopeScrape      = "scrape"
	ScopeBatchScrape = "batch-scrape"
	ScopeCrawl       = "crawl"
	ScopeMap         = "map"
	ScopeSearch      = "search"
	ScopeGov         = "gov"
	ScopeExtract     = "extract"
	ScopeAgent       = "agent"
	ScopeParse       = "parse"
	ScopeInteract    = "interact"
	ScopeMonitor     = "monitor"
	ScopeAdmin       = "admin"
)

// Scopes are all scopes, in the order of the documentation.
var Scopes = []string{
	ScopeScrape, ScopeBatchScrape, ScopeCrawl, ScopeMap, ScopeSearch, ScopeGov, ScopeExtract, ScopeAgent,
	ScopeParse, ScopeInteract, ScopeMonitor, ScopeAdmin,
}

// Caller is on whose behalf something is done.
type Caller struct {
	TeamID string
	KeyID  string // empty for keyless callers and with authentication off
}

type callerKey struct{}

// WithCaller puts the caller into ctx.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom gives the caller; without one it is the default team, as on the terminal.
func CallerFrom(ctx context.Context) Caller {
	if c, ok := ctx.Value(callerKey{}).(Caller); ok {
		return c
	}
	return Caller{TeamID: DefaultTeam}
}
