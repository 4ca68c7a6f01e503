package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Tx is a running transaction. Its methods are the parts from which whole
// operations are put together.
type Tx struct {
	conn
	committed []func()
}

// InTx runs fn in one transaction: committed when fn returns nil, undone when
// it fails or panics. fn must work through tx alone and not wait for anything
// else: on SQLite there is one writer, and calling the Store from within would
// wait for itself.
func (s *Store) InTx(ctx context.Context, fn func(tx *Tx) error) error {
	begun, err := s.write.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return fmt.Errorf("begin transaction: %w", classify(err))
	}
	defer begun.Rollback() // after a commit this does nothing
	tx := &Tx{conn: conn{db: begun, dialect: s.dialect}}
	if err := fn(tx); err != nil {
		return err
	}
	if err := begun.Commit(); err != nil {
		return fmt.Errorf("commit transaction: %w", classify(err))
	}
	for _, after := range tx.committed {
		after()
	}
	return nil
}

// AfterCommit has fn called once the transaction is committed, and never when
// it is not. fn must not block.
func (tx *Tx) AfterCommit(fn func()) { tx.committed = append(tx.committed, fn) }

// Notify sends a short text to every process that listens on this database, on
// commit. SQLite has no such thing and does nothing: listeners there poll.
func (tx *Tx) Notify(ctx context.Context, text string) error {
	if tx.dialect.notify == "" {
		return nil
	}
	_, err := tx.exec(ctx, tx.dialect.notify, text)
	return err
}
