package api

import (
	"net/http"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
)

// createKey answers POST /v2/team/api-keys: a key no wider than the one that asks.
func (s *Server) createKey(w http.ResponseWriter, r *http.Request) error {
	var req trawl.KeyRequest
	if err := s.decode(r, &req); err != nil {
		return err
	}
	key, err := narrowed(identity(r).Key, req)
	if err != nil {
		return err
	}
	key.TeamID = identity(r).Team.ID
	key, token, err := s.access.CreateKey(r.Context(), key)
	if err != nil {
		return err
	}
	view := keyView(key)
	view.Token, view.Last4 = token, ""
	return reply(w, trawl.KeyReply{Success: true, APIKey: view})
}

// narrowed makes the wanted key, if it is no wider than its parent. With
// authentication off there is no parent, and nothing to be narrower than.
func narrowed(parent trawl.Key, req trawl.KeyRequest) (trawl.Key, error) {
	scopes, err := access.NormalScopes(req.Scopes)
	if err != nil {
		return trawl.Key{}, err
	}
	for _, f := range req.Formats {
		if !slices.Contains(trawl.FormatNames, f) {
			return trawl.Key{}, trawl.BadRequest([]trawl.Issue{trawl.CustomIssue("Unknown format "+f, "formats")})
		}
	}
	key := trawl.Key{Name: req.Name, OwnerID: parent.OwnerID, Scopes: scopes, Formats: req.Formats, SpendLimit: req.SpendLimit}
	if key.Name == "" {
		key.Name = "API key"
	}
	if req.ExpiresAt != nil {
		key.ExpiresAt = time.Time(*req.ExpiresAt)
	}
	if parent.ID == "" {
		return key, nil
	}
	return key, inherit(&key, parent)
}

// inherit fills in what the request left open from the parent, and refuses what goes beyond it.
func inherit(key *trawl.Key, parent trawl.Key) error {
	if len(key.Scopes) == 0 {
		key.Scopes = slices.DeleteFunc(slices.Clone(parent.Scopes), func(s string) bool { return s == trawl.ScopeAdmin })
	}
	if len(key.Formats) == 0 {
		key.Formats = parent.Formats
	}
	if key.ExpiresAt.IsZero() || !parent.ExpiresAt.IsZero() && key.ExpiresAt.After(parent.ExpiresAt) {
		key.ExpiresAt = parent.ExpiresAt
	}
	parentIdentity := access.Identity{Key: parent}
	for _, scope := range key.Scopes {
		if err := parentIdentity.Permit(scope); err != nil {
			return err
		}
	}
	return widerFormats(key.Formats, parent.Formats)
}

func widerFormats(wanted, allowed []string) error {
	if len(allowed) == 0 {
		return nil
	}
	for _, f := range wanted {
		if !slices.Contains(allowed, f) {
			return trawl.Errorf(trawl.Forbidden, "Forbidden").
				WithDetails(map[string]any{"reason": "The key may not use the format " + f + ".", "allowed": allowed})
		}
	}
	return nil
}

// listKeys answers GET /v2/team/api-keys.
func (s *Server) listKeys(w http.ResponseWriter, r *http.Request) error {
	keys, err := s.access.Keys(r.Context(), identity(r).Team.ID)
	if err != nil {
		return err
	}
	views := make([]trawl.KeyView, len(keys))
	for i, k := range keys {
		views[i] = keyView(k)
	}
	return reply(w, trawl.KeysReply{Success: true, APIKeys: views})
}

// revokeKey answers DELETE /v2/team/api-keys/{id}.
func (s *Server) revokeKey(w http.ResponseWriter, r *http.Request) error {
	if err := s.access.RevokeKey(r.Context(), identity(r).Team.ID, r.PathValue("id"), false); err != nil {
		return err
	}
	return reply(w, trawl.OKReply{Success: true})
}

func keyView(k trawl.Key) trawl.KeyView {
	view := trawl.KeyView{
		ID: k.ID, Name: k.Name, TeamID: k.TeamID, Last4: k.Last4, SpendLimit: k.SpendLimit,
		Scopes: orEmpty(k.Scopes), Formats: orEmpty(k.Formats), CreatedAt: trawl.Timestamp(k.CreatedAt),
		LastUsedAt: stamp(k.LastUsedAt), ExpiresAt: stamp(k.ExpiresAt),
	}
	if k.OwnerID != "" {
		view.OwnerID = &k.OwnerID
	}
	return view
}

// orEmpty keeps an empty list an array on the wire.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
