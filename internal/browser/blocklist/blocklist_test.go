package blocklist

import (
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
)

func TestHostCoversItsSubdomains(t *testing.T) {
	for host, want := range map[string]bool{
		"doubleclick.net":        true,
		"ad.g.doubleclick.net":   true,
		"AD.DoubleClick.Net.":    true,
		"notdoubleclick.net":     false,
		"doubleclick.net.a.test": false,
		"example.com":            false,
		"google.com":             false,
		"net":                    false,
		"":                       false,
	} {
		if got := Host(host); got != want {
			t.Errorf("Host(%q) = %v, want %v", host, got, want)
		}
	}
}

func TestListsAreWellFormed(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)
	seen := map[string]bool{}
	for _, host := range lines(hostsFile) {
		if !name.MatchString(host) {
			t.Errorf("%q is not a host", host)
		}
		if seen[host] {
			t.Errorf("%s stands twice", host)
		}
		seen[host] = true
	}
	for _, pattern := range URLPatterns() {
		if !strings.HasPrefix(pattern, "*://") {
			t.Errorf("%q is not absolute", pattern)
		}
	}
	for _, selector := range lines(bannersFile) {
		if _, err := cascadia.Parse(strings.ReplaceAll(selector, " i]", "]")); err != nil {
			t.Errorf("%q is not a selector: %v", selector, err)
		}
	}
}
