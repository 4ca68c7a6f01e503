package access

import (
	"context"
	"math"
	"net/netip"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Keyless says what strangers may do, and how much of it.
type Keyless struct {
	Operations     map[string]bool // by scope; the operator's list
	RequestsPerDay int             // per address, of everything but government search
	CreditsPerDay  int
	GovPerMinute   int // government search has its own, smaller bucket
	GovPerDay      int
}

// KeylessOperations are the operations that can be opened to strangers at all.
var KeylessOperations = []string{trawl.ScopeGov, trawl.ScopeSearch, trawl.ScopeScrape, trawl.ScopeParse, trawl.ScopeInteract}

const keylessTeam = "keyless "

// isKeyless tells the pseudo teams of strangers from real ones.
func isKeyless(team string) bool { return strings.HasPrefix(team, keylessTeam) }

// Stranger lets in a caller without a key, where the operator allows it, and
// counts the request against the caller's address.
func (a *Service) Stranger(ctx context.Context, operation string, from netip.Addr) (Identity, error) {
	if a.options.Off {
		return a.Authenticate(ctx, "", from)
	}
	if operation == "" || !a.options.Keyless.Operations[operation] || !from.IsValid() {
		return Identity{}, errToken()
	}
	team := trawl.Team{ID: keylessTeam + household(from)}
	id := Identity{Team: team, Plan: a.plans[BuiltInPlan], Keyless: true}
	perDay := a.options.Keyless.RequestsPerDay
	if operation == trawl.ScopeGov {
		perDay = a.options.Keyless.GovPerDay
		if perMinute := a.options.Keyless.GovPerMinute; perMinute > 0 {
			if _, err := a.hit(ctx, "rate "+team.ID+" gov", perMinute); err != nil {
				return id, err
			}
		}
	}
	return id, a.takeDaily(ctx, team.ID, operation, perDay)
}

// takeDaily counts one of the requests a stranger has per UTC day.
func (a *Service) takeDaily(ctx context.Context, team, operation string, perDay int) error {
	kind := "any"
	if operation == trawl.ScopeGov {
		kind = operation
	}
	now := a.now()
	starts, ends := interval("day", now)
	_, ok, err := a.store.Take(ctx, store.Meter{
		Name: "requests " + kind + " " + team, Starts: starts, Ends: ends, Limit: int64(max(perDay, 0)), KeepFor: time.Hour,
	}, 1)
	if err != nil || ok {
		return err
	}
	return errBudget("requests", ends.Sub(now))
}

// keylessCreditMeters holds a stranger to a number of credits per day.
func (a *Service) keylessCreditMeters(team string, now time.Time) []store.Meter {
	if a.options.Keyless.CreditsPerDay <= 0 {
		return nil
	}
	starts, ends := interval("day", now)
	return []store.Meter{{
		Name: "credits " + team, Starts: starts, Ends: ends, Limit: int64(a.options.Keyless.CreditsPerDay), KeepFor: keepMeters,
	}}
}

// errBudget is a rate limit that a stranger met: which one, and how long it lasts.
func errBudget(reason string, wait time.Duration) error {
	err := errRate(wait)
	err.Extra = map[string]any{"reason": reason, "retry_after_seconds": int(math.Ceil(wait.Seconds()))}
	return err
}

// household is what counts as one stranger: an IPv4 address, or the 64 bits of
// an IPv6 network that one customer usually gets.
func household(from netip.Addr) string {
	from = from.Unmap().WithZone("")
	if from.Is4() {
		return from.String()
	}
	prefix, err := from.Prefix(64)
	if err != nil {
		return from.String()
	}
	return prefix.String()
}
