package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// UploadSlot is a place for a file that is sent before it is parsed.
type UploadSlot struct {
	ID          string
	TeamID      string
	Filename    string
	ContentType string
	CreatedAt   time.Time
	ExpiresAt   time.Time // when it counts no longer against the team's limit
}

// Upload is what a slot holds.
type Upload struct {
	SlotID    string
	BlobKey   string
	Size      int64
	ExpiresAt time.Time
}

// OpenUploadSlot keeps a slot, unless the team has as many as it may that were
// never parsed: then it gives when the oldest of them was made.
func (s *Store) OpenUploadSlot(ctx context.Context, slot UploadSlot, most int) (oldest time.Time, full bool, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if err := tx.lockNamed(ctx, "upload slots of "+slot.TeamID); err != nil {
			return err
		}
		made, err := all(ctx, tx.conn, scanInt, `SELECT created_at FROM upload_slots WHERE team_id = ? AND expires_at > ? ORDER BY created_at`,
			slot.TeamID, slot.CreatedAt.UnixMilli())
		if err != nil {
			return err
		}
		if len(made) >= most {
			oldest, full = moment(made[0]), true
			return nil
		}
		_, err = tx.exec(ctx, `INSERT INTO upload_slots (id, team_id, filename, content_type, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
			slot.ID, slot.TeamID, slot.Filename, slot.ContentType, slot.CreatedAt.UnixMilli(), slot.ExpiresAt.UnixMilli())
		return err
	})
	if err != nil {
		return oldest, full, fmt.Errorf("open upload slot: %w", err)
	}
	return oldest, full, nil
}

// UploadSlot gives a slot, or ErrNotFound.
func (s *Store) UploadSlot(ctx context.Context, id string) (UploadSlot, error) {
	return one(ctx, s.reader(), func(r row) (slot UploadSlot, err error) {
		var created, expires int64
		err = r.Scan(&slot.ID, &slot.TeamID, &slot.Filename, &slot.ContentType, &created, &expires)
		slot.CreatedAt, slot.ExpiresAt = moment(created), moment(expires)
		return slot, err
	}, `SELECT id, team_id, filename, content_type, created_at, expires_at FROM upload_slots WHERE id = ?`, id)
}

// PutUpload fills a slot, replacing what it held; ErrNotFound: there is no such slot any more.
func (s *Store) PutUpload(ctx context.Context, u Upload, now time.Time) error {
	return s.InTx(ctx, func(tx *Tx) error {
		if _, err := one(ctx, tx.conn, scanString, `SELECT id FROM upload_slots WHERE id = ?`+tx.dialect.lockRows, u.SlotID); err != nil {
			return err
		}
		if err := tx.dropUpload(ctx, u.SlotID, now); err != nil {
			return err
		}
		_, err := tx.exec(ctx, `INSERT INTO uploads (id, blob_key, size, expires_at) VALUES (?, ?, ?, ?)`,
			u.SlotID, u.BlobKey, u.Size, u.ExpiresAt.UnixMilli())
		return err
	})
}

// Upload gives what a slot holds, or ErrNotFound.
func (s *Store) Upload(ctx context.Context, slotID string) (Upload, error) {
	return one(ctx, s.reader(), func(r row) (u Upload, err error) {
		var expires int64
		err = r.Scan(&u.SlotID, &u.BlobKey, &u.Size, &expires)
		u.ExpiresAt = moment(expires)
		return u, err
	}, `SELECT id, blob_key, size, expires_at FROM uploads WHERE id = ?`, slotID)
}

// RemoveUploadSlot removes a slot and what it holds; the blob is noted as nobody's.
func (s *Store) RemoveUploadSlot(ctx context.Context, id string, now time.Time) error {
	return s.InTx(ctx, func(tx *Tx) error {
		if err := tx.dropUpload(ctx, id, now); err != nil {
			return err
		}
		_, err := tx.exec(ctx, `DELETE FROM upload_slots WHERE id = ?`, id)
		return err
	})
}

func (tx *Tx) dropUpload(ctx context.Context, slotID string, now time.Time) error {
	key, err := one(ctx, tx.conn, scanString, `SELECT blob_key FROM uploads WHERE id = ?`, slotID)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := tx.OrphanBlob(ctx, key, now); err != nil {
		return err
	}
	_, err = tx.exec(ctx, `DELETE FROM uploads WHERE id = ?`, slotID)
	return err
}
