package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// runDir is the folder a browser process works in. Whoever holds the lock in
// it is alive; the lock goes with its process, so what can be locked is left
// over from one that died and may be swept.
type runDir struct {
	path string
	lock *os.File
}

const lockName = "trawl.lock"

// newRunDir makes a fresh folder below parent.
func newRunDir(parent string) (*runDir, error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, fmt.Errorf("make browser folder: %w", err)
	}
	path, err := os.MkdirTemp(parent, "run-")
	if err != nil {
		return nil, fmt.Errorf("make browser folder: %w", err)
	}
	lock, err := lockFile(filepath.Join(path, lockName))
	if err != nil {
		_ = os.RemoveAll(path) // empty
		return nil, err
	}
	return &runDir{path: path, lock: lock}, nil
}

// userData is where Chromium keeps its own files.
func (d *runDir) userData() string { return filepath.Join(d.path, "data") }

// remove deletes the folder and everything in it.
func (d *runDir) remove() error {
	defer d.lock.Close()
	return os.RemoveAll(d.path)
}

// sweepRunDirs removes the folders below parent whose owner is gone.
func sweepRunDirs(parent string) error {
	found, err := filepath.Glob(filepath.Join(parent, "run-*"))
	if err != nil {
		return fmt.Errorf("sweep browser folders: %w", err)
	}
	for _, path := range found {
		lock, err := lockFile(filepath.Join(path, lockName))
		if err != nil {
			continue // somebody works there
		}
		err = os.RemoveAll(path)
		_ = lock.Close() // its file is gone
		if err != nil {
			return fmt.Errorf("sweep browser folders: %w", err)
		}
	}
	return nil
}

// lockFile opens the file and takes its lock, or fails when another has it.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // nothing was written
		return nil, fmt.Errorf("lock %s: %w", filepath.Base(path), err)
	}
	return f, nil
}
