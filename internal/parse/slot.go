package parse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// What a slot is bounded by.
const (
	maxFile     = trawl.MaxFileSize
	slotLife    = 10 * time.Minute
	unparsedFor = 24 * time.Hour // how long a slot that is never parsed counts
	maxUnparsed = 10             // per team
)

// OpenSlot makes a place for one file.
func (s *Service) OpenSlot(ctx context.Context, req trawl.UploadRequest) (*trawl.UploadSlot, error) {
	if !s.takes(req.Filename, req.ContentType) {
		return nil, s.unsupported("")
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("draw an id: %w", err)
	}
	now := s.Now()
	row := store.UploadSlot{
		ID: id.String(), TeamID: trawl.CallerFrom(ctx).TeamID, Filename: req.Filename, ContentType: req.ContentType,
		CreatedAt: now, ExpiresAt: now.Add(unparsedFor),
	}
	oldest, full, err := s.Store.OpenUploadSlot(ctx, row, maxUnparsed)
	if err != nil {
		return nil, err
	}
	if full {
		return nil, trawl.Errorf(trawl.RateLimited, "Rate limit exceeded").WithCode("PARSE_UPLOAD_UNPARSED_LIMIT_REACHED").
			After(oldest.Add(unparsedFor).Sub(now))
	}
	return s.describe(row)
}

// describe says how a slot is filled. Where it is on the web the door knows.
func (s *Service) describe(row store.UploadSlot) (*trawl.UploadSlot, error) {
	expires := row.CreatedAt.Add(slotLife)
	ref, err := s.signer.sign(claim{Slot: row.ID, Team: row.TeamID, Expires: expires.UnixMilli()})
	if err != nil {
		return nil, fmt.Errorf("sign slot: %w", err)
	}
	contentType := row.ContentType
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	return &trawl.UploadSlot{
		ID: row.ID, UploadRef: ref, Method: http.MethodPut, Headers: map[string]string{"Content-Type": contentType},
		ExpiresAt: trawl.Timestamp(expires), MaxSizeBytes: maxFile,
	}, nil
}

// Upload fills a slot. The reference is looked at before the first byte is read.
func (s *Service) Upload(ctx context.Context, id, ref string, content io.Reader) error {
	c, err := s.signer.open(ref, s.Now())
	if err != nil {
		return err
	}
	if c.Slot != id {
		return badRef("uploadRef does not match this upload URL.")
	}
	if _, err := s.Store.UploadSlot(ctx, c.Slot); err != nil {
		return gone(err)
	}
	spool, err := Receive(content, s.SpoolDir)
	if err != nil {
		return err
	}
	defer spool.Close()
	data := make([]byte, spool.Size)
	if _, err := io.ReadFull(spool, data); err != nil {
		return fmt.Errorf("read spooled upload: %w", err)
	}
	return s.fill(ctx, c, data)
}

// fill puts the bytes away under a name that tells nothing, and into the slot.
func (s *Service) fill(ctx context.Context, c claim, data []byte) error {
	u := store.Upload{SlotID: c.Slot, BlobKey: "uploads/" + uuid.NewString(), Size: int64(len(data)), ExpiresAt: time.UnixMilli(c.Expires)}
	if err := s.Blobs.Put(ctx, u.BlobKey, data); err != nil {
		return fmt.Errorf("keep upload: %w", err)
	}
	if err := s.Store.PutUpload(ctx, u, s.Now()); err != nil {
		return errors.Join(gone(err), s.Blobs.Delete(context.WithoutCancel(ctx), u.BlobKey))
	}
	return nil
}

// gone answers for a slot that is not there any more: it was parsed, or has expired.
func gone(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return trawl.Errorf(trawl.NotFound, "Not Found")
	}
	return err
}

// ParseUploaded parses what a slot holds. From here on the slot is used up, whatever comes of it.
func (s *Service) ParseUploaded(ctx context.Context, req trawl.UploadedRequest) (*trawl.Document, error) {
	if err := req.Refused(); err != nil {
		return nil, err
	}
	slot, upload, err := s.filled(ctx, req.UploadRef)
	if err != nil {
		return nil, err
	}
	defer s.discard(context.WithoutCancel(ctx), upload)
	data, err := s.Blobs.Get(ctx, upload.BlobKey)
	if err != nil {
		return nil, fmt.Errorf("read upload: %w", err)
	}
	f := trawl.File{Name: slot.Filename, ContentType: slot.ContentType, Size: int64(len(data)), Content: bytes.NewReader(data)}
	return s.Parse(ctx, f, req.ParseOptions)
}

// filled finds the slot of a reference, if it is the caller's and holds something.
func (s *Service) filled(ctx context.Context, ref string) (store.UploadSlot, store.Upload, error) {
	c, err := s.signer.open(ref, s.Now())
	if err != nil {
		return store.UploadSlot{}, store.Upload{}, err
	}
	if c.Team != trawl.CallerFrom(ctx).TeamID {
		return store.UploadSlot{}, store.Upload{}, trawl.Errorf(trawl.Forbidden, "Forbidden")
	}
	slot, err := s.Store.UploadSlot(ctx, c.Slot)
	if err != nil {
		return slot, store.Upload{}, gone(err)
	}
	upload, err := s.Store.Upload(ctx, c.Slot)
	if errors.Is(err, store.ErrNotFound) {
		return slot, upload, trawl.Errorf(trawl.Invalid, "Uploaded file is not available. Upload the file before parsing.").WithCode("BAD_REQUEST")
	}
	return slot, upload, err
}

// discard removes a slot and its bytes. Should that fail now, the sweep does it when the slot expires.
func (s *Service) discard(ctx context.Context, u store.Upload) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	err := s.Store.RemoveUploadSlot(ctx, u.SlotID, s.Now())
	if err == nil {
		err = s.Blobs.Delete(ctx, u.BlobKey)
	}
	if err == nil {
		err = s.Store.ForgetBlobs(ctx, []string{u.BlobKey})
	}
	if err != nil {
		s.Log.WarnContext(ctx, "upload not removed, left to the sweep", "slot", u.SlotID, "err", err)
	}
}
