package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup writes a consistent copy of the database to file while work goes on.
// The file must not exist; it appears whole or not at all.
func (s *Store) Backup(ctx context.Context, file string) error {
	if s.dialect.name != sqliteDialect.name {
		return errors.New("back up database: PostgreSQL has its own tool for this, pg_dump")
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("back up database: %s exists already", file)
	}
	partial := file + ".partial"
	defer os.Remove(partial) // gone already when all went well
	if err := s.copyTo(ctx, partial); err != nil {
		return fmt.Errorf("back up database: %w", err)
	}
	if err := os.Rename(partial, file); err != nil {
		return fmt.Errorf("back up database: %w", err)
	}
	return syncPath(filepath.Dir(file))
}

// copyTo reads from a snapshot, so writers are not held up. It needs a
// connection of its own: those of the reading pool may not write any file.
func (s *Store) copyTo(ctx context.Context, file string) error {
	c, err := s.read.Conn(ctx)
	if err != nil {
		return classify(err)
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, `PRAGMA query_only(0)`); err != nil {
		return classify(err)
	}
	_, err = c.ExecContext(ctx, `VACUUM INTO ?`, file)
	_, back := c.ExecContext(context.WithoutCancel(ctx), `PRAGMA query_only(1)`)
	if err := errors.Join(classify(err), classify(back)); err != nil {
		return err
	}
	return syncPath(file)
}

// syncPath makes a file, or the names in a folder, survive a power cut.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
