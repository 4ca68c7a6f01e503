package app_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/testsite"
)

// TestPrivateNetworksAreRefused sends every spelling of the machine itself. Not
// one of them may reach the server inside, which counts its connections.
func TestPrivateNetworksAreRefused(t *testing.T) {
	site := testsite.New(t)
	s := settings(t)
	s.AllowPrivateNetworks = "false"
	r := start(t, s)
	inside, err := url.Parse(site.Inside.URL)
	if err != nil {
		t.Fatal(err)
	}
	port := inside.Port()
	for _, host := range []string{
		"127.0.0.3", "127.1", "127.0.3", "2130706435", "0x7f000003", "0x7f.0.0.3", "0177.0.0.3", "017700000003",
		"127.0.0.3.", "%31%32%37.0.0.3", "１２７.0.0.3", "①②⑦.0.0.3", "[::ffff:127.0.0.3]", "[::ffff:7f00:3]", "[::127.0.0.3]",
		"[::1]", "[0:0:0:0:0:0:0:1]", "[64:ff9b::7f00:3]", "[2002:7f00:3::]", "[fe80::1%25lo]", "[fc00::1]", "[fd00:ec2::254]",
		"0.0.0.0", "0", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "169.254.169.254", "198.18.0.1", "224.0.0.1",
		"255.255.255.255", "user:pass@127.0.0.3", "example.com@127.0.0.3",
	} {
		got := r.scrape(t, fmt.Sprintf("http://%s:%s/", host, port), map[string]any{"timeout": 5000})
		blocked := got.Status == 403 && got.Code == "PRIVATE_ADDRESS_BLOCKED"
		invalid := got.Status == 400 && got.Error == "Invalid URL" // a spelling no browser would accept
		if !blocked && !invalid {
			t.Errorf("%s: %d %s", host, got.Status, got.Raw)
		}
	}
	if n := site.Inside.Connections(); n != 0 {
		t.Errorf("%d connections reached the inside", n)
	}
}

// TestRedirectsInsideAreRefused permits the site's own address only: what it
// redirects to is inside all the same, at the first hop and at the ninth.
func TestRedirectsInsideAreRefused(t *testing.T) {
	site := testsite.New(t)
	s := settings(t)
	s.AllowPrivateNetworks = "127.0.0.1/32"
	r := start(t, s)
	for _, hops := range []int{1, 9} {
		for _, browser := range []bool{false, true} {
			options := map[string]any{"timeout": 15000}
			if browser {
				options["formats"] = []string{"screenshot"}
			}
			page := fmt.Sprintf("%s/redirect/chain/%d?to=%s", site.URL, hops, url.QueryEscape(site.Inside.URL+"/"))
			got := r.scrape(t, page, options)
			if got.Status != 403 || got.Code != "PRIVATE_ADDRESS_BLOCKED" {
				t.Errorf("after %d hops, browser %v: %d %s", hops, browser, got.Status, got.Raw)
			}
		}
	}
	if n := site.Inside.Connections(); n != 0 {
		t.Errorf("%d connections reached the inside", n)
	}
}

// TestPagesCannotReachInside lets pages of the permitted site try everything a
// page can do to open a connection.
func TestPagesCannotReachInside(t *testing.T) {
	site := testsite.New(t)
	s := settings(t)
	s.AllowPrivateNetworks = "127.0.0.1/32"
	r := start(t, s)
	tried := 0
	for _, page := range site.Pages() {
		if !strings.HasPrefix(page.Path, "/reach/") {
			continue
		}
		tried++
		path, _, _ := strings.Cut(page.Path, "?")
		address := site.URL + path + "?target=" + url.QueryEscape(site.Inside.URL)
		r.scrape(t, address, map[string]any{"waitFor": 300, "timeout": 15000, "blockAds": false})
	}
	if tried < 10 {
		t.Fatalf("only %d ways were tried: the test site has lost its pages", tried)
	}
	if n := site.Inside.Connections(); n != 0 {
		t.Errorf("%d connections reached the inside", n)
	}
}
