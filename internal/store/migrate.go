package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one step of the schema: migrations/007_pages.sql is version 7.
// A released step is never edited; a correction is the next step.
type migration struct {
	version int64
	name    string
	sql     string
}

// migrate applies the steps the database does not have yet, all in one transaction.
func (s *Store) migrate(ctx context.Context) error {
	steps, err := readMigrations(migrationFiles)
	if err != nil {
		return err
	}
	newest := steps[len(steps)-1].version
	at, err := schemaVersion(ctx, s.reader())
	if err == nil && at == newest { // the usual start: nothing to lock, nothing to write
		return nil
	}
	err = s.InTx(ctx, func(tx *Tx) error {
		if err := tx.lockNamed(ctx, "migrate"); err != nil { // two processes may start at once
			return err
		}
		return tx.apply(ctx, steps)
	})
	if err != nil {
		return fmt.Errorf("migrate database: %w", err)
	}
	return nil
}

// apply runs the steps after the one the database is at.
func (tx *Tx) apply(ctx context.Context, steps []migration) error {
	if _, err := tx.exec(ctx, `CREATE TABLE IF NOT EXISTS migrations (
		version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)`); err != nil {
		return err
	}
	at, err := schemaVersion(ctx, tx.conn)
	if err != nil {
		return err
	}
	if newest := steps[len(steps)-1].version; at > newest {
		return fmt.Errorf("its schema is version %d and this program knows %d: a newer trawl has used it", at, newest)
	}
	for _, m := range steps {
		if m.version <= at {
			continue
		}
		if _, err := tx.exec(ctx, tx.dialect.schema(m.sql)); err != nil {
			return fmt.Errorf("apply %s: %w", m.name, err)
		}
		_, err := tx.exec(ctx, `INSERT INTO migrations (version, name, applied_at) VALUES (?, ?, ?)`,
			m.version, m.name, time.Now().UnixMilli())
		if err != nil {
			return err
		}
	}
	return nil
}

func schemaVersion(ctx context.Context, c conn) (int64, error) {
	return one(ctx, c, scanInt, `SELECT COALESCE(MAX(version), 0) FROM migrations`)
}

// readMigrations returns the steps in order and refuses two with one number.
func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil || len(names) == 0 {
		return nil, errors.Join(errors.New("no migrations found"), err)
	}
	slices.Sort(names)
	steps := make([]migration, 0, len(names))
	for _, file := range names {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		number, _, _ := strings.Cut(path.Base(file), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("migration %s has no number", file)
		}
		if n := len(steps); n > 0 && steps[n-1].version >= version {
			return nil, fmt.Errorf("migration %s has the number of %s", file, steps[n-1].name)
		}
		steps = append(steps, migration{version: version, name: path.Base(file), sql: string(text)})
	}
	return steps, nil
}

// lockNamed waits until no other transaction holds the lock of that name, and
// holds it until this one ends.
func (tx *Tx) lockNamed(ctx context.Context, name string) error {
	if tx.dialect.lockNamed == "" {
		return nil
	}
	_, err := tx.exec(ctx, tx.dialect.lockNamed, name)
	return err
}
