// Package notify tells others what became of a job: webhooks, signed, queued
// and retried.
//
// An event is a row, written in the transaction that makes it true (Tell), so
// neither exists without the other. One sender per team and address takes the
// rows in order, four at a time; it is a job, so events survive a restart and
// are not sent from two places at once. A row stays after its last attempt:
// the rows are the log of deliveries.
package notify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/netguard"
	"github.com/trawlhq/trawl/internal/store"
)

// JobKind is the kind of jobs that send events to one address.
const JobKind = "webhook"

// Options are the parts a Service works with.
type Options struct {
	Store   *store.Store
	Queue   *job.Queue
	Guard   *netguard.Guard
	Version string // in the user agent

	// Document gives a document an event is about.
	Document func(ctx context.Context, team, scrapeID string) (*trawl.Document, error)

	Retries []time.Duration // waits after failed attempts; nil: 1, 5 and 15 minutes
	Log     *slog.Logger
	Now     func() time.Time // nil: time.Now
}

// Service queues and sends events.
type Service struct {
	Options
	client *http.Client
}

// New makes a service. It sends nothing until the queue runs.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Retries == nil {
		o.Retries = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute}
	}
	return &Service{Options: o, client: newClient(o.Guard)}
}

// Event is something that happened to a job.
type Event struct {
	TeamID    string
	JobID     string
	Namespace string // crawl, batch_scrape, …
	Name      string // started, page, …
	ScrapeID  string // the document it is about; empty: none
	Error     string // why the job did not succeed; empty: it did
	Seq       int64  // order within the job
}

// keepLog is how long a delivery can be looked up after it was made.
const keepLog = 48 * time.Hour

// Tell notes events for the webhook of a job, in the transaction in which they
// happen. The webhook is as Subscribe gave it; empty: nobody wants to know.
func (s *Service) Tell(ctx context.Context, tx *store.Tx, webhook string, events ...Event) error {
	if webhook == "" || len(events) == 0 {
		return nil
	}
	w, _, err := readSubscription(webhook)
	if err != nil {
		return err
	}
	var wanted []store.Delivery
	now := s.Now()
	for _, e := range events {
		if !w.Wants(e.Namespace, e.Name) {
			continue
		}
		wanted = append(wanted, store.Delivery{
			ID: uuid.NewString(), TeamID: e.TeamID, JobID: e.JobID, Event: e.Namespace + "." + e.Name, Target: target(e.TeamID, w.URL),
			Webhook: webhook, ScrapeID: e.ScrapeID, Error: e.Error, Seq: e.Seq, State: store.DeliveryPending,
			NextAt: now, CreatedAt: now, ExpiresAt: now.Add(keepLog),
		})
	}
	if len(wanted) == 0 {
		return nil
	}
	if err := tx.InsertDeliveries(ctx, wanted); err != nil {
		return err
	}
	return s.callSender(ctx, tx, wanted[0])
}

// callSender makes sure that somebody sends what waits for a target.
func (s *Service) callSender(ctx context.Context, tx *store.Tx, d store.Delivery) error {
	_, err := s.Queue.Enqueue(ctx, tx, job.Spec{
		TeamID: d.TeamID, Kind: JobKind, Lane: trawl.LaneInteractive, UniqueKey: d.Target, Payload: payload{d.Target}, MaxAttempts: 1000,
	})
	return err
}

type payload struct {
	Target string `json:"target"`
}

// target names what one sender serves.
func target(team, address string) string {
	sum := sha256.Sum256([]byte(team + "\n" + address))
	return hex.EncodeToString(sum[:16])
}

// Run looks for events whose sender has gone missing, until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	ticker := time.NewTicker(mendEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			if err := s.mend(ctx); err != nil && ctx.Err() == nil {
				s.Log.WarnContext(ctx, "webhook senders not checked", "err", err)
			}
		}
	}
}

const mendEvery = 10 * time.Second

func (s *Service) mend(ctx context.Context) error {
	idle, err := s.Store.IdleTargets(ctx, JobKind, s.Now())
	if err != nil || len(idle) == 0 {
		return err
	}
	return s.Store.InTx(ctx, func(tx *store.Tx) error {
		for _, d := range idle {
			if err := s.callSender(ctx, tx, d); err != nil {
				return err
			}
		}
		return nil
	})
}
