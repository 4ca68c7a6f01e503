// Package blob keeps bytes under a key, in a directory or in an S3 bucket.
//
// It is for what is too large for a row: bodies of pages, screenshots, uploads.
// A row names the key; the blob is written before the row and removed after it,
// so a row never points at nothing. Bytes are compressed on the way in and
// unpacked on the way out.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"syscall"

	"github.com/klauspost/compress/zstd"
)

// What a caller may decide on.
var (
	ErrNotFound = errors.New("no such blob")
	ErrTooLarge = errors.New("blob over the size limit")
)

// Options say where the blobs are.
type Options struct {
	URL     string // s3://…, see ParseS3; empty: the directory Dir
	Dir     string // made if missing
	MaxSize int64  // most bytes of one blob, unpacked; 0: 256 MiB

	// DialContext opens the connections to S3. It is required there: the
	// only way out is the guarded one.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
}

// Store puts blobs away and brings them back. Its methods may be called from
// many goroutines.
type Store struct {
	place   place
	maxSize int64
	pack    *zstd.Encoder
	unpack  *zstd.Decoder
}

// place is where packed blobs lie: a directory or a bucket.
type place interface {
	put(ctx context.Context, key string, packed []byte) error
	get(ctx context.Context, key string) (io.ReadCloser, error) // ErrNotFound, here or from Read
	delete(ctx context.Context, key string) error               // of nothing is no error
	exists(ctx context.Context, key string) (bool, error)
	usage(ctx context.Context) (Usage, error)
}

// Open prepares a place for blobs. It does not reach out to S3: Check does.
func Open(opt Options) (*Store, error) {
	if opt.MaxSize <= 0 {
		opt.MaxSize = 256 << 20
	}
	where, err := openPlace(opt)
	if err != nil {
		return nil, fmt.Errorf("open blob store: %w", err)
	}
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("prepare compression: %w", err)
	}
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(uint64(opt.MaxSize)), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("prepare compression: %w", err)
	}
	return &Store{place: where, maxSize: opt.MaxSize, pack: pack, unpack: unpack}, nil
}

func openPlace(opt Options) (place, error) {
	if opt.URL != "" {
		return openBucket(opt)
	}
	return openDirectory(opt.Dir)
}

// Close gives back what compression holds.
func (s *Store) Close() error {
	s.unpack.Close()
	return s.pack.Close()
}

// keys are readable names that are safe as a file name and as part of an
// address: no empty or dotted segment, nothing to escape.
var keys = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$`)

// maxKey leaves room for an ending within the 255 bytes of a file name.
const maxKey = 200

func checkKey(key string) error {
	if len(key) > maxKey || !keys.MatchString(key) {
		return fmt.Errorf("%q cannot be the key of a blob", key)
	}
	return nil
}

// Put keeps data under key, replacing what was there. When it returns nil the
// blob survives a power cut.
func (s *Store) Put(ctx context.Context, key string, data []byte) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if int64(len(data)) > s.maxSize {
		return fmt.Errorf("put blob %s of %d bytes: %w", key, len(data), ErrTooLarge)
	}
	if err := s.place.put(ctx, key, s.pack.EncodeAll(data, nil)); err != nil {
		return fmt.Errorf("put blob %s: %w", key, err)
	}
	return nil
}

// Get returns the bytes under key, or ErrNotFound.
func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	packed, err := s.read(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("get blob %s: %w", key, err)
	}
	data, err := s.unpack.DecodeAll(packed, nil)
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) || int64(len(data)) > s.maxSize {
		return nil, fmt.Errorf("get blob %s: %w", key, ErrTooLarge)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack blob %s: %w", key, err)
	}
	return data, nil
}

// packedSlack is how much larger than the limit a blob that cannot be compressed may become.
const packedSlack = 1 << 20

func (s *Store) read(ctx context.Context, key string) ([]byte, error) {
	r, err := s.place.get(ctx, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	packed, err := io.ReadAll(io.LimitReader(r, s.maxSize+packedSlack+1))
	if err != nil {
		return nil, err
	}
	if int64(len(packed)) > s.maxSize+packedSlack {
		return nil, ErrTooLarge
	}
	return packed, nil
}

// Delete removes blobs. One that is not there is no error.
func (s *Store) Delete(ctx context.Context, keys ...string) error {
	for _, key := range keys {
		if err := checkKey(key); err != nil {
			return err
		}
		if err := s.place.delete(ctx, key); err != nil {
			return fmt.Errorf("delete blob %s: %w", key, err)
		}
	}
	return nil
}

// Exists reports whether there is a blob under key.
func (s *Store) Exists(ctx context.Context, key string) (bool, error) {
	if err := checkKey(key); err != nil {
		return false, err
	}
	found, err := s.place.exists(ctx, key)
	if err != nil {
		return false, fmt.Errorf("look for blob %s: %w", key, err)
	}
	return found, nil
}

// Usage is what all blobs together take up.
type Usage struct {
	Blobs int64
	Bytes int64 // packed
}

// Usage counts the blobs. It looks at each of them, so it is for reports, not for requests.
func (s *Store) Usage(ctx context.Context) (Usage, error) {
	u, err := s.place.usage(ctx)
	if err != nil {
		return Usage{}, fmt.Errorf("count blobs: %w", err)
	}
	return u, nil
}

// checkKeyName is a blob that Check puts there and removes again.
const checkKeyName = "check"

// Check reports whether blobs can be written, read and deleted now.
func (s *Store) Check(ctx context.Context) error {
	const probe = "trawl was here"
	if err := s.Put(ctx, checkKeyName, []byte(probe)); err != nil {
		return err
	}
	data, err := s.Get(ctx, checkKeyName)
	if errors.Is(err, ErrNotFound) {
		return nil // another process checked at the same moment and has removed it
	}
	if err == nil && string(data) != probe {
		err = errors.New("blob store gave back other bytes than it was given")
	}
	return errors.Join(err, s.Delete(ctx, checkKeyName))
}

// Unavailable reports whether err means that the place cannot serve now but may
// later without anyone changing the request: a full disk, a bucket out of reach.
func Unavailable(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS, syscall.EIO, io.ErrUnexpectedEOF} {
		if errors.Is(err, cause) {
			return true
		}
	}
	_, network := errors.AsType[net.Error](err)
	return network || bucketUnavailable(err)
}
