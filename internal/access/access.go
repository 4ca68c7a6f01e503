// Package access decides who may do what, how often, how much at once and for
// how many credits.
//
// A caller shows a key; the key belongs to a team; the team has a plan. A plan
// limits requests per minute and class, pages loaded at once (slots) and
// credits per month. The built-in plan limits nothing but still counts. Callers
// without a key are let in only where the operator allows it, each address with
// a small daily budget of its own.
//
// In one process the limits are kept in memory; where several processes share a
// PostgreSQL they are rows there, so that together they never give out more.
package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Options are what the operator decided.
type Options struct {
	Off          bool            // no authentication: everybody is the default team
	BootstrapKey string          // valid from the first start; empty: none
	Plans        map[string]Plan // by name; the built-in plan is always there
	DefaultPlan  string          // of the default team; empty: as it is, the built-in one at first
	Slots        int             // pages the server can load at once
	Keyless      Keyless
	Now          func() time.Time // nil: time.Now
	Log          *slog.Logger
}

// Service is the gate.
type Service struct {
	store     *store.Store
	options   Options
	now       func() time.Time
	log       *slog.Logger
	keys      *keyCache
	rates     rateLimiter
	slots     slotKeeper
	ledger    *ledger
	allowance *allowance
	plans     map[string]Plan
}

// New makes the gate. Start must be called before the first caller comes.
func New(s *store.Store, o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	a := &Service{store: s, options: o, now: o.Now, log: o.Log, plans: withBuiltIn(o.Plans, o.Slots)}
	a.keys = newKeyCache(s, o.Now)
	a.ledger = newLedger(s, o.Log, o.Now)
	a.allowance = newAllowance(s)
	if s.Database() == "postgres" {
		a.rates = &sharedRates{store: s}
		a.slots = &sharedSlots{store: s, now: o.Now, log: o.Log}
	} else {
		a.rates = newLocalRates()
		a.slots = newLocalSlots()
	}
	return a
}

// Start makes the default team and its first key. It returns the text of a key
// that was made just now, to be shown once; empty when there was one already.
func (a *Service) Start(ctx context.Context) (firstKey string, err error) {
	plan := a.options.DefaultPlan
	if _, known := a.plans[plan]; plan != "" && !known {
		return "", fmt.Errorf("plan %q is not in the plans file", plan)
	}
	if err := a.EnsureTeam(ctx, trawl.DefaultTeam); err != nil {
		return "", err
	}
	if err := a.movePlan(ctx, plan); err != nil {
		return "", err
	}
	if a.options.BootstrapKey != "" {
		return "", a.bootstrap(ctx)
	}
	keys, err := a.store.AllKeys(ctx, trawl.DefaultTeam)
	if err != nil || len(keys) > 0 {
		return "", err
	}
	_, token, err := a.CreateKey(ctx, trawl.Key{TeamID: trawl.DefaultTeam, Name: "first key", Scopes: trawl.Scopes})
	return token, err
}

// movePlan puts the default team on the plan the operator names, also when it was made on another.
func (a *Service) movePlan(ctx context.Context, plan string) error {
	if plan == "" {
		return nil
	}
	team, err := a.store.Team(ctx, trawl.DefaultTeam)
	if err != nil || team.Plan == plan {
		return err
	}
	return a.UpdateTeam(ctx, trawl.Team{ID: team.ID, Plan: plan, AllowedIPs: team.AllowedIPs})
}

// UpdateTeam changes the plan and the allowed addresses of a team.
func (a *Service) UpdateTeam(ctx context.Context, t trawl.Team) error {
	for _, text := range t.AllowedIPs {
		if _, err := parseRange(text); err != nil {
			return fmt.Errorf("%q is neither an address nor a range", text)
		}
	}
	if err := a.store.UpdateTeam(ctx, t); err != nil {
		return fmt.Errorf("change team %s: %w", t.ID, err)
	}
	a.keys.forget()
	a.log.InfoContext(ctx, "audit", "action", "team changed", "team", t.ID, "plan", t.Plan, "allowed", t.AllowedIPs)
	return nil
}

// Teams gives all teams.
func (a *Service) Teams(ctx context.Context) ([]trawl.Team, error) { return a.store.Teams(ctx) }

// EnsureTeam makes a team on the default plan unless there is one of that name.
func (a *Service) EnsureTeam(ctx context.Context, id string) error {
	plan := a.options.DefaultPlan
	if plan == "" {
		plan = BuiltInPlan
	}
	if id == "" || isKeyless(id) {
		return fmt.Errorf("%q cannot be the name of a team", id)
	}
	if err := a.store.EnsureTeam(ctx, trawl.Team{ID: id, Name: id, Plan: plan, WebhookSecret: rand.Text(), CreatedAt: a.now()}); err != nil {
		return fmt.Errorf("make team %s: %w", id, err)
	}
	return nil
}

// Run writes usage down in batches until ctx ends, and then what is left.
func (a *Service) Run(ctx context.Context) error {
	err := a.ledger.run(ctx)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return errors.Join(err, a.allowance.returnAll(last))
}

// Flush writes down what has been counted so far.
func (a *Service) Flush(ctx context.Context) error { return a.ledger.flush(ctx) }

// Plan gives the plan of a team; one that is not in the file any more is the built-in one.
func (a *Service) Plan(team trawl.Team) Plan {
	if p, ok := a.plans[team.Plan]; ok {
		return p
	}
	return a.plans[BuiltInPlan]
}

// KnownPlan gives the plan of a team without asking the store: that of the last
// request, or the built-in one. The queue asks in the middle of a transaction.
func (a *Service) KnownPlan(team string) Plan {
	a.keys.mu.RLock()
	held, ok := a.keys.teams[team]
	a.keys.mu.RUnlock()
	if !ok {
		return a.plans[BuiltInPlan]
	}
	return a.Plan(held.team)
}
