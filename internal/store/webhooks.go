package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The states of a delivery.
const (
	DeliveryPending   = "pending"
	DeliveryDelivered = "delivered"
	DeliveryDropped   = "dropped"
)

// Delivery is one webhook event: to be sent, or what became of it.
type Delivery struct {
	ID          string // the webhookId
	TeamID      string
	JobID       string
	Event       string // with its namespace
	Target      string // what one sender serves: a team and an address
	Webhook     string // JSON
	ScrapeID    string // the document it is about; empty: none
	Error       string
	Seq         int64 // order within the job
	State       string
	Attempts    int
	Status      int // of the last answer; 0: none
	Problem     string
	NextAt      time.Time
	CreatedAt   time.Time
	DeliveredAt time.Time
	ExpiresAt   time.Time
}

const deliveryColumns = `id, team_id, job_id, event, target, webhook, scrape_id, error, seq, state, attempts, status, problem, next_at,
	created_at, delivered_at, expires_at`

// InsertDeliveries notes events to be sent.
func (tx *Tx) InsertDeliveries(ctx context.Context, list []Delivery) error {
	row := `(` + marks(17) + `), `
	for batch := range slices.Chunk(list, pagesAtOnce) {
		args := make([]any, 0, 17*len(batch))
		for _, d := range batch {
			args = append(args, d.ID, d.TeamID, d.JobID, d.Event, d.Target, d.Webhook, d.ScrapeID, d.Error, d.Seq, d.State, d.Attempts, d.Status,
				d.Problem, millis(d.NextAt), millis(d.CreatedAt), millis(d.DeliveredAt), millis(d.ExpiresAt))
		}
		_, err := tx.exec(ctx, `INSERT INTO deliveries (`+deliveryColumns+`) VALUES `+
			strings.TrimSuffix(strings.Repeat(row, len(batch)), `, `), args...)
		if err != nil {
			return fmt.Errorf("insert deliveries: %w", err)
		}
	}
	return nil
}

// DueDeliveries gives the events for a target that are due, oldest first.
func (s *Store) DueDeliveries(ctx context.Context, target string, now time.Time, most int) ([]Delivery, error) {
	found, err := all(ctx, s.reader(), scanDelivery, `SELECT `+deliveryColumns+` FROM deliveries
		WHERE target = ? AND state = 'pending' AND next_at <= ? ORDER BY created_at, seq LIMIT ?`, target, millis(now), most)
	if err != nil {
		return nil, fmt.Errorf("list due deliveries: %w", err)
	}
	return found, nil
}

// NextDelivery tells when the next event for a target is due; zero: there is none.
func (tx *Tx) NextDelivery(ctx context.Context, target string) (time.Time, error) {
	at, err := one(ctx, tx.conn, scanInt, `SELECT CAST(COALESCE(MIN(next_at), 0) AS BIGINT) FROM deliveries WHERE target = ? AND state = 'pending'`, target)
	return moment(at), err
}

// UpdateDelivery writes down what an attempt came to.
func (tx *Tx) UpdateDelivery(ctx context.Context, d Delivery) error {
	_, err := tx.exec(ctx, `UPDATE deliveries SET state = ?, attempts = ?, status = ?, problem = ?, next_at = ?, delivered_at = ?
		WHERE id = ? AND state = 'pending'`, d.State, d.Attempts, d.Status, d.Problem, millis(d.NextAt), millis(d.DeliveredAt), d.ID)
	if err != nil {
		return fmt.Errorf("update delivery %s: %w", d.ID, err)
	}
	return nil
}

// IdleTargets gives one pending event of each target that has events due but no
// sender queued or running.
func (s *Store) IdleTargets(ctx context.Context, jobKind string, now time.Time) ([]Delivery, error) {
	return all(ctx, s.reader(), scanDelivery, `SELECT `+deliveryColumns+` FROM deliveries WHERE id IN (
		SELECT MIN(d.id) FROM deliveries d WHERE d.state = 'pending' AND d.next_at <= ? AND NOT EXISTS (
			SELECT 1 FROM jobs j WHERE j.team_id = d.team_id AND j.kind = ? AND j.unique_key = d.target AND j.state IN ('queued', 'running'))
		GROUP BY d.target)`, millis(now), jobKind)
}

// Deliveries gives the log of a job's events, in order.
func (s *Store) Deliveries(ctx context.Context, job string) ([]Delivery, error) {
	return all(ctx, s.reader(), scanDelivery, `SELECT `+deliveryColumns+` FROM deliveries WHERE job_id = ? ORDER BY seq, created_at, id`, job)
}

func scanDelivery(r row) (d Delivery, err error) {
	var next, created, delivered, expires int64
	err = r.Scan(&d.ID, &d.TeamID, &d.JobID, &d.Event, &d.Target, &d.Webhook, &d.ScrapeID, &d.Error, &d.Seq, &d.State, &d.Attempts, &d.Status,
		&d.Problem, &next, &created, &delivered, &expires)
	d.NextAt, d.CreatedAt, d.DeliveredAt, d.ExpiresAt = moment(next), moment(created), moment(delivered), moment(expires)
	return d, err
}
