package fetch

import (
	"context"
	"strings"
	"testing"
)

func TestCountryDecidesTheWayOut(t *testing.T) {
	named := func(name string) Fetcher {
		return Func(func(context.Context, Request) (*Page, error) { return &Page{Body: []byte(name)}, nil })
	}
	abroad := map[string]Fetcher{"DE": named("Germany")}
	for _, tc := range []struct {
		name, country string
		abroad        map[string]Fetcher
		body, code    string
		warned        bool
	}{
		{"no country is named", "", abroad, "home", "", false},
		{"a country with a proxy", "DE", abroad, "Germany", "", false},
		{"small letters", "de", abroad, "Germany", "", false},
		{"a country without one", "FR", abroad, "", "SCRAPE_PROXY_SELECTION_ERROR", false},
		{"no proxies at all", "FR", nil, "home", "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page, err := Located(named("home"), tc.abroad).Fetch(t.Context(), Request{Country: tc.country})
			if tc.code != "" {
				if got := reasonOf(err); got != tc.code {
					t.Errorf("failed with %q, want %q", got, tc.code)
				}
				return
			}
			if err != nil || string(page.Body) != tc.body {
				t.Fatalf("got %v, %v", page, err)
			}
			if warned := strings.Contains(strings.Join(page.Warnings, " "), tc.country+" is configured"); tc.warned != (warned && len(page.Warnings) > 0) {
				t.Errorf("warnings %q", page.Warnings)
			}
		})
	}
}
