package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
)

// SQLite's driver parses a statement anew each time it is run, which for our
// short ones takes longer than running them (40 % of all time in bench/queue).
// A keeper is a connector whose connections keep their statements parsed;
// PostgreSQL's driver does the same by itself.
type keeper struct{ driver.Connector }

// Connect opens a connection that keeps its statements.
func (k keeper) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	full, ok := c.(sqliteConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("connection of type %T lacks a method", c), c.Close())
	}
	return &keepingConn{sqliteConn: full, kept: map[string]*keptStmt{}}, nil
}

// sqliteConn is what database/sql makes use of in a connection.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// What is worth keeping: statements on many rows are long, differ in their
// number and are parsed once for all their rows.
const (
	keepLength = 2048 // bytes of text
	keepCount  = 64   // statements of a connection
)

// keepingConn is used by one goroutine at a time, as database/sql promises.
type keepingConn struct {
	sqliteConn
	kept map[string]*keptStmt
}

type keptStmt struct {
	driver.Stmt
	busy bool // its rows are being read, so it cannot be run again
}

// statement returns a parsed statement, or nil for one that is not kept.
func (c *keepingConn) statement(ctx context.Context, query string) (*keptStmt, error) {
	if s := c.kept[query]; s != nil {
		if s.busy {
			return nil, nil
		}
		return s, nil
	}
	if len(query) > keepLength {
		return nil, nil
	}
	parsed, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.makeRoom()
	s := &keptStmt{Stmt: parsed}
	c.kept[query] = s
	return s, nil
}

// makeRoom drops any one statement when there are too many.
func (c *keepingConn) makeRoom() {
	for query, s := range c.kept {
		if len(c.kept) < keepCount {
			return
		}
		if !s.busy {
			_ = s.Close() // frees memory; nothing depends on it
			delete(c.kept, query)
		}
	}
}

// ExecContext runs a statement without reading rows.
func (c *keepingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

// QueryContext runs a statement and returns its rows.
func (c *keepingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.busy = true
	return &keptRows{Rows: rows, of: s}, nil
}

// keptRows gives its statement free when it is closed.
type keptRows struct {
	driver.Rows
	of *keptStmt
}

// Close ends the reading.
func (r *keptRows) Close() error {
	err := r.Rows.Close()
	r.of.busy = false
	return err
}

// Close closes the statements, then the connection.
func (c *keepingConn) Close() error {
	var errs []error
	for _, s := range c.kept {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, c.sqliteConn.Close())...)
}
