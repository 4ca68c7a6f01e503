package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func TestOpenAgainKeepsWhatWasWritten(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, opt store.Options) {
		ctx := t.Context()
		s := storetest.Open(t, opt)
		if err := s.SetMeta(ctx, "colour", "green"); err != nil {
			t.Fatal(err)
		}
		again := storetest.Open(t, opt)
		if got, err := again.Meta(ctx, "colour"); got != "green" || err != nil {
			t.Errorf("Meta after opening again = %q, %v, want green", got, err)
		}
	})
}

func TestManyProcessesMayOpenAnEmptyDatabaseAtOnce(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, opt store.Options) {
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				s, err := store.Open(t.Context(), opt)
				if err != nil {
					t.Error(err)
					return
				}
				s.Close()
			})
		}
		wg.Wait()
	})
}

func TestFolderNameMayHoldCharactersSpecialInURLs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "50% of #1? yes & no")
	s := storetest.Open(t, store.Options{DataDir: dir})
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "trawl.db")); err != nil {
		t.Error(err)
	}
}

func TestTransaction(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		stop := errors.New("stop")

		t.Run("that fails leaves nothing and tells nobody", func(t *testing.T) {
			told := false
			err := s.InTx(ctx, func(tx *store.Tx) error {
				tx.AfterCommit(func() { told = true })
				if err := tx.SetMeta(ctx, "a", "1"); err != nil {
					return err
				}
				return stop
			})
			if !errors.Is(err, stop) || told {
				t.Errorf("InTx = %v and told = %v, want the function's error and silence", err, told)
			}
			if _, err := s.Meta(ctx, "a"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("Meta after a failed transaction = %v, want ErrNotFound", err)
			}
		})

		t.Run("that panics leaves nothing and can be followed by another", func(t *testing.T) {
			func() {
				defer func() { _ = recover() }()
				_ = s.InTx(ctx, func(tx *store.Tx) error {
					_ = tx.SetMeta(ctx, "b", "1")
					panic("boom")
				})
			}()
			if _, err := s.Meta(ctx, "b"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("Meta after a panic = %v, want ErrNotFound", err)
			}
			if err := s.Ping(ctx); err != nil {
				t.Errorf("Ping after a panic = %v", err)
			}
		})

		t.Run("that succeeds tells once", func(t *testing.T) {
			told := 0
			err := s.InTx(ctx, func(tx *store.Tx) error {
				tx.AfterCommit(func() { told++ })
				return tx.SetMeta(ctx, "c", "1")
			})
			if err != nil || told != 1 {
				t.Errorf("InTx = %v, told %d times, want once", err, told)
			}
		})
	})
}

func TestSizeCountsSomething(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if n, err := s.Size(t.Context()); n < 8192 || err != nil {
			t.Errorf("Size = %d, %v, want some pages", n, err)
		}
	})
}

func TestNotificationsReachAListenerOnPostgres(t *testing.T) {
	s := storetest.Open(t, storetest.Postgres(t))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	heard := make(chan string, 10)
	var wg sync.WaitGroup
	wg.Go(func() { s.Listen(ctx, func(text string) { heard <- text }) })
	defer wg.Wait()
	defer cancel()
	if got := <-heard; got != "" {
		t.Fatalf("first heard %q, want the empty text that says: you may have missed something", got)
	}
	err := s.InTx(ctx, func(tx *store.Tx) error { return tx.Notify(ctx, "hello") })
	if err != nil {
		t.Fatal(err)
	}
	if got := <-heard; got != "hello" {
		t.Errorf("heard %q, want hello", got)
	}
}

func TestBackup(t *testing.T) {
	t.Run("of SQLite is a database of its own", func(t *testing.T) {
		ctx := t.Context()
		s := storetest.Open(t, storetest.SQLite(t))
		if err := s.SetMeta(ctx, "colour", "green"); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "trawl.db")
		if err := s.Backup(ctx, file); err != nil {
			t.Fatal(err)
		}
		copied := storetest.Open(t, store.Options{DataDir: dir})
		if got, err := copied.Meta(ctx, "colour"); got != "green" || err != nil {
			t.Errorf("Meta in the copy = %q, %v", got, err)
		}
		if err := s.Backup(ctx, file); err == nil {
			t.Error("a second backup overwrote the first")
		}
	})
	t.Run("of PostgreSQL names pg_dump", func(t *testing.T) {
		s := storetest.Open(t, storetest.Postgres(t))
		if err := s.Backup(t.Context(), filepath.Join(t.TempDir(), "x")); err == nil {
			t.Error("Backup succeeded")
		}
	})
}
