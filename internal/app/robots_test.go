package app_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/config"
	"github.com/trawlhq/trawl/internal/testsite"
)

func TestRobotsAreIgnoredOnlyWhereTheOperatorAllowsIt(t *testing.T) {
	site := testsite.New(t)
	forbidden := map[string]any{"url": site.Origin("graph") + "/private/notes", "limit": 1, "ignoreRobotsTxt": true}
	if got := start(t, settings(t)).call(t, "POST", "/v2/crawl", forbidden); got.Status != 403 {
		t.Errorf("as a server is by default: %d %s", got.Status, got.Raw)
	}
	free := start(t, with(t, func(s *config.Serve) { s.IgnoreRobots = "on" }))
	for _, tc := range []struct {
		name   string
		ignore bool
		pages  int
	}{
		{"robots.txt is heeded where nobody asks otherwise", false, 0},
		{"and ignored where somebody does", true, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			forbidden["ignoreRobotsTxt"] = tc.ignore
			var job struct{ ID string }
			begun := free.call(t, "POST", "/v2/crawl", forbidden)
			if err := json.Unmarshal([]byte(begun.Raw), &job); err != nil || begun.Status != 200 {
				t.Fatalf("%d %s", begun.Status, begun.Raw)
			}
			var status struct {
				Status    string
				Completed int
			}
			eventually(t, 20*time.Second, "the crawl ends", func() bool {
				got, _ := free.try(t.Context(), "GET", "/v2/crawl/"+job.ID, nil, key) // it complains of a list where a document could stand
				return json.Unmarshal([]byte(got.Raw), &status) == nil && status.Status == "completed"
			})
			if status.Completed != tc.pages {
				t.Errorf("%d pages, want %d", status.Completed, tc.pages)
			}
		})
	}
}
