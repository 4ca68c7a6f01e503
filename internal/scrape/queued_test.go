package scrape

import (
	"errors"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestEndOfAQueuedScrapeIsItsAnswer(t *testing.T) {
	for _, tc := range []struct {
		name string
		job  trawl.Job
		kind trawl.Kind
		code string // empty: a document
	}{
		{"done", trawl.Job{State: trawl.JobCompleted, Result: []byte(`{"markdown":"# Done"}`)}, 0, ""},
		{"failed as the worker said", trawl.Job{State: trawl.JobFailed, Failure: &trawl.Failure{Kind: trawl.TimedOut, Message: "Request Timeout", Code: "SCRAPE_TIMEOUT"}}, trawl.TimedOut, "SCRAPE_TIMEOUT"},
		{"cancelled before its end", trawl.Job{State: trawl.JobCancelled}, trawl.SiteFailed, "SCRAPE_JOB_CANCELLED"},
		{"one worker after another died of it", trawl.Job{State: trawl.JobFailed, Lost: 4, Failure: &trawl.Failure{Message: "Internal Server Error"}}, trawl.SiteFailed, "SCRAPE_RETRY_LIMIT"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := documentOf(&tc.job)
			if tc.code == "" {
				if err != nil || doc.Markdown != "# Done" {
					t.Errorf("got %v, %v", doc, err)
				}
				return
			}
			var failed *trawl.Error
			if !errors.As(err, &failed) || failed.Code != tc.code || failed.Kind != tc.kind {
				t.Errorf("got %v, want %s", err, tc.code)
			}
		})
	}
}
