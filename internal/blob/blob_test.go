package blob

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func open(t testing.TB, opt Options) *Store {
	t.Helper()
	s, err := Open(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// each runs a test on both kinds of place.
func each(t *testing.T, maxSize int64, test func(t *testing.T, s *Store)) {
	t.Run("directory", func(t *testing.T) { test(t, open(t, Options{Dir: t.TempDir(), MaxSize: maxSize})) })
	t.Run("s3", func(t *testing.T) {
		fake := newFakeS3("trawl")
		srv := httptest.NewServer(fake)
		t.Cleanup(srv.Close)
		test(t, open(t, Options{URL: s3Address(srv.URL), MaxSize: maxSize, DialContext: (&net.Dialer{}).DialContext}))
	})
}

func s3Address(server string) string {
	return "s3://id:secret@trawl/some/prefix?" + url.Values{"endpoint": {strings.TrimPrefix(server, "http://")}, "insecure": {"1"}}.Encode()
}

func TestWhatIsPutComesBack(t *testing.T) {
	noise := make([]byte, 300_000)
	rand.Read(noise)
	each(t, 0, func(t *testing.T, s *Store) {
		for name, data := range map[string][]byte{
			"nothing": {}, "a word": []byte("word"), "much of the same": bytes.Repeat([]byte("trawl "), 1<<18), "noise": noise,
		} {
			t.Run(name, func(t *testing.T) {
				ctx, key := t.Context(), "test/"+strings.ReplaceAll(name, " ", "-")
				if err := s.Put(ctx, key, []byte("replaced")); err != nil {
					t.Fatal(err)
				}
				if err := s.Put(ctx, key, data); err != nil {
					t.Fatal(err)
				}
				got, err := s.Get(ctx, key)
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("Get = %d bytes, %v, want the %d that were put", len(got), err, len(data))
				}
			})
		}
	})
}

func TestDeleteLeavesNothing(t *testing.T) {
	each(t, 0, func(t *testing.T, s *Store) {
		ctx := t.Context()
		for _, key := range []string{"a", "b/c"} {
			if err := s.Put(ctx, key, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		if u, err := s.Usage(ctx); u.Blobs != 2 || u.Bytes == 0 || err != nil {
			t.Errorf("Usage = %+v, %v, want 2 blobs", u, err)
		}
		if found, err := s.Exists(ctx, "b/c"); !found || err != nil {
			t.Errorf("Exists = %v, %v, want true", found, err)
		}
		if err := s.Delete(ctx, "a", "b/c", "never-there"); err != nil {
			t.Errorf("Delete = %v", err)
		}
		if found, err := s.Exists(ctx, "b/c"); found || err != nil {
			t.Errorf("Exists after Delete = %v, %v, want false", found, err)
		}
		if _, err := s.Get(ctx, "b/c"); !errors.Is(err, ErrNotFound) {
			t.Errorf("Get after Delete = %v, want ErrNotFound", err)
		}
		if u, err := s.Usage(ctx); u != (Usage{}) || err != nil {
			t.Errorf("Usage = %+v, %v, want nothing", u, err)
		}
	})
}

func TestSizeIsLimitedBothWays(t *testing.T) {
	each(t, 1000, func(t *testing.T, s *Store) {
		ctx := t.Context()
		if err := s.Put(ctx, "large", make([]byte, 1001)); !errors.Is(err, ErrTooLarge) {
			t.Errorf("Put of a byte too many = %v, want ErrTooLarge", err)
		}
		bomb := s.pack.EncodeAll(make([]byte, 10_000_000), nil)
		if err := s.place.put(ctx, "bomb", bomb); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Get(ctx, "bomb"); !errors.Is(err, ErrTooLarge) {
			t.Errorf("Get of %d bytes that unpack to ten million = %v, want ErrTooLarge", len(bomb), err)
		}
	})
}

func TestKeysThatLeadElsewhereAreRefused(t *testing.T) {
	each(t, 0, func(t *testing.T, s *Store) {
		ctx := t.Context()
		for _, key := range []string{"", "/", "/etc/passwd", "../x", "a/../b", "a/./b", "a//b", "a/", ".hidden", "a b", "ä", "a+b", "a\\b", "a\x00", strings.Repeat("a", 201)} {
			_, get := s.Get(ctx, key)
			_, exists := s.Exists(ctx, key)
			for _, err := range []error{s.Put(ctx, key, nil), get, exists, s.Delete(ctx, key)} {
				if err == nil || errors.Is(err, ErrNotFound) {
					t.Errorf("key %q was accepted: %v", key, err)
				}
			}
		}
	})
}

func TestDamagedBlobIsAnError(t *testing.T) {
	each(t, 0, func(t *testing.T, s *Store) {
		if err := s.place.put(t.Context(), "damaged", []byte("not zstd at all")); err != nil {
			t.Fatal(err)
		}
		if data, err := s.Get(t.Context(), "damaged"); err == nil {
			t.Errorf("Get = %q, want an error", data)
		}
	})
}

func TestManyWritersOfOneKeyLeaveOneWholeBlob(t *testing.T) {
	each(t, 0, func(t *testing.T, s *Store) {
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if err := s.Put(t.Context(), "k", bytes.Repeat([]byte{byte('a' + i)}, 50_000)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		got, err := s.Get(t.Context(), "k")
		if err != nil || len(got) != 50_000 || !bytes.Equal(got, bytes.Repeat(got[:1], 50_000)) {
			t.Errorf("Get = %d bytes, %v, want one writer's", len(got), err)
		}
	})
}

func TestCheck(t *testing.T) {
	each(t, 0, func(t *testing.T, s *Store) {
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if u, err := s.Usage(t.Context()); u.Blobs != 0 || err != nil {
			t.Errorf("Check left %+v, %v", u, err)
		}
	})
	t.Run("fails when the directory is gone, and passes once it is back", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "blobs")
		s := open(t, Options{Dir: dir})
		if err := os.Rename(dir, dir+"-away"); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(t.Context()); err == nil {
			t.Error("Check passed without a directory")
		}
		if err := os.Rename(dir+"-away", dir); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("fails when the bucket does not exist", func(t *testing.T) {
		srv := httptest.NewServer(newFakeS3("another"))
		defer srv.Close()
		s := open(t, Options{URL: s3Address(srv.URL), DialContext: (&net.Dialer{}).DialContext})
		if err := s.Check(t.Context()); err == nil {
			t.Error("Check passed without a bucket")
		}
	})
	t.Run("fails as unavailable when nobody answers", func(t *testing.T) {
		srv := httptest.NewServer(newFakeS3("trawl"))
		srv.Close()
		s := open(t, Options{URL: s3Address(srv.URL), DialContext: (&net.Dialer{}).DialContext})
		if err := s.Check(t.Context()); !Unavailable(err) {
			t.Errorf("Check = %v, want an error that says unavailable", err)
		}
	})
}

func TestUnavailable(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	for err, want := range map[error]bool{
		fmt.Errorf("put: %w", full): true,
		ErrNotFound:                 false,
		nil:                         false,
	} {
		if got := Unavailable(err); got != want {
			t.Errorf("Unavailable(%v) = %v, want %v", err, got, want)
		}
	}
}

func TestHalfWrittenFilesAreSweptWhenTheyAreOld(t *testing.T) {
	dir := t.TempDir()
	open(t, Options{Dir: dir})
	old, young := filepath.Join(dir, "tmp", "put-old"), filepath.Join(dir, "tmp", "put-young")
	for _, file := range []string{old, young} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	yesterday := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(old, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	open(t, Options{Dir: dir})
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an old half-written file is still there")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error("a file somebody may be writing is gone")
	}
}

func FuzzGet(f *testing.F) {
	s := open(f, Options{Dir: f.TempDir(), MaxSize: 1 << 16})
	f.Add(s.pack.EncodeAll([]byte("hello"), nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, packed []byte) {
		if err := s.place.put(t.Context(), "fuzz", packed); err != nil {
			t.Fatal(err)
		}
		if data, err := s.Get(t.Context(), "fuzz"); err == nil && len(data) > 1<<16 {
			t.Errorf("%d bytes came out, over the limit", len(data))
		}
	})
}
