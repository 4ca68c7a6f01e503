package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestUnavailable(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		want bool
	}{
		{"no error", nil, false},
		{"nothing found", ErrNotFound, false},
		{"a conflict", fmt.Errorf("%w: x", ErrConflict), false},
		{"the caller's deadline", context.DeadlineExceeded, false},
		{"a syntax error", &pgconn.PgError{Code: "42601"}, false},
		{"a full disk of PostgreSQL", fmt.Errorf("commit: %w", &pgconn.PgError{Code: "53100"}), true},
		{"too many connections", &pgconn.PgError{Code: "53300"}, true},
		{"PostgreSQL shutting down", &pgconn.PgError{Code: "57P01"}, true},
		{"a statement somebody cancelled", &pgconn.PgError{Code: "57014"}, false},
		{"a deadlock", &pgconn.PgError{Code: "40P01"}, true},
		{"a lost connection", driver.ErrBadConn, true},
		{"a torn answer", io.ErrUnexpectedEOF, true},
		{"a full disk", fmt.Errorf("write: %w", syscall.ENOSPC), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Unavailable(tc.err); got != tc.want {
				t.Errorf("Unavailable(%v) = %v, want %v", tc.err, got, tc.want)
			}
		})
	}
}

func TestNoRowsAreNotFound(t *testing.T) {
	if err := classify(sql.ErrNoRows); !errors.Is(err, ErrNotFound) {
		t.Errorf("classify = %v, want ErrNotFound", err)
	}
}

func TestFullDiskIsUnavailableAndRecovers(t *testing.T) {
	ctx := t.Context()
	s, err := Open(ctx, Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.SetMeta(ctx, "before", "kept"); err != nil {
		t.Fatal(err)
	}
	limit := func(pages int) {
		if _, err := s.write.Exec(fmt.Sprintf(`PRAGMA max_page_count(%d)`, pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // SQLite takes the present size instead: the disk is full
	large := strings.Repeat("x", 1<<20)
	if err := s.SetMeta(ctx, "large", large); !Unavailable(err) {
		t.Errorf("SetMeta on a full disk = %v, want an error that says unavailable", err)
	}
	if got, err := s.Meta(ctx, "before"); got != "kept" || err != nil {
		t.Errorf("Meta on a full disk = %q, %v, want what was committed", got, err)
	}
	limit(1 << 30)
	if err := s.SetMeta(ctx, "large", large); err != nil {
		t.Errorf("SetMeta with space again = %v", err)
	}
}
