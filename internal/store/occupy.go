package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// occupy notes that this process has the data directory open, for as long as it
// lives. Who finds nobody else there knows that all workers are dead: SQLite
// is used from one machine only. Their leases are then ended at once, so that a
// process that was killed goes on where it was as soon as it is back, and not
// after the time a silent worker is given.
func (s *Store) occupy(ctx context.Context, dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, "trawl.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("open lock of data directory: %w", classify(err))
	}
	s.lock = file
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return share(file) // others are there
	}
	if err := s.endLeases(ctx); err != nil && !Unavailable(err) { // on a full disk they run out by themselves
		return err
	}
	return share(file)
}

// share leaves room for others. A file system without locks has none to give:
// then leases run out by themselves.
func share(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_SH)
	if err != nil && err != syscall.ENOTSUP && err != syscall.ENOSYS && err != syscall.ENOLCK {
		return fmt.Errorf("lock data directory: %w", err)
	}
	return nil
}

// endLeases lets the leases of all jobs run out now.
func (s *Store) endLeases(ctx context.Context) error {
	return s.InTx(ctx, func(tx *Tx) error {
		if _, err := tx.exec(ctx, `UPDATE jobs SET lease_until = 0 WHERE state = 'running'`); err != nil {
			return fmt.Errorf("end leases of dead workers: %w", err)
		}
		return nil
	})
}
