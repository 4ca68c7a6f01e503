package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// GovRelease is one version of the government index as all nodes serve it.
type GovRelease struct {
	Number      int64
	ID          string // digest of the manifest
	Manifest    string // JSON; package gov knows what it says
	PublishedAt time.Time
}

// NoteGovRelease is the text Listen hears when a release is published.
const NoteGovRelease = "gov-release"

// AddGovRelease publishes a release, unless another one came first: its number
// must follow the highest there is, or the answer is ErrConflict.
func (s *Store) AddGovRelease(ctx context.Context, r GovRelease) error {
	err := s.InTx(ctx, func(tx *Tx) error {
		if err := tx.lockNamed(ctx, "gov releases"); err != nil {
			return err
		}
		newest, err := one(ctx, tx.conn, scanInt, `SELECT COALESCE(MAX(number), 0) FROM gov_releases`)
		if err != nil {
			return err
		}
		if r.Number != newest+1 {
			return fmt.Errorf("release %d is there: %w", newest, ErrConflict)
		}
		_, err = tx.exec(ctx, `INSERT INTO gov_releases (number, id, manifest, published_at) VALUES (?, ?, ?, ?)`,
			r.Number, r.ID, r.Manifest, r.PublishedAt.UnixMilli())
		return errors.Join(err, tx.Notify(ctx, NoteGovRelease))
	})
	if err != nil {
		return fmt.Errorf("publish release %d of the government index: %w", r.Number, err)
	}
	return nil
}

// GovReleases gives all releases, the newest first.
func (s *Store) GovReleases(ctx context.Context) ([]GovRelease, error) {
	releases, err := all(ctx, s.reader(), func(r row) (g GovRelease, err error) {
		var published int64
		err = r.Scan(&g.Number, &g.ID, &g.Manifest, &published)
		g.PublishedAt = moment(published)
		return g, err
	}, `SELECT number, id, manifest, published_at FROM gov_releases ORDER BY number DESC`)
	if err != nil {
		return nil, fmt.Errorf("list releases of the government index: %w", err)
	}
	return releases, nil
}

// NewestGovRelease gives number and digest of the newest release, without its
// manifest; ErrNotFound: there is none. It is cheap enough to be asked often.
func (s *Store) NewestGovRelease(ctx context.Context) (GovRelease, error) {
	newest, err := one(ctx, s.reader(), func(r row) (g GovRelease, err error) {
		return g, r.Scan(&g.Number, &g.ID)
	}, `SELECT number, id FROM gov_releases ORDER BY number DESC LIMIT 1`)
	if err != nil {
		return GovRelease{}, fmt.Errorf("look for a release of the government index: %w", err)
	}
	return newest, nil
}

// DropGovReleases forgets the releases below a number.
func (s *Store) DropGovReleases(ctx context.Context, below int64) error {
	err := s.InTx(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `DELETE FROM gov_releases WHERE number < ?`, below)
		return err
	})
	if err != nil {
		return fmt.Errorf("drop releases of the government index: %w", err)
	}
	return nil
}
