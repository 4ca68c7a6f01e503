package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// openPostgres opens a pool of connections; each is made when it is first needed.
func openPostgres(ctx context.Context, opt Options) (*Store, error) {
	config, err := pgx.ParseConfig(opt.DatabaseURL)
	if err != nil {
		return nil, fmt.Errorf("read database address: %w", err) // pgx leaves the password out
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "trawl"
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(opt.MaxConns)
	db.SetMaxIdleConns(opt.MaxConns)
	db.SetConnMaxIdleTime(5 * time.Minute)
	if err := db.PingContext(ctx); err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("connect to database: %w", classify(err))
	}
	return &Store{dialect: postgresDialect, write: db, read: db, listen: listenPostgres(config)}, nil
}
