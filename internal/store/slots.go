package store

import (
	"context"
	"time"
)

// TakeSlot takes one of a team's slots until the given time, unless most are taken.
func (s *Store) TakeSlot(ctx context.Context, team, id string, most int, now, until time.Time) (ok bool, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if err := tx.lockNamed(ctx, "slots "+team); err != nil {
			return err
		}
		if _, err := tx.exec(ctx, `DELETE FROM slots WHERE team_id = ? AND expires_at < ?`, team, now.UnixMilli()); err != nil {
			return err
		}
		busy, err := one(ctx, tx.conn, scanInt, `SELECT COUNT(*) FROM slots WHERE team_id = ?`, team)
		if err != nil || busy >= int64(most) {
			return err
		}
		ok = true
		_, err = tx.exec(ctx, `INSERT INTO slots (id, team_id, expires_at) VALUES (?, ?, ?)`, id, team, until.UnixMilli())
		return err
	})
	return ok, err
}

// KeepSlot moves the time at which a slot would be taken for lost.
func (s *Store) KeepSlot(ctx context.Context, id string, until time.Time) error {
	return s.InTx(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `UPDATE slots SET expires_at = ? WHERE id = ?`, until.UnixMilli(), id)
		return err
	})
}

// GiveSlot frees a slot.
func (s *Store) GiveSlot(ctx context.Context, id string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `DELETE FROM slots WHERE id = ?`, id)
		return err
	})
}

// BusySlots counts the slots a team holds.
func (s *Store) BusySlots(ctx context.Context, team string, now time.Time) (int, error) {
	n, err := one(ctx, s.reader(), scanInt, `SELECT COUNT(*) FROM slots WHERE team_id = ? AND expires_at >= ?`, team, now.UnixMilli())
	return int(n), err
}
