package store

import (
	"fmt"
	"strings"
	"testing"
)

func TestKeptStatements(t *testing.T) {
	ctx := t.Context()
	s, err := Open(ctx, Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.read.SetMaxOpenConns(1) // so that all of this meets one connection

	t.Run("one that is still being read can be run again", func(t *testing.T) {
		const query = `SELECT 1 UNION ALL SELECT 2`
		outer, err := s.write.BeginTx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer outer.Rollback()
		rows, err := outer.QueryContext(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		seen := 0
		for rows.Next() {
			again, err := all(ctx, conn{db: outer, dialect: s.dialect}, scanInt, query)
			if err != nil || len(again) != 2 {
				t.Errorf("the inner query = %v, %v, want two rows", again, err)
			}
			seen++
		}
		if seen != 2 || rows.Err() != nil {
			t.Errorf("the outer query gave %d rows, %v, want two", seen, rows.Err())
		}
	})

	t.Run("more than are kept, and longer than are kept", func(t *testing.T) {
		for round := range 2 {
			for i := range keepCount * 2 {
				got, err := one(ctx, s.reader(), scanInt, fmt.Sprintf(`SELECT %d + ?`, i), round)
				if err != nil || got != int64(i+round) {
					t.Fatalf("SELECT %d + %d = %d, %v", i, round, got, err)
				}
			}
			if got, err := one(ctx, s.reader(), scanInt, `SELECT 1`+strings.Repeat(` `, keepLength)); got != 1 || err != nil {
				t.Errorf("a long statement = %d, %v", got, err)
			}
		}
	})

	t.Run("one that failed works once its reason is gone", func(t *testing.T) {
		if err := s.SetMeta(ctx, "a", "1"); err != nil {
			t.Fatal(err)
		}
		insert := func() error {
			return s.InTx(ctx, func(tx *Tx) error {
				_, err := tx.exec(ctx, `INSERT INTO meta (name, value) VALUES (?, ?)`, "a", "2")
				return err
			})
		}
		if err := insert(); err == nil {
			t.Fatal("a name was inserted twice")
		}
		if _, err := s.write.Exec(`DELETE FROM meta WHERE name = 'a'`); err != nil {
			t.Fatal(err)
		}
		if err := insert(); err != nil {
			t.Errorf("insert = %v", err)
		}
	})

	t.Run("the schema may change under them", func(t *testing.T) {
		for _, column := range []string{"one", "two"} {
			if _, err := s.Meta(ctx, "a"); err != nil {
				t.Fatal(err)
			}
			if _, err := s.write.Exec(`ALTER TABLE meta ADD COLUMN ` + column + ` TEXT`); err != nil {
				t.Fatal(err)
			}
		}
	})
}
