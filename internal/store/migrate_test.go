package store

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
)

func TestMigrationFiles(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files []string
		want  string // versions, or part of the error
	}{
		{"in order of their numbers", []string{"002_b.sql", "001_a.sql", "010_c.sql"}, "1 2 10"},
		{"without a number", []string{"first.sql"}, "has no number"},
		{"two of one number", []string{"001_a.sql", "001_b.sql"}, "has the number of"},
		{"none", nil, "no migrations"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for _, name := range tc.files {
				files["migrations/"+name] = &fstest.MapFile{}
			}
			steps, err := readMigrations(files)
			var versions []string
			for _, s := range steps {
				versions = append(versions, strings.TrimLeft(s.name[:3], "0"))
			}
			got := strings.Join(versions, " ")
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tc.want) {
				t.Errorf("readMigrations = %s, want %s", got, tc.want)
			}
		})
	}
}

func TestDatabaseOfANewerProgramIsRefused(t *testing.T) {
	opt := Options{DataDir: t.TempDir()}
	s, err := Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.Exec(`INSERT INTO migrations (version, name, applied_at) VALUES (999, 'of the future', 0)`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), opt); err == nil || !strings.Contains(err.Error(), "newer trawl") {
		t.Errorf("Open = %v, want a refusal", err)
	}
}

func TestMigrationThatFailsLeavesNothing(t *testing.T) {
	s, err := Open(t.Context(), Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	steps := []migration{{version: 1000, name: "good", sql: `CREATE TABLE good (id TEXT)`}, {version: 1001, name: "bad", sql: `CREATE NONSENSE`}}
	err = s.InTx(t.Context(), func(tx *Tx) error { return tx.apply(t.Context(), steps) })
	if err == nil || !strings.Contains(err.Error(), "apply bad") {
		t.Errorf("apply = %v, want the name of the bad step", err)
	}
	if _, err := s.reader().exec(context.Background(), `SELECT * FROM good`); err == nil {
		t.Error("the good step before the bad one is still there")
	}
}
