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

// ID tells the meter's window from its other windows.
func (m Meter) ID() string { return m.Name + "@" + strconv.FormatInt(m.Starts.UnixMilli(), 36) }

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

// TakeAhead takes at least n from each of several meters, or from none of them
// when one is at its limit; that one is returned. From a meter that is far from
// its limit it takes more, up to most, to save later calls. The meters must
// always come in the same order.
func (s *Store) TakeAhead(ctx context.Context, meters []Meter, n, most int64) (granted []int64, full *Meter, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		granted, full = granted[:0], nil
		for i := range meters {
			grant, err := tx.takeAhead(ctx, meters[i], n, most)
			if err != nil {
				return err
			}
			if grant == 0 {
				full = &meters[i]
				return errMeterFull
			}
			granted = append(granted, grant)
		}
		return nil
	})
	if errors.Is(err, errMeterFull) {
		err = nil
	}
	return granted, full, err
}

// aheadPart is the part of what a meter has left that may be taken ahead.
const aheadPart = 20

// takeAhead takes from one meter; 0 means that it has not enough left.
func (tx *Tx) takeAhead(ctx context.Context, m Meter, n, most int64) (int64, error) {
	if err := tx.ensureMeter(ctx, m); err != nil {
		return 0, err
	}
	used, err := one(ctx, tx.conn, scanInt, `SELECT used FROM meters WHERE id = ?`+tx.dialect.lockRows, m.ID())
	if err != nil {
		return 0, err
	}
	grant := max(n, most)
	if m.Limit > 0 {
		free := m.Limit - used
		if free < n {
			return 0, nil
		}
		grant = max(n, min(free/aheadPart, most))
	}
	_, err = tx.exec(ctx, `UPDATE meters SET used = used + ? WHERE id = ?`, grant, m.ID())
	return grant, err
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
		if _, err := tx.exec(ctx, `UPDATE meters SET used = used - ? WHERE id = ?`, n, m.ID()); err != nil {
			return err
		}
	}
	return nil
}

// Used tells what a meter says.
func (s *Store) Used(ctx context.Context, m Meter) (int64, error) {
	return one(ctx, s.reader(), scanInt, `SELECT COALESCE(SUM(used), 0) FROM meters WHERE id = ?`, m.ID())
}

func (tx *Tx) take(ctx context.Context, m Meter, n int64) (used int64, ok bool, err error) {
	if err := tx.ensureMeter(ctx, m); err != nil {
		return 0, false, err
	}
	changed, err := tx.exec(ctx, `UPDATE meters SET used = used + ? WHERE id = ? AND (? = 0 OR used + ? <= ?)`,
		n, m.ID(), m.Limit, n, m.Limit)
	if err != nil {
		return 0, false, err
	}
	used, err = one(ctx, tx.conn, scanInt, `SELECT used FROM meters WHERE id = ?`, m.ID())
	return used, changed > 0, err
}

func (tx *Tx) ensureMeter(ctx context.Context, m Meter) error {
	_, err := tx.exec(ctx, `INSERT INTO meters (id, used, expires_at) VALUES (?, 0, ?) ON CONFLICT (id) DO NOTHING`,
		m.ID(), m.Ends.Add(m.KeepFor).UnixMilli())
	return err
}
