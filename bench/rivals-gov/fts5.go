package main

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"unicode"

	_ "modernc.org/sqlite" // the driver
)

type ftsTable struct{ db *sql.DB }

func buildFTS5(ctx context.Context, dir, passages string) (rival, error) {
	db, err := sql.Open("sqlite", filepath.Join(dir, "fts5.db")+"?_pragma=synchronous(0)&_pragma=journal_mode(off)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, `CREATE VIRTUAL TABLE passage USING fts5(text, address UNINDEXED, tokenize='porter unicode61')`); err != nil {
		return nil, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	insert, err := tx.PrepareContext(ctx, `INSERT INTO passage(text, address) VALUES (?, ?)`)
	if err != nil {
		return nil, err
	}
	err = eachLine(passages, func(p passage) error {
		_, err := insert.ExecContext(ctx, p.Text, p.Address)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &ftsTable{db}, tx.Commit()
}

func (f *ftsTable) search(ctx context.Context, text string, limit int) ([]string, error) {
	var words []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words = append(words, `"`+w+`"`)
	}
	rows, err := f.db.QueryContext(ctx, `SELECT address FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT ?`, strings.Join(words, " OR "), limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var address string
		if err := rows.Scan(&address); err != nil {
			return nil, err
		}
		found = append(found, address)
	}
	return found, rows.Err()
}

func (f *ftsTable) close() error { return f.db.Close() }
