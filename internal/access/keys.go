package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// keyPrefix begins every key we issue: some clients look for it.
const keyPrefix = "fc-"

// CreateKey makes a key and gives its text, which is not kept anywhere.
func (a *Service) CreateKey(ctx context.Context, k trawl.Key) (trawl.Key, string, error) {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return k, "", fmt.Errorf("draw a key: %w", err)
	}
	token := keyPrefix + hex.EncodeToString(random)
	k, err := a.keepKey(ctx, k, token)
	return k, token, err
}

func (a *Service) keepKey(ctx context.Context, k trawl.Key, token string) (trawl.Key, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return k, fmt.Errorf("draw an id: %w", err)
	}
	k.ID, k.CreatedAt, k.Last4 = id.String(), a.now(), token[max(0, len(token)-4):]
	k.Scopes, err = NormalScopes(k.Scopes)
	if err != nil {
		return k, err
	}
	if err := a.store.InsertKey(ctx, hashOf(token), k); err != nil {
		return k, fmt.Errorf("keep key: %w", err)
	}
	a.log.InfoContext(ctx, "audit", "action", "key created", "key", k.ID, "name", k.Name, "team", k.TeamID, "by", trawl.CallerFrom(ctx).KeyID)
	return k, nil
}

// NormalScopes checks a list of scopes and replaces the older name of one.
func NormalScopes(scopes []string) ([]string, error) {
	out := make([]string, 0, len(scopes))
	for _, scope := range scopes {
		if scope == "browser" {
			scope = trawl.ScopeInteract
		}
		if !slices.Contains(trawl.Scopes, scope) {
			return nil, trawl.BadRequest([]trawl.Issue{trawl.CustomIssue(fmt.Sprintf("Unknown scope %q. Must be one of: %s", scope, strings.Join(trawl.Scopes, ", ")), "scopes")})
		}
		if !slices.Contains(out, scope) {
			out = append(out, scope)
		}
	}
	return out, nil
}

// bootstrap makes the operator's own key valid, whatever was there before.
func (a *Service) bootstrap(ctx context.Context) error {
	token := a.options.BootstrapKey
	if !IsToken(token) {
		return errors.New("the bootstrap key may only have letters, digits, '-', '_' and '.'")
	}
	_, err := a.store.KeyByHash(ctx, hashOf(token))
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	_, err = a.keepKey(ctx, trawl.Key{TeamID: trawl.DefaultTeam, Name: "bootstrap", Scopes: trawl.Scopes}, token)
	if errors.Is(err, store.ErrConflict) { // another process started at the same moment
		return nil
	}
	return err
}

// Keys gives the valid keys of a team, or of all teams.
func (a *Service) Keys(ctx context.Context, team string) ([]trawl.Key, error) {
	return a.store.Keys(ctx, team)
}

// RevokeKey makes a key invalid at once. The last key of a team that can manage
// keys stays, unless force says that the operator is at the machine.
func (a *Service) RevokeKey(ctx context.Context, team, id string, force bool) error {
	keepOne := func(k trawl.Key, others []trawl.Key) error {
		if !isAdmin(k) || slices.ContainsFunc(others, isAdmin) {
			return nil
		}
		return trawl.Errorf(trawl.Conflict, "Conflict").WithDetails(map[string]any{"reason": "This is the only admin key of the team."})
	}
	if force {
		keepOne = nil
	}
	err := a.store.RevokeKey(ctx, team, id, a.now(), keepOne)
	if errors.Is(err, store.ErrNotFound) {
		return trawl.Errorf(trawl.NotFound, "Not Found")
	}
	if err != nil {
		return err
	}
	a.keys.forget()
	a.log.InfoContext(ctx, "audit", "action", "key revoked", "key", id, "by", trawl.CallerFrom(ctx).KeyID)
	return nil
}

func isAdmin(k trawl.Key) bool { return slices.Contains(k.Scopes, trawl.ScopeAdmin) }

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// IsToken tells whether a text can be a key: it must also travel as a WebSocket subprotocol.
func IsToken(text string) bool {
	if text == "" || len(text) > 256 {
		return false
	}
	return strings.IndexFunc(text, func(c rune) bool {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		return !letter && c != '-' && c != '_' && c != '.'
	}) < 0
}
