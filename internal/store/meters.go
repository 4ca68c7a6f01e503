package store

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// Meter counts something in a window, up to a limit.
type Meter struct {
	Name    string
	Starts  time.Time // of the window
	Ends    time.Time
	Limit   int64 // 0: none
	KeepFor time.Duration
}

// id tells the meter's window from its other windows.
func (m Meter) id() string { return m.Name + "@" + strconv.FormatInt(m.Starts.UnixMilli(), 36) }

// Take adds n to a meter unless that would pass its limit, and tells what the
// meter then says. Concurrent callers, also in other processes, never get more
// than the limit together.
func (s *Store) Take(ctx context.Context, m Meter, n int64) (used int64, ok bool, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		used, ok, err = tx.take(ctx, m, n)
		return err
	})
	return used, ok, err
}

// TakeAll takes n from several meters, or from none of them when one is at its
// limit; that one is returned. The meters must always come in the same order.
func (s *Store) TakeAll(ctx context.Context, meters []Meter, n int64) (full *Meter, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		for i := range meters {
			_, ok, err := tx.take(ctx, meters[i], n)
			if err != nil {
				return err
			}
			if !ok {
				full = &meters[i]
				return errMeterFull
			}
		}
		return nil
	})
	if errors.Is(err, errMeterFull) {
		err = nil
	}
	return full, err
}

// errMeterFull undoes the transaction in which a meter was found at its limit.
var errMeterFull = errors.New("meter is at its limit")

// Give puts back what was taken but not used; more than was taken can be
// charged with a negative n, whatever the limit says.
func (s *Store) Give(ctx context.Context, meters []Meter, n int64) error {
	return s.InTx(ctx, func(tx *Tx) error { return tx.Give(ctx, meters, n) })
}

// Give is Store.Give as a part of a larger operation.
func (tx *Tx) Give(ctx context.Context, meters []Meter, n int64) error {
	for _, m := range meters {
		if _, err := tx.exec(ctx, `UPDATE meters SET used = used - ? WHERE id = ?`, n, m.id()); err != nil {
			return err
		}
	}
	return nil
}

// Used tells what a meter says.
func (s *Store) Used(ctx context.Context, m Meter) (int64, error) {
	return one(ctx, s.reader(), scanInt, `SELECT COALESCE(SUM(used), 0) FROM meters WHERE id = ?`, m.id())
}

func (tx *Tx) take(ctx context.Context, m Meter, n int64) (used int64, ok bool, err error) {
	expires := m.Ends.Add(m.KeepFor).UnixMilli()
	_, err = tx.exec(ctx, `INSERT INTO meters (id, used, expires_at) VALUES (?, 0, ?) ON CONFLICT (id) DO NOTHING`, m.id(), expires)
	if err != nil {
		return 0, false, err
	}
	changed, err := tx.exec(ctx, `UPDATE meters SET used = used + ? WHERE id = ? AND (? = 0 OR used + ? <= ?)`,
		n, m.id(), m.Limit, n, m.Limit)
	if err != nil {
		return 0, false, err
	}
	used, err = one(ctx, tx.conn, scanInt, `SELECT used FROM meters WHERE id = ?`, m.id())
	return used, changed > 0, err
}
