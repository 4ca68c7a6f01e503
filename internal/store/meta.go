package store

import (
	"context"
	"fmt"
)

// Meta returns a small fact about the installation, or ErrNotFound.
func (s *Store) Meta(ctx context.Context, name string) (string, error) {
	value, err := one(ctx, s.reader(), scanString, `SELECT value FROM meta WHERE name = ?`, name)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	return value, nil
}

// SetMeta remembers a small fact about the installation, replacing an earlier one.
func (s *Store) SetMeta(ctx context.Context, name, value string) error {
	return s.InTx(ctx, func(tx *Tx) error { return tx.SetMeta(ctx, name, value) })
}

// SetMeta is Store.SetMeta as a part of tx.
func (tx *Tx) SetMeta(ctx context.Context, name, value string) error {
	_, err := tx.exec(ctx, `INSERT INTO meta (name, value) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	if err != nil {
		return fmt.Errorf("set %s: %w", name, err)
	}
	return nil
}

// KeepMeta remembers a small fact unless there is one of that name, and returns
// the one that is kept: of several processes that start at once, all get the same.
func (s *Store) KeepMeta(ctx context.Context, name, value string) (kept string, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.exec(ctx, `INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`, name, value); err != nil {
			return err
		}
		kept, err = one(ctx, tx.conn, scanString, `SELECT value FROM meta WHERE name = ?`, name)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("keep %s: %w", name, err)
	}
	return kept, nil
}
