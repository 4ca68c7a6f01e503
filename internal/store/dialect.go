package store

import (
	"strconv"
	"strings"
)

// dialect is everything in which the two databases differ, apart from opening
// them (sqlite.go, postgres.go) and the numbers of their errors (errors.go).
type dialect struct {
	name       string
	numbered   bool   // values are $1, $2, … instead of ?
	blob       string // column type of bytes; migrations say BLOB
	size       string // query for the bytes on disk
	lockRows   string // ends a SELECT whose rows are about to be changed
	skipLocked string // the same, leaving out rows that someone else is changing
	lockNamed  string // statement: hold the lock with this name until the transaction ends
	notify     string // statement: tell listeners this text on commit
}

// SQLite lets one transaction write at a time, so rows and names need no locks.
var sqliteDialect = dialect{
	name: "sqlite",
	blob: "BLOB",
	size: `SELECT (SELECT page_count FROM pragma_page_count()) * (SELECT page_size FROM pragma_page_size())`,
}

// PostgreSQL keeps locks and channels per database; the schema is part of
// their names so that two installations can share one.
var postgresDialect = dialect{
	name:     "postgres",
	numbered: true,
	blob:     "BYTEA",
	size: `SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0)::BIGINT FROM pg_class c
		JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind = 'r'`,
	lockRows:   ` FOR UPDATE`,
	skipLocked: ` FOR UPDATE SKIP LOCKED`,
	lockNamed:  `SELECT pg_advisory_xact_lock(hashtext(current_schema()), hashtext(?))`,
	notify:     `SELECT pg_notify('trawl_' || current_schema(), ?)`,
}

// rebind turns the ? of a statement into the database's own placeholders,
// leaving quoted text alone.
func (d dialect) rebind(query string) string {
	if !d.numbered || !strings.Contains(query, "?") {
		return query
	}
	var b strings.Builder
	b.Grow(len(query) + 16)
	quoted, n := false, 0
	for i := 0; i < len(query); i++ {
		switch c := query[i]; {
		case c == '\'':
			quoted = !quoted
			b.WriteByte(c)
		case c == '?' && !quoted:
			n++
			b.WriteByte('$')
			b.WriteString(strconv.Itoa(n))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// schema turns a migration into the database's own words.
func (d dialect) schema(migration string) string {
	return strings.ReplaceAll(migration, " BLOB", " "+d.blob)
}

// marks returns n placeholders for an IN list: "?, ?, ?".
func marks(n int) string {
	return strings.TrimSuffix(strings.Repeat("?, ", n), ", ")
}
