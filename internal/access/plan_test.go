package access_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/access"
)

func TestPlansFileIsReadStrictly(t *testing.T) {
	for _, tc := range []struct{ name, text, problem string }{
		{"as in the contract", "plans:\n  small: {credits: 5000, concurrency: 5, queued: 50000, rpm: {scrape: 100, crawlStatus: 5000}}\n", ""},
		{"unknown field", "plans:\n  small: {credit: 5000}\n", "credit"},
		{"unknown class", "plans:\n  small: {rpm: {scraping: 1}}\n", "scraping"},
		{"limit of nothing", "plans:\n  small: {rpm: {scrape: 0}}\n", "above 0"},
		{"negative", "plans:\n  small: {credits: -1}\n", "negative"},
		{"results that are gone before they are there", "plans:\n  small: {resultHours: -1}\n", "negative"},
		{"not YAML", "plans: [", "plans"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "plans.yaml")
			if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			plans, err := access.LoadPlans(file)
			if tc.problem == "" {
				if err != nil || plans["small"].RPM["scrape"] != 100 {
					t.Errorf("%+v, %v", plans, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.problem) {
				t.Errorf("error %v, want one that names %q", err, tc.problem)
			}
		})
	}
}
