// Package store keeps what trawl must remember: one schema and one set of
// queries, on SQLite or on PostgreSQL.
//
// Statements are written in the SQL both databases speak, with ? for a value;
// what still differs is in dialect.go. Points in time are BIGINT columns of
// Unix milliseconds. Nobody above this package writes SQL: a table's rows are
// read and changed through typed methods, one file per table.
//
// A method of Store is a whole operation; a method of Tx is a part of one, so
// that several can be made to happen together or not at all:
//
//	err := s.InTx(ctx, func(tx *store.Tx) error {
//		if err := tx.InsertCrawl(ctx, c); err != nil {
//			return err
//		}
//		return tx.InsertJobs(ctx, c.Job())
//	})
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Options say which database to open.
type Options struct {
	DataDir     string // folder of the SQLite file trawl.db; made if missing. Used when DatabaseURL is empty
	DatabaseURL string // postgres://…; empty: SQLite
	MaxConns    int    // connections to PostgreSQL; 0: 16
}

// Store is an open database. All its methods may be called from many goroutines.
type Store struct {
	dialect dialect
	write   *sql.DB // SQLite: a single connection, so writers queue here instead of meeting SQLITE_BUSY
	read    *sql.DB // PostgreSQL: the same pool as write
	listen  listenFunc
	lock    *os.File // SQLite: says that we are there; nil otherwise
}

// Open opens the database, brings its schema up to date and leaves it ready for use.
func Open(ctx context.Context, opt Options) (*Store, error) {
	if opt.MaxConns <= 0 {
		opt.MaxConns = 16
	}
	open := openSQLite
	if opt.DatabaseURL != "" {
		open = openPostgres
	}
	s, err := open(ctx, opt)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if opt.DatabaseURL == "" {
		if err := s.occupy(ctx, opt.DataDir); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// Close waits for running statements and closes the database.
func (s *Store) Close() error {
	err := s.read.Close()
	if s.write != s.read {
		err = errors.Join(err, s.write.Close())
	}
	if s.lock != nil {
		_ = s.lock.Close() // a second close does nothing
	}
	return err
}

// Ping reports whether the database can be written, by writing to it: a full
// disk can often still be read.
func (s *Store) Ping(ctx context.Context) error {
	return s.SetMeta(ctx, "ping", strconv.FormatInt(time.Now().UnixMilli(), 10))
}

// Database names what is underneath, for logs and reports: "sqlite" or "postgres".
func (s *Store) Database() string { return s.dialect.name }

// Size returns the bytes the database takes up on disk.
func (s *Store) Size(ctx context.Context) (int64, error) {
	n, err := one(ctx, s.reader(), scanInt, s.dialect.size)
	if err != nil {
		return 0, fmt.Errorf("measure database: %w", err)
	}
	return n, nil
}

// reader runs statements outside a transaction that change nothing.
func (s *Store) reader() conn { return conn{db: s.read, dialect: s.dialect} }
