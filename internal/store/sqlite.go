package store

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	driver "modernc.org/sqlite"
)

// openSQLite opens one writer and a pool of readers on DataDir/trawl.db.
func openSQLite(ctx context.Context, opt Options) (*Store, error) {
	if opt.DataDir == "" {
		return nil, fmt.Errorf("open database: no data directory and no database address given")
	}
	if err := os.MkdirAll(opt.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("make data directory: %w", err)
	}
	dir, err := filepath.Abs(opt.DataDir)
	if err != nil {
		return nil, fmt.Errorf("find data directory: %w", err)
	}
	file := filepath.Join(dir, "trawl.db")
	write, err := openPool(file, url.Values{"_txlock": {"immediate"}}, 1)
	if err != nil {
		return nil, err
	}
	if err := write.PingContext(ctx); err != nil { // makes the file, so that readers find one in WAL mode
		_ = write.Close() // the first error says more
		return nil, fmt.Errorf("open %s: %w", file, classify(err))
	}
	read, err := openPool(file, url.Values{"_pragma": {"query_only(1)"}}, max(4, runtime.NumCPU()))
	if err != nil {
		_ = write.Close()
		return nil, err
	}
	return &Store{dialect: sqliteDialect, write: write, read: read, listen: listenNever}, nil
}

// openPool makes up to most connections to a file, each when it is first needed.
func openPool(file string, more url.Values, most int) (*sql.DB, error) {
	connector, err := driver.NewConnector(sqliteDSN(file, more))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	db := sql.OpenDB(keeper{connector})
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// sqliteDSN is the address of a database file with the settings every
// connection shares. synchronous=FULL makes a commit survive a power cut.
func sqliteDSN(file string, more url.Values) string {
	q := url.Values{"_pragma": {
		"busy_timeout(10000)", // another process may be writing: a backup, a second trawl
		"journal_mode(WAL)",
		"synchronous(FULL)",
		"foreign_keys(1)",
		"temp_store(MEMORY)",
	}}
	for name, values := range more {
		q[name] = append(q[name], values...)
	}
	return (&url.URL{Scheme: "file", Path: file, RawQuery: q.Encode()}).String()
}
