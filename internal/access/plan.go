package access

import (
	"bytes"
	"fmt"
	"maps"
	"os"

	"gopkg.in/yaml.v3"
)

// BuiltInPlan limits nothing but the pages loaded at once, which the machine limits anyway.
const BuiltInPlan = "self-hosted"

// Plan is what a team may use.
type Plan struct {
	Credits     int64          `yaml:"credits"`     // per calendar month; 0: unlimited
	Concurrency int            `yaml:"concurrency"` // pages loaded at once; 0: as many as the server has slots
	Queued      int64          `yaml:"queued"`      // pages waiting in jobs; 0: unlimited
	ResultHours int            `yaml:"resultHours"` // how long crawls and batches can be read after their start; 0: 24
	RPM         map[string]int `yaml:"rpm"`         // requests per minute and class; absent: unlimited
}

// The classes of requests that are limited together.
const (
	ClassScrape         = "scrape"
	ClassMap            = "map"
	ClassCrawl          = "crawl"
	ClassSearch         = "search"
	ClassExtract        = "extract"
	ClassBrowser        = "browser"
	ClassBrowserExecute = "browserExecute"
	ClassGov            = "gov"
	ClassCrawlStatus    = "crawlStatus"
	ClassExtractStatus  = "extractStatus"
	ClassAccount        = "account"
)

var classes = map[string]bool{
	ClassScrape: true, ClassMap: true, ClassCrawl: true, ClassSearch: true, ClassExtract: true, ClassBrowser: true,
	ClassBrowserExecute: true, ClassGov: true, ClassCrawlStatus: true, ClassExtractStatus: true, ClassAccount: true,
}

// LoadPlans reads a file of plans. A mistake in it is refused: a limit that is
// silently not enforced is worse than no start.
func LoadPlans(file string) (map[string]Plan, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read plans: %w", err)
	}
	var doc struct {
		Plans map[string]Plan `yaml:"plans"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&doc); err != nil {
		return nil, fmt.Errorf("read plans in %s: %w", file, err)
	}
	for name, p := range doc.Plans {
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("plan %s in %s: %w", name, file, err)
		}
	}
	return doc.Plans, nil
}

func (p Plan) check() error {
	if p.Credits < 0 || p.Concurrency < 0 || p.Queued < 0 || p.ResultHours < 0 {
		return fmt.Errorf("a limit is negative")
	}
	for class, n := range p.RPM {
		if !classes[class] {
			return fmt.Errorf("there is no class %q of requests", class)
		}
		if n <= 0 {
			return fmt.Errorf("the limit of class %s must be above 0", class)
		}
	}
	return nil
}

// withBuiltIn adds the built-in plan and fills in what plans leave to the server.
func withBuiltIn(plans map[string]Plan, slots int) map[string]Plan {
	out := map[string]Plan{}
	maps.Copy(out, plans)
	if _, own := out[BuiltInPlan]; !own {
		out[BuiltInPlan] = Plan{}
	}
	for name, p := range out {
		if p.Concurrency == 0 {
			p.Concurrency = max(slots, 1)
		}
		out[name] = p
	}
	return out
}
