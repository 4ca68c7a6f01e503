package app

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/config"
)

// How much a core can take: a page being loaded mostly waits.
const (
	slotsPerCore = 8
	bulkPerCore  = 4
)

// slots is how many pages are loaded at once when nothing else is said.
func (a *App) slots() int {
	if a.Settings.MaxBrowsers > 0 {
		return a.Settings.MaxBrowsers
	}
	return slotsPerCore * runtime.NumCPU()
}

// workers is how many jobs this process works on, in the two lanes.
func (a *App) workers() (interactive, bulk int) {
	if a.Settings.Role == "api" {
		return 0, 0
	}
	bulk = a.Settings.Workers
	if bulk == 0 {
		bulk = bulkPerCore * runtime.NumCPU()
	}
	return a.slots(), bulk
}

// teamLimit caps what one team's jobs may take of all workers: no more than the pages its plan lets it load.
func (a *App) teamLimit(team string, _ trawl.Lane) int {
	return a.Access.KnownPlan(team).Concurrency
}

func keylessOptions(s config.Access) (access.Keyless, error) {
	k := access.Keyless{
		Operations: map[string]bool{}, RequestsPerDay: s.KeylessRequests, CreditsPerDay: s.KeylessCredits,
		GovPerMinute: s.KeylessGovMinute, GovPerDay: s.KeylessGovDay,
	}
	for _, operation := range s.Keyless {
		if !slices.Contains(access.KeylessOperations, operation) {
			return k, fmt.Errorf("--keyless: %q is not one of %v", operation, access.KeylessOperations)
		}
		k.Operations[operation] = operation != trawl.ScopeGov || s.KeylessGovDay > 0
	}
	return k, nil
}
