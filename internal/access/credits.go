package access

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Charge is a number of credits set aside for one request. It must be settled.
type Charge struct {
	access   *Service
	caller   trawl.Caller
	meters   []store.Meter
	reserved int64
	day      time.Time
}

// Reserve sets credits aside, or answers that there are none left. Where
// nothing limits the caller nothing is written yet. Limits hold however many
// requests come at once, because what is set aside counts as used.
func (a *Service) Reserve(ctx context.Context, caller trawl.Caller, credits int) (*Charge, error) {
	now := a.now()
	c := &Charge{access: a, caller: caller, reserved: int64(credits), day: now}
	meters, err := a.creditMeters(ctx, caller, now)
	if err != nil {
		return nil, err
	}
	c.meters = meters
	if len(c.meters) == 0 || credits == 0 {
		return c, nil
	}
	full, err := a.allowance.take(ctx, c.meters, c.reserved)
	if err != nil {
		return nil, err
	}
	if full != nil && isKeyless(caller.TeamID) {
		return nil, errBudget("credits", full.Ends.Sub(now))
	}
	if full != nil {
		return nil, errCredits()
	}
	return c, nil
}

func errCredits() error {
	return trawl.Errorf(trawl.PaymentRequired, "Payment Required: Insufficient credits")
}

// Settle replaces what was set aside by what it really cost. It must work even
// when the request that asked is gone, so it has a context of its own.
func (c *Charge) Settle(credits int) {
	c.access.ledger.spend(store.Spent{TeamID: c.caller.TeamID, KeyID: c.caller.KeyID, Day: c.day, Credits: int64(credits)})
	if len(c.meters) > 0 && c.reserved != int64(credits) {
		c.access.allowance.give(c.meters, c.reserved-int64(credits))
	}
	c.reserved = int64(credits)
}

// Balance tells how many credits a team has left this month, and of how many.
func (a *Service) Balance(ctx context.Context, team trawl.Team) (left, of int64, err error) {
	plan := a.Plan(team)
	if plan.Credits == 0 {
		return trawl.Unlimited, trawl.Unlimited, nil
	}
	meter := teamMeter(team.ID, plan, a.now())
	used, err := a.store.Used(ctx, meter)
	return max(0, plan.Credits-used+a.allowance.leftOf(meter)), plan.Credits, err
}

// creditMeters are the limits a caller's spending is held to, in the order they are taken.
func (a *Service) creditMeters(ctx context.Context, caller trawl.Caller, now time.Time) ([]store.Meter, error) {
	if isKeyless(caller.TeamID) {
		return a.keylessCreditMeters(caller.TeamID, now), nil
	}
	team, err := a.keys.team(ctx, caller.TeamID)
	if err != nil {
		return nil, err
	}
	var meters []store.Meter
	if plan := a.Plan(team); plan.Credits > 0 {
		meters = append(meters, teamMeter(team.ID, plan, now))
	}
	if caller.KeyID == "" {
		return meters, nil
	}
	limit, err := a.keys.spendLimit(ctx, caller.TeamID, caller.KeyID)
	if err != nil || limit == nil {
		return meters, err
	}
	starts, ends := interval(limit.Interval, now)
	return append(meters, store.Meter{
		Name: "credits key " + caller.KeyID, Starts: starts, Ends: ends, Limit: int64(limit.Credits), KeepFor: keepMeters,
	}), nil
}

// keepMeters is how long a meter outlives its window: an answer that is settled late still finds it.
const keepMeters = 48 * time.Hour

func teamMeter(team string, plan Plan, now time.Time) store.Meter {
	starts, ends := interval("month", now)
	return store.Meter{Name: "credits team " + team, Starts: starts, Ends: ends, Limit: plan.Credits, KeepFor: keepMeters}
}

// interval gives the calendar day, week (from Monday) or month around a moment, in UTC.
func interval(name string, now time.Time) (starts, ends time.Time) {
	y, m, d := now.UTC().Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	switch name {
	case "day":
		return day, day.AddDate(0, 0, 1)
	case "week":
		monday := day.AddDate(0, 0, -((int(day.Weekday()) + 6) % 7))
		return monday, monday.AddDate(0, 0, 7)
	default:
		first := time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
		return first, first.AddDate(0, 1, 0)
	}
}

// Note records a request in the team's activity. Requests of keyless callers are not listed.
func (a *Service) Note(n store.Activity) {
	if isKeyless(n.TeamID) {
		return
	}
	if n.ID == "" {
		n.ID = uuid.Must(uuid.NewV7()).String()
	}
	if n.At.IsZero() {
		n.At = a.now()
	}
	n.Expires = n.At.Add(24 * time.Hour)
	a.ledger.note(n)
}
