package scrape

import (
	"encoding/json"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

func TestCostOfAPage(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       int
	}{
		{"plain", `{}`, 1},
		{"rich formats cost nothing extra", `{"formats":["markdown","branding","product","images","summary","screenshot"]}`, 1},
		{"json", `{"formats":["json"]}`, 5},
		{"changes as json", `{"formats":["markdown",{"type":"changeTracking","modes":["json"]}]}`, 5},
		{"changes as text", `{"formats":["markdown",{"type":"changeTracking","modes":["git-diff"]}]}`, 1},
		{"question", `{"formats":[{"type":"question","question":"x"}]}`, 5},
		{"json and highlights", `{"formats":["json",{"type":"highlights","query":"x"}]}`, 9},
		{"lockdown", `{"lockdown":true}`, 5},
		{"lockdown with json", `{"lockdown":true,"formats":["json"]}`, 9},
		{"zero retention", `{"zeroDataRetention":true}`, 2},
		{"zero retention in lockdown", `{"zeroDataRetention":true,"lockdown":true}`, 5},
		{"redaction", `{"redactPII":true}`, 5},
		{"redaction switched off", `{"redactPII":false}`, 1},
	} {
		var req trawl.ScrapeRequest
		if err := json.Unmarshal([]byte(tc.body), &req); err != nil {
			t.Fatal(err)
		}
		if got := costOf(req.ScrapeOptions, req.ZeroDataRetention); got != tc.want {
			t.Errorf("%s: %d credits, want %d", tc.name, got, tc.want)
		}
	}
}

func TestOnlyTwoFailuresCost(t *testing.T) {
	for code, want := range map[string]int{"SCRAPE_DNS_RESOLUTION_ERROR": 1, "SCRAPE_LOCKDOWN_CACHE_MISS": 1, "SCRAPE_TIMEOUT": 0, "": 0} {
		if got := costOfFailure(trawl.Errorf(trawl.SiteFailed, "x").WithCode(code)); got != want {
			t.Errorf("%q: %d, want %d", code, got, want)
		}
	}
}

func TestNewestSuccessIsBelievedUnlessThreeNewerFailed(t *testing.T) {
	for _, tc := range []struct {
		name     string
		statuses []int // newest first
		want     int   // index; -1: none
	}{
		{"nothing", nil, -1},
		{"newest is good", []int{200, 500}, 0},
		{"two failures since", []int{500, 404, 200}, 2},
		{"three failures since", []int{500, 404, 500, 200}, 0},
		{"never good", []int{404}, 0},
	} {
		var rows []store.Page
		for _, status := range tc.statuses {
			rows = append(rows, store.Page{Status: status})
		}
		got, ok := best(rows, 0)
		if ok != (tc.want >= 0) || ok && got.Status != tc.statuses[tc.want] {
			t.Errorf("%s: picked %d (%v)", tc.name, got.Status, ok)
		}
	}
}

func TestWhitespaceAloneIsNoChange(t *testing.T) {
	if !sameText("# A\n\nb c", "# A\nb   c") || sameText("a b", "a c") {
		t.Error("text must be compared without white space, and only so")
	}
}
