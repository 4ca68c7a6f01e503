package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// listenFunc calls heard for each text sent with Tx.Notify until ctx ends or
// the connection is lost.
type listenFunc func(ctx context.Context, heard func(text string)) error

// Listen calls heard for each text that any process sends with Tx.Notify, and
// with "" whenever texts may have been missed: at the start and after a lost
// connection, which it renews by itself. It returns when ctx ends.
//
// On SQLite nothing is ever heard after the start. Notifications are therefore
// a shortcut: who needs certainty polls as well.
func (s *Store) Listen(ctx context.Context, heard func(text string)) {
	for ctx.Err() == nil {
		_ = s.listen(ctx, heard) // every query fails with the same cause and reports it; here one waits
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func listenNever(ctx context.Context, heard func(text string)) error {
	heard("")
	<-ctx.Done()
	return ctx.Err()
}

func listenPostgres(config *pgx.ConnConfig) listenFunc {
	return func(ctx context.Context, heard func(text string)) error {
		c, err := pgx.ConnectConfig(ctx, config.Copy())
		if err != nil {
			return fmt.Errorf("connect to listen: %w", err)
		}
		defer c.Close(context.WithoutCancel(ctx))
		var channel string
		if err := c.QueryRow(ctx, `SELECT 'trawl_' || current_schema()`).Scan(&channel); err != nil {
			return fmt.Errorf("name channel: %w", err)
		}
		if _, err := c.Exec(ctx, `LISTEN `+pgx.Identifier{channel}.Sanitize()); err != nil {
			return fmt.Errorf("listen: %w", err)
		}
		heard("")
		for {
			n, err := c.WaitForNotification(ctx)
			if err != nil {
				return fmt.Errorf("wait for notification: %w", err)
			}
			heard(n.Payload)
		}
	}
}
