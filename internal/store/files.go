package store

import (
	"context"
	"time"
)

// File is something an answer points to.
type File struct {
	Name        string
	BlobKey     string
	ContentType string
	ExpiresAt   time.Time
}

// InsertFile gives a blob a name that can be asked for.
func (s *Store) InsertFile(ctx context.Context, f File) error {
	return s.InTx(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `INSERT INTO files (id, blob_key, content_type, expires_at) VALUES (?, ?, ?, ?)`,
			f.Name, f.BlobKey, f.ContentType, f.ExpiresAt.UnixMilli())
		return err
	})
}

// File gives a file that has not expired, or ErrNotFound.
func (s *Store) File(ctx context.Context, name string, now time.Time) (File, error) {
	return one(ctx, s.reader(), func(r row) (f File, err error) {
		var expires int64
		err = r.Scan(&f.Name, &f.BlobKey, &f.ContentType, &expires)
		f.ExpiresAt = moment(expires)
		return f, err
	}, `SELECT id, blob_key, content_type, expires_at FROM files WHERE id = ? AND expires_at > ?`, name, now.UnixMilli())
}
