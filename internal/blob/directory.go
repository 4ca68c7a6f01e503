package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// directory keeps each blob in a file: ab/pages+0192….zst, where ab comes from
// a hash of the key, so that no folder grows too large.
type directory struct {
	root string
	temp string // files being written; on the same disk, so that a rename is all it takes
}

// staleAfter is the age at which a file in temp belongs to nobody any more.
const staleAfter = time.Hour

func openDirectory(dir string) (*directory, error) {
	if dir == "" {
		return nil, errors.New("no directory given")
	}
	d := &directory{root: dir, temp: filepath.Join(dir, "tmp")}
	if err := os.MkdirAll(d.temp, 0o700); err != nil {
		return nil, err
	}
	return d, d.sweep()
}

// sweep removes what killed processes have left half written.
func (d *directory) sweep() error {
	entries, err := os.ReadDir(d.temp)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(filepath.Join(d.temp, e.Name())) // the next start tries again
		}
	}
	return nil
}

const ending = ".zst"

func (d *directory) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(d.root, hex.EncodeToString(sum[:1]), strings.ReplaceAll(key, "/", "+")+ending)
}

// put writes beside, then renames: a reader sees the old blob or the new one.
func (d *directory) put(_ context.Context, key string, packed []byte) error {
	f, err := os.CreateTemp(d.temp, "put-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(packed)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	path := d.path(key)
	folder := filepath.Dir(path)
	if err := d.makeFolder(folder); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

func (d *directory) makeFolder(folder string) error {
	err := os.Mkdir(folder, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncFolder(d.root)
}

// syncFolder makes the names in a folder survive a power cut.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d *directory) get(_ context.Context, key string) (io.ReadCloser, error) {
	f, err := os.Open(d.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	return f, err
}

func (d *directory) delete(_ context.Context, key string) error {
	err := os.Remove(d.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (d *directory) exists(_ context.Context, key string) (bool, error) {
	_, err := os.Stat(d.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (d *directory) usage(ctx context.Context) (u Usage, err error) {
	err = filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if path == d.temp {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ending) {
			return nil
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) { // deleted meanwhile
			return nil
		}
		if err == nil {
			u.Blobs++
			u.Bytes += info.Size()
		}
		return err
	})
	return u, err
}
