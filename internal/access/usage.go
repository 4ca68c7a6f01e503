package access

import (
	"context"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Period is what was spent in a stretch of time, by a team or by one of its keys.
type Period struct {
	Start   time.Time
	End     time.Time // zero: still running
	Key     string    // name of the key; empty: the whole team
	Credits int64
}

// Month gives the billing period around now: a calendar month, UTC.
func (a *Service) Month() (starts, ends time.Time) { return interval("month", a.now()) }

// History gives what a team spent month by month, oldest first; with byKey one
// entry per key and month.
func (a *Service) History(ctx context.Context, team string, byKey bool) ([]Period, error) {
	days, err := a.spentSince(ctx, team, time.Unix(0, 0))
	if err != nil {
		return nil, err
	}
	names, err := a.keyNames(ctx, team, byKey)
	if err != nil {
		return nil, err
	}
	var periods []Period
	for _, day := range days {
		start, end := interval("month", day.Day)
		name := names[day.KeyID]
		at := slices.IndexFunc(periods, func(p Period) bool { return p.Start.Equal(start) && p.Key == name })
		if at < 0 {
			periods = append(periods, Period{Start: start, End: end, Key: name})
			at = len(periods) - 1
		}
		periods[at].Credits += day.Credits
	}
	current, _ := a.Month()
	for i := range periods {
		if periods[i].Start.Equal(current) {
			periods[i].End = time.Time{}
		}
	}
	return periods, nil
}

// Within gives what a team spent day by day in the day, week or month around now.
func (a *Service) Within(ctx context.Context, team, name string) (starts, ends time.Time, periods []Period, err error) {
	starts, ends = interval(name, a.now())
	days, err := a.spentSince(ctx, team, starts)
	if err != nil {
		return starts, ends, nil, err
	}
	for _, day := range days {
		if n := len(periods); n > 0 && periods[n-1].Start.Equal(day.Day) {
			periods[n-1].Credits += day.Credits
			continue
		}
		periods = append(periods, Period{Start: day.Day, End: day.Day.AddDate(0, 0, 1), Credits: day.Credits})
	}
	return starts, ends, periods, nil
}

// spentSince reads what was spent, the last moment included.
func (a *Service) spentSince(ctx context.Context, team string, since time.Time) ([]store.Spent, error) {
	if err := a.Flush(ctx); err != nil {
		return nil, err
	}
	return a.store.Usage(ctx, team, since)
}

// keyNames maps the ids of a team's keys to their names; to nothing when keys are not told apart.
func (a *Service) keyNames(ctx context.Context, team string, byKey bool) (map[string]string, error) {
	if !byKey {
		return nil, nil
	}
	keys, err := a.store.AllKeys(ctx, team)
	names := map[string]string{"": "no key"}
	for _, k := range keys {
		names[k.ID] = k.Name
	}
	return names, err
}

// Activity gives a page of what the team asked for in the last day.
func (a *Service) Activity(ctx context.Context, p store.ActivityPage) ([]store.Activity, error) {
	if err := a.Flush(ctx); err != nil {
		return nil, err
	}
	p.Since = a.now().Add(-24 * time.Hour)
	return a.store.Activities(ctx, p)
}

// LastSuccess gives when something of the team last succeeded; zero: never.
func (a *Service) LastSuccess(ctx context.Context, team string) (time.Time, error) {
	if err := a.Flush(ctx); err != nil {
		return time.Time{}, err
	}
	return a.store.LastSuccess(ctx, team)
}

// Team gives a team; a keyless caller has none but its name.
func (a *Service) Team(ctx context.Context, id string) (trawl.Team, error) {
	if isKeyless(id) {
		return trawl.Team{ID: id}, nil
	}
	return a.keys.team(ctx, id)
}
