// Package storetest gives a test a fresh store, once on each database.
package storetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/store"
)

// Variable names the environment variable with the address of a PostgreSQL
// database that tests may fill with schemas of their own.
const Variable = "TRAWL_TEST_POSTGRES"

// Each runs the test on SQLite in a temporary folder and on PostgreSQL in a
// schema of its own, which is dropped afterwards. Without a PostgreSQL that
// half fails: a test that can be skipped proves nothing.
func Each(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Helper()
	EachOptions(t, func(t *testing.T, opt store.Options) { test(t, Open(t, opt)) })
}

// EachOptions is Each for tests that open the store themselves, perhaps twice
// or in another process.
func EachOptions(t *testing.T, test func(t *testing.T, opt store.Options)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

// SQLite returns the options of an empty SQLite database.
func SQLite(t testing.TB) store.Options {
	t.Helper()
	return store.Options{DataDir: t.TempDir()}
}

// Postgres returns the options of an empty PostgreSQL schema.
func Postgres(t testing.TB) store.Options {
	t.Helper()
	address := os.Getenv(Variable)
	if address == "" {
		t.Fatalf("%s is not set: run the tests through scripts/with-postgres", Variable)
	}
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatalf("open %s: %v", Variable, err)
	}
	schema := "test_" + strings.ToLower(rand.Text())
	if _, err := db.Exec("CREATE SCHEMA " + schema); err != nil {
		t.Fatalf("make schema: %v", err)
	}
	t.Cleanup(func() {
		if _, err := db.Exec("DROP SCHEMA " + schema + " CASCADE"); err != nil {
			t.Errorf("drop schema: %v", err)
		}
		db.Close()
	})
	return store.Options{DatabaseURL: withSchema(t, address, schema), MaxConns: 8}
}

// withSchema makes every connection to address work in schema.
func withSchema(t testing.TB, address, schema string) string {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("%s is no URL: %v", Variable, err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}

// Open opens a store and closes it when the test ends.
func Open(t testing.TB, opt store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), opt)
	if err != nil {
		t.Fatalf("open store: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	return s
}
