package gov

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// defaultPiece bounds the memory publishing and fetching take, and what is
// fetched again after a crash.
const defaultPiece = 8 << 20

// pieceKey is where a piece lies in the blob store. Pieces are named by their
// content, so what two releases have in common is stored once.
func pieceKey(digest string) string { return "gov/" + digest }

// uploadFile puts a file into the blob store, piece by piece; those that are
// there already are not sent again.
func (s *Sharing) uploadFile(ctx context.Context, path string) (digest string, parts fileParts, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", parts, err
	}
	defer f.Close()
	whole := sha256.New()
	buffer := make([]byte, s.pieceSize())
	for {
		n, err := io.ReadFull(f, buffer)
		if n > 0 {
			whole.Write(buffer[:n])
			piece := digestOf(buffer[:n])
			if err := s.uploadPiece(ctx, piece, buffer[:n]); err != nil {
				return "", parts, err
			}
			parts.Pieces = append(parts.Pieces, piece)
			parts.Size += int64(n)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return hex.EncodeToString(whole.Sum(nil)), parts, nil
		}
		if err != nil {
			return "", parts, fmt.Errorf("read: %w", err)
		}
	}
}

func (s *Sharing) uploadPiece(ctx context.Context, digest string, body []byte) error {
	there, err := s.Blobs.Exists(ctx, pieceKey(digest))
	if err != nil || there {
		return err
	}
	return s.Blobs.Put(ctx, pieceKey(digest), body)
}

func (s *Sharing) pieceSize() int64 {
	if s.Piece > 0 {
		return s.Piece
	}
	return defaultPiece
}

// fetchFile brings a file to a path. What an earlier attempt left there is kept
// as far as it is right, so a killed fetch goes on where it stopped.
func (s *Sharing) fetchFile(ctx context.Context, path, digest string, parts fileParts) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	err = s.fill(ctx, f, digest, parts)
	return errors.Join(err, f.Sync(), f.Close())
}

func (s *Sharing) fill(ctx context.Context, f *os.File, digest string, parts fileParts) error {
	whole := sha256.New()
	have, err := s.verified(f, whole, parts.Pieces)
	if err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	for _, piece := range parts.Pieces[have:] {
		body, err := s.Blobs.Get(ctx, pieceKey(piece))
		if err != nil {
			return err
		}
		if digestOf(body) != piece {
			return fmt.Errorf("piece %s is damaged in the blob store", piece)
		}
		whole.Write(body)
		if _, err := f.Write(body); err != nil {
			return err
		}
		size += int64(len(body))
	}
	if got := hex.EncodeToString(whole.Sum(nil)); got != digest || size != parts.Size {
		return fmt.Errorf("pieces do not make file %s", digest)
	}
	return f.Truncate(size)
}

// verified reads how many pieces of a file are there and right, feeds them to
// the digest, and leaves the file at their end.
func (s *Sharing) verified(f *os.File, whole hash.Hash, pieces []string) (have int, err error) {
	end := int64(0)
	buffer := make([]byte, s.pieceSize())
	for have < len(pieces) {
		n, err := io.ReadFull(f, buffer)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
		if n == 0 || digestOf(buffer[:n]) != pieces[have] {
			break
		}
		whole.Write(buffer[:n])
		end += int64(n)
		have++
	}
	_, err = f.Seek(end, io.SeekStart)
	return have, err
}
