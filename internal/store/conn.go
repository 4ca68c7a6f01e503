package store

import (
	"context"
	"database/sql"
)

// querier is what a pool and a transaction have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// conn runs statements written with ? on either database, in or outside a transaction.
type conn struct {
	db      querier
	dialect dialect
}

// row is what a scan function reads one result from.
type row interface{ Scan(dest ...any) error }

// exec runs a statement and returns how many rows it touched.
func (c conn) exec(ctx context.Context, query string, args ...any) (int64, error) {
	res, err := c.db.ExecContext(ctx, c.dialect.rebind(query), args...)
	if err != nil {
		return 0, classify(err)
	}
	return res.RowsAffected()
}

// all returns every row of a query.
func all[T any](ctx context.Context, c conn, scan func(row) (T, error), query string, args ...any) ([]T, error) {
	rows, err := c.db.QueryContext(ctx, c.dialect.rebind(query), args...)
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var found []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, classify(err)
		}
		found = append(found, v)
	}
	return found, classify(rows.Err())
}

// one returns the first row of a query, or ErrNotFound.
func one[T any](ctx context.Context, c conn, scan func(row) (T, error), query string, args ...any) (T, error) {
	found, err := all(ctx, c, scan, query, args...)
	if err != nil || len(found) == 0 {
		var none T
		if err == nil {
			err = ErrNotFound
		}
		return none, err
	}
	return found[0], nil
}

func scanInt(r row) (n int64, err error)        { return n, r.Scan(&n) }
func scanString(r row) (text string, err error) { return text, r.Scan(&text) }
