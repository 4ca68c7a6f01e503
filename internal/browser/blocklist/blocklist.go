// Package blocklist knows what a reader of a page can do without: the hosts of
// advertising and tracking networks, the addresses ads are fetched from, and
// the elements cookie banners are made of.
//
// The lists are our own compilation of public facts (which company serves ads
// from which host, which class a consent product gives its banner), written
// for trawl; no published filter list was copied. They aim at what is common:
// a rule earns its place by standing on many sites.
package blocklist

import (
	_ "embed" // for the lists
	"strings"
	"sync"
)

//go:embed hosts.txt
var hostsFile string

//go:embed urls.txt
var urlsFile string

//go:embed banners.txt
var bannersFile string

var (
	hosts = sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, host := range lines(hostsFile) {
			set[host] = true
		}
		return set
	})
	patterns  = sync.OnceValue(func() []string { return lines(urlsFile) })
	selectors = sync.OnceValue(func() string { return strings.Join(lines(bannersFile), ",") })
)

// Host reports whether a host, or a domain it belongs to, only serves ads or
// tracking.
func Host(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for {
		if hosts()[host] {
			return true
		}
		_, parent, found := strings.Cut(host, ".")
		if !found {
			return false
		}
		host = parent
	}
}

// URLPatterns are addresses of ads and trackers on hosts that also serve other
// things, in the URL pattern syntax of the web platform.
func URLPatterns() []string { return patterns() }

// BannerSelectors is one CSS selector list that matches cookie and consent
// banners and the veils behind them.
func BannerSelectors() string { return selectors() }

// lines gives the entries of a list: one a line, without comments.
func lines(file string) []string {
	var entries []string
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "// ") {
			entries = append(entries, line)
		}
	}
	return entries
}
