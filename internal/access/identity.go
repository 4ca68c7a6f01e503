package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Identity is a caller that was let in.
type Identity struct {
	Team    trawl.Team
	Key     trawl.Key // zero for keyless callers and with authentication off
	Plan    Plan
	Keyless bool
	all     bool // authentication is off: nothing is forbidden
}

// Caller gives the identity in the form the capabilities know.
func (id Identity) Caller() trawl.Caller {
	return trawl.Caller{TeamID: id.Team.ID, KeyID: id.Key.ID}
}

// errToken is the one answer to every key that does not open the door: it does
// not tell whether the key is malformed, unknown, expired or revoked.
func errToken() error {
	return trawl.Errorf(trawl.Unauthorized, "Unauthorized: Invalid token")
}

// Authenticate tells who shows this token from this address.
func (a *Service) Authenticate(ctx context.Context, token string, from netip.Addr) (Identity, error) {
	if a.options.Off {
		team, err := a.keys.team(ctx, trawl.DefaultTeam)
		return Identity{Team: team, Plan: a.Plan(team), all: true}, err
	}
	if !IsToken(token) {
		return Identity{}, errToken()
	}
	held, err := a.keys.get(ctx, token)
	if errors.Is(err, store.ErrNotFound) {
		return Identity{}, errToken()
	}
	if err != nil {
		return Identity{}, err
	}
	now := a.now()
	if !held.key.RevokedAt.IsZero() || !held.key.ExpiresAt.IsZero() && now.After(held.key.ExpiresAt) {
		return Identity{}, errToken()
	}
	if err := checkAddress(held.team, from); err != nil {
		return Identity{}, err
	}
	a.ledger.touch(held.key.ID, now)
	return Identity{Team: held.team, Key: held.key, Plan: a.Plan(held.team)}, nil
}

// checkAddress holds a team to the addresses it allows. A range that cannot be
// read is a fault of ours, never a reason to let somebody through.
func checkAddress(team trawl.Team, from netip.Addr) error {
	if len(team.AllowedIPs) == 0 {
		return nil
	}
	from = from.Unmap().WithZone("")
	for _, text := range team.AllowedIPs {
		prefix, err := parseRange(text)
		if err != nil {
			return trawl.Errorf(trawl.Internal, "Internal Server Error").Because(err)
		}
		if prefix.Contains(from) {
			return nil
		}
	}
	return forbidden("This address is not on the team's allowlist.", team.AllowedIPs)
}

// parseRange reads an address or a range of them.
func parseRange(text string) (netip.Prefix, error) {
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return prefix, nil
	}
	addr, err := netip.ParseAddr(text)
	return netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()), err
}

// Permit checks that the key may use a group of endpoints. An empty scope is open to every key.
func (id Identity) Permit(scope string) error {
	if id.all || id.Keyless || scope == "" || slices.Contains(id.Key.Scopes, scope) {
		return nil
	}
	if len(id.Key.Scopes) == 0 && scope != trawl.ScopeAdmin {
		return nil
	}
	return forbidden("The key lacks the scope "+scope+".", id.Key.Scopes)
}

// PermitOptions checks that the key may have these formats and actions.
func (id Identity) PermitOptions(o trawl.ScrapeOptions) error {
	allowed := id.Key.Formats
	if len(allowed) == 0 {
		return nil
	}
	for _, f := range o.FormatList() {
		if !slices.Contains(allowed, f.Type) {
			return forbidden("The key may not use the format "+f.Type+".", allowed)
		}
	}
	for _, action := range o.Actions {
		switch action.Type {
		case "screenshot":
			if !slices.Contains(allowed, trawl.FormatScreenshot) {
				return forbidden("The key may not take screenshots.", allowed)
			}
		case "scrape", "executeJavascript", "pdf":
			return forbidden("The key may not use the action "+action.Type+".", allowed)
		}
	}
	return nil
}

func forbidden(reason string, allowed []string) error {
	if allowed == nil {
		allowed = []string{}
	}
	return trawl.Errorf(trawl.Forbidden, "Forbidden").WithDetails(map[string]any{"reason": reason, "allowed": allowed})
}

// keyFresh is how long a key is believed without asking the store again: within
// this time a revocation by another process takes effect.
const keyFresh = 2 * time.Second

// keyCache keeps keys and teams for a moment, because every request asks for them.
type keyCache struct {
	store *store.Store
	now   func() time.Time
	mu    sync.RWMutex
	held  map[[sha256.Size]byte]heldKey
	teams map[string]heldKey
}

type heldKey struct {
	key  trawl.Key
	team trawl.Team
	read time.Time
}

func newKeyCache(s *store.Store, now func() time.Time) *keyCache {
	c := &keyCache{store: s, now: now}
	c.forget()
	return c
}

// forget drops everything: a key was changed in this process.
func (c *keyCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = map[[sha256.Size]byte]heldKey{}
	c.teams = map[string]heldKey{}
}

func (c *keyCache) get(ctx context.Context, token string) (heldKey, error) {
	hash := sha256.Sum256([]byte(token))
	now := c.now()
	c.mu.RLock()
	held, ok := c.held[hash]
	c.mu.RUnlock()
	if ok && now.Sub(held.read) < keyFresh {
		return held, nil
	}
	key, err := c.store.KeyByHash(ctx, hex.EncodeToString(hash[:]))
	if err != nil {
		return heldKey{}, err
	}
	team, err := c.team(ctx, key.TeamID)
	if err != nil {
		return heldKey{}, err
	}
	held = heldKey{key: key, team: team, read: now}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held[hash] = held
	return held, nil
}

func (c *keyCache) team(ctx context.Context, id string) (trawl.Team, error) {
	now := c.now()
	c.mu.RLock()
	held, ok := c.teams[id]
	c.mu.RUnlock()
	if ok && now.Sub(held.read) < keyFresh {
		return held.team, nil
	}
	team, err := c.store.Team(ctx, id)
	if err != nil {
		return team, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.teams[id] = heldKey{team: team, read: now}
	return team, nil
}

// spendLimit gives the limit of a key's own spending; nil: none.
func (c *keyCache) spendLimit(ctx context.Context, team, id string) (*trawl.SpendLimit, error) {
	c.mu.RLock()
	for _, held := range c.held {
		if held.key.ID == id {
			c.mu.RUnlock()
			return held.key.SpendLimit, nil
		}
	}
	c.mu.RUnlock()
	keys, err := c.store.AllKeys(ctx, team)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if k.ID == id {
			return k.SpendLimit, nil
		}
	}
	return nil, nil
}
