package notify_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/netguard"
	"github.com/trawlhq/trawl/internal/notify"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

const secret = "a secret of the team"

// receiver answers as it is told and keeps what it got.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	refuse  int // answers of 500 to come
	got     []delivery
	running int
	most    int // at once
}

type delivery struct {
	header http.Header
	body   []byte
	event  trawl.WebhookEvent
}

func newReceiver(t *testing.T, refuse int) *receiver {
	r := &receiver{refuse: refuse}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	d := delivery{header: req.Header, body: body}
	_ = json.Unmarshal(body, &d.event)
	r.mu.Lock()
	r.running++
	r.most = max(r.most, r.running)
	r.got = append(r.got, d)
	refuse := r.refuse > 0
	r.refuse--
	r.mu.Unlock()
	time.Sleep(2 * time.Millisecond)
	if refuse {
		w.WriteHeader(http.StatusInternalServerError)
	}
	r.mu.Lock()
	r.running--
	r.mu.Unlock()
}

func (r *receiver) deliveries() []delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// open starts a service whose sender runs.
func open(t *testing.T, db *store.Store, private string) *notify.Service {
	t.Helper()
	policy, err := netguard.ParsePolicy(private)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.EnsureTeam(t.Context(), trawl.Team{ID: "team", Name: "team", WebhookSecret: secret, CreatedAt: time.Now()}); err != nil {
		t.Fatal(err)
	}
	queue := job.New(job.Options{Store: db, Interactive: 4, Poll: 20 * time.Millisecond})
	s := notify.New(notify.Options{
		Store: db, Queue: queue, Guard: netguard.New(policy, netguard.Options{}), Version: "1",
		Retries: []time.Duration{30 * time.Millisecond, 30 * time.Millisecond},
		Document: func(_ context.Context, team, id string) (*trawl.Document, error) {
			return &trawl.Document{Markdown: "# " + team + " " + id, Screenshot: "/files/" + id + ".png"}, nil
		},
	})
	queue.Handle(notify.JobKind, job.Handler{Work: s.Work})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = queue.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return s
}

func tell(t *testing.T, s *notify.Service, w trawl.Webhook, events ...notify.Event) {
	t.Helper()
	text, err := notify.Subscribe(&w, "https://trawl.test")
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		events[i].TeamID, events[i].JobID, events[i].Seq = "team", "job", int64(i)
	}
	err = s.Store.InTx(t.Context(), func(tx *store.Tx) error { return s.Tell(t.Context(), tx, text, events...) })
	if err != nil {
		t.Fatal(err)
	}
}

// settled waits until nothing is pending and gives the log.
func settled(t *testing.T, db *store.Store) []store.Delivery {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		log, err := db.Deliveries(t.Context(), "job")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(log, func(d store.Delivery) bool { return d.State == store.DeliveryPending }) {
			return log
		}
		if time.Now().After(deadline) {
			t.Fatalf("still pending: %+v", log)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestAnEventIsSignedAndSentAsTheContractSays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s, r := open(t, db, "true"), newReceiver(t, 0)
		tell(t, s, trawl.Webhook{
			URL: r.URL, Headers: map[string]string{"X-Run": "42", "X-Firecrawl-Signature": "forged"}, Metadata: map[string]string{"run": "42"},
		}, notify.Event{Namespace: "crawl", Name: "page", ScrapeID: "s1"}, notify.Event{Namespace: "crawl", Name: "cancelled"})
		log := settled(t, db)
		got := r.deliveries()
		if len(log) != 1 || len(got) != 1 {
			t.Fatalf("%d in the log, %d sent; an event that is not asked for is none", len(log), len(got))
		}
		d := got[0]
		for name, want := range map[string]string{
			"Content-Type": "application/json", "User-Agent": "trawl-webhook/1", "X-Run": "42", "X-Trawl-Delivery-Attempt": "1",
			"X-Trawl-Webhook-Id": d.event.WebhookID, "X-Firecrawl-Signature": notify.Signature(secret, d.body),
		} {
			if d.header.Get(name) != want {
				t.Errorf("%s: %q, want %q", name, d.header.Get(name), want)
			}
		}
		e := d.event
		if !e.Success || e.Type != "crawl.page" || e.ID != "job" || e.WebhookID != log[0].ID || e.Metadata["run"] != "42" ||
			len(e.Data) != 1 {
			t.Fatalf("event %s", d.body)
		}
		var doc trawl.Document
		if err := json.Unmarshal(e.Data[0], &doc); err != nil || doc.Markdown != "# team s1" || doc.Screenshot != "https://trawl.test/files/s1.png" {
			t.Errorf("document %s, %v; its files must be where the caller can reach them", e.Data[0], err)
		}
		if log[0].State != store.DeliveryDelivered || log[0].Status != 200 || log[0].Attempts != 1 {
			t.Errorf("log %+v", log[0])
		}
	})
}

func TestARefusedEventIsSentAgainUnchangedAndThenDropped(t *testing.T) {
	for _, tc := range []struct {
		name          string
		refuse        int
		state         string
		tries, status int
	}{
		{"taken at the third try", 2, store.DeliveryDelivered, 3, 200},
		{"never taken", 100, store.DeliveryDropped, 3, 500},
	} {
		t.Run(tc.name, func(t *testing.T) {
			db := storetest.Open(t, storetest.SQLite(t))
			s, r := open(t, db, "true"), newReceiver(t, tc.refuse)
			tell(t, s, trawl.Webhook{URL: r.URL}, notify.Event{Namespace: "crawl", Name: "failed", Error: "why"})
			log := settled(t, db)
			got := r.deliveries()
			if log[0].State != tc.state || log[0].Attempts != tc.tries || log[0].Status != tc.status || len(got) != tc.tries {
				t.Errorf("log %+v after %d deliveries", log[0], len(got))
			}
			for i, d := range got {
				if string(d.body) != string(got[0].body) || d.event.Success || d.event.Error != "why" {
					t.Errorf("delivery %d: %s", i, d.body)
				}
			}
		})
	}
}

func TestAPrivateReceiverIsDroppedAtOnce(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	s, r := open(t, db, "false"), newReceiver(t, 0)
	tell(t, s, trawl.Webhook{URL: r.URL}, notify.Event{Namespace: "crawl", Name: "started"})
	if log := settled(t, db); log[0].State != store.DeliveryDropped || log[0].Attempts != 1 || log[0].Problem == "" {
		t.Errorf("log %+v", log[0])
	}
	if len(r.deliveries()) != 0 {
		t.Error("a private address was reached")
	}
}

func TestOneAddressGetsFourEventsAtOnceAndAllOfThem(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	s, r := open(t, db, "true"), newReceiver(t, 0)
	const n = 250
	for i := range n {
		tell(t, s, trawl.Webhook{URL: r.URL}, notify.Event{Namespace: "crawl", Name: "page", ScrapeID: string(rune('a' + i%26))})
	}
	settled(t, db)
	if got := len(r.deliveries()); got != n || r.most > 4 {
		t.Errorf("%d deliveries, %d at once; want %d, at most 4", got, r.most, n)
	}
}
