package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
)

const keyColumns = `id, team_id, last4, name, owner_id, scopes, formats, spend_credits, spend_interval, created_at, last_used_at, expires_at, revoked_at`

// InsertKey keeps a key under the hash of its text. The team must exist.
func (s *Store) InsertKey(ctx context.Context, hash string, k trawl.Key) error {
	scopes, err := listText(k.Scopes)
	if err != nil {
		return err
	}
	formats, err := listText(k.Formats)
	if err != nil {
		return err
	}
	var spend trawl.SpendLimit
	if k.SpendLimit != nil {
		spend = *k.SpendLimit
	}
	return s.InTx(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `INSERT INTO keys (hash, `+keyColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			hash, k.ID, k.TeamID, k.Last4, k.Name, k.OwnerID, scopes, formats, spend.Credits, spend.Interval,
			millis(k.CreatedAt), millis(k.LastUsedAt), millis(k.ExpiresAt), millis(k.RevokedAt))
		return err
	})
}

// KeyByHash gives a key, revoked and expired ones too, or ErrNotFound.
func (s *Store) KeyByHash(ctx context.Context, hash string) (trawl.Key, error) {
	return one(ctx, s.reader(), scanKey, `SELECT `+keyColumns+` FROM keys WHERE hash = ?`, hash)
}

// Keys gives the keys of a team that are not revoked, oldest first; of all teams when team is empty.
func (s *Store) Keys(ctx context.Context, team string) ([]trawl.Key, error) {
	return all(ctx, s.reader(), scanKey,
		`SELECT `+keyColumns+` FROM keys WHERE (team_id = ? OR ? = '') AND revoked_at = 0 ORDER BY created_at, id`, team, team)
}

// AllKeys gives every key a team ever had: usage is reported by the names of revoked ones too.
func (s *Store) AllKeys(ctx context.Context, team string) ([]trawl.Key, error) {
	return all(ctx, s.reader(), scanKey, `SELECT `+keyColumns+` FROM keys WHERE team_id = ? ORDER BY created_at, id`, team)
}

// RevokeKey makes a key invalid. With mayRevoke it first asks whether this key
// may go, given the keys the team has; all in one transaction, so that two
// revocations cannot each believe that the other key stays. An empty team means any.
func (s *Store) RevokeKey(ctx context.Context, team, id string, now time.Time, mayRevoke func(k trawl.Key, others []trawl.Key) error) error {
	return s.InTx(ctx, func(tx *Tx) error {
		if err := tx.lockNamed(ctx, "keys"); err != nil {
			return err
		}
		key, err := one(ctx, tx.conn, scanKey,
			`SELECT `+keyColumns+` FROM keys WHERE id = ? AND (team_id = ? OR ? = '') AND revoked_at = 0`, id, team, team)
		if err != nil {
			return err
		}
		others, err := all(ctx, tx.conn, scanKey,
			`SELECT `+keyColumns+` FROM keys WHERE team_id = ? AND id <> ? AND revoked_at = 0`, key.TeamID, id)
		if err != nil {
			return err
		}
		if mayRevoke != nil {
			if err := mayRevoke(key, others); err != nil {
				return err
			}
		}
		_, err = tx.exec(ctx, `UPDATE keys SET revoked_at = ? WHERE id = ?`, now.UnixMilli(), id)
		return err
	})
}

// TouchKeys records when keys were last used.
func (tx *Tx) TouchKeys(ctx context.Context, used map[string]time.Time) error {
	for _, id := range slices.Sorted(maps.Keys(used)) { // in one order, so that two processes cannot deadlock
		at := used[id].UnixMilli()
		if _, err := tx.exec(ctx, `UPDATE keys SET last_used_at = ? WHERE id = ? AND last_used_at < ?`, at, id, at); err != nil {
			return err
		}
	}
	return nil
}

func scanKey(r row) (k trawl.Key, err error) {
	var scopes, formats string
	var spend trawl.SpendLimit
	var created, used, expires, revoked int64
	err = r.Scan(&k.ID, &k.TeamID, &k.Last4, &k.Name, &k.OwnerID, &scopes, &formats, &spend.Credits, &spend.Interval,
		&created, &used, &expires, &revoked)
	if err != nil {
		return k, err
	}
	k.CreatedAt, k.LastUsedAt, k.ExpiresAt, k.RevokedAt = moment(created), moment(used), moment(expires), moment(revoked)
	if spend.Credits > 0 {
		k.SpendLimit = &spend
	}
	if err := textList(scopes, &k.Scopes); err != nil {
		return k, err
	}
	return k, textList(formats, &k.Formats)
}
