package store

import "testing"

func TestRebind(t *testing.T) {
	for _, tc := range []struct{ name, query, want string }{
		{"no values", `SELECT 1`, `SELECT 1`},
		{"values in order", `a = ? AND b IN (?, ?)`, `a = $1 AND b IN ($2, $3)`},
		{"quoted text stays", `a = '?' AND b = ?`, `a = '?' AND b = $1`},
		{"a quote within quotes", `a = 'it''s ?' AND b = ?`, `a = 'it''s ?' AND b = $1`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := postgresDialect.rebind(tc.query); got != tc.want {
				t.Errorf("rebind for PostgreSQL = %s, want %s", got, tc.want)
			}
			if got := sqliteDialect.rebind(tc.query); got != tc.query {
				t.Errorf("rebind for SQLite = %s, want it unchanged", got)
			}
		})
	}
}
