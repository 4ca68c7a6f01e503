package access

import (
	"context"

	"github.com/trawlhq/trawl"
)

// Remaining tells how many credits a caller can still spend: the least that the
// team's plan and the key's own limit leave.
func (a *Service) Remaining(ctx context.Context, caller trawl.Caller) (int64, error) {
	meters, err := a.creditMeters(ctx, caller, a.now())
	if err != nil {
		return 0, err
	}
	left := int64(trawl.Unlimited)
	for _, m := range meters {
		used, err := a.store.Used(ctx, m)
		if err != nil {
			return 0, err
		}
		left = min(left, max(0, m.Limit-used))
	}
	return left, nil
}

// PlanOf gives the plan of a team by its name.
func (a *Service) PlanOf(ctx context.Context, teamID string) (Plan, error) {
	team, err := a.keys.team(ctx, teamID)
	if err != nil {
		return Plan{}, err
	}
	return a.Plan(team), nil
}

// ErrCredits is the answer to a caller without credits.
func ErrCredits() error { return errCredits() }
