//go:build unix

package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const lockName = "write.lock"

// lockDir keeps other processes from writing. The lock goes with the process,
// however it ends.
func lockDir(dir string) (unlock func() error, err error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		_ = f.Close() // never written
		return nil, ErrLocked
	}
	if err != nil {
		_ = f.Close() // never written
		return nil, fmt.Errorf("lock index: %w", err)
	}
	return f.Close, nil
}
