package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What a caller may decide on. Everything else is a fault to be reported.
var (
	ErrNotFound = errors.New("not found")      // no such row
	ErrConflict = errors.New("already exists") // a unique column has this value already
)

// classify makes the errors of both drivers recognisable as ours, and keeps the original for the log.
func classify(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound
	case isConflict(err):
		return fmt.Errorf("%w: %w", ErrConflict, err)
	}
	return err
}

func isConflict(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == "23505" // unique_violation
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}

// Unavailable reports whether err means that the database cannot serve now but
// may later without anyone changing the request: a full or failing disk, a
// lock not obtained, a connection lost or refused. A caller's own deadline is
// not such an error.
func Unavailable(err error) bool {
	if err == nil {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return postgresUnavailable(e.Code)
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return sqliteUnavailable(e.Code())
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return true
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err)
}

// sqliteUnavailable looks at the primary code, the low byte of an extended one.
func sqliteUnavailable(code int) bool {
	switch code & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
		sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB,
		sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// postgresUnavailable goes by the class of a SQLSTATE, its first two characters.
func postgresUnavailable(code string) bool {
	for _, prefix := range []string{
		"08",    // connection
		"40",    // deadlock or serialization: the same transaction may pass next time
		"53",    // disk full, out of memory, too many connections
		"55P03", // lock not available
		"57P",   // shutting down, starting up
		"58",    // the server's own disk
		"25006", // read only: a standby before it is promoted
	} {
		if strings.HasPrefix(code, prefix) {
			return true
		}
	}
	return false
}
