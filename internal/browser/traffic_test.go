package browser

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/network"
)

func TestNetworkIsQuietWhenNothingThatMattersIsUnderWay(t *testing.T) {
	const window = 500 * time.Millisecond
	for _, tc := range []struct {
		name   string
		happen func(*traffic)
		want   time.Duration // until it is quiet
	}{
		{"nothing asked for", func(*traffic) {}, 0},
		{"one asked for and brought", func(n *traffic) {
			n.began(network.EventRequestWillBeSent{RequestID: "1", LoaderID: "a", Type: network.ResourceTypeXHR})
			n.ended("1")
		}, window},
		{"one still under way", func(n *traffic) {
			n.began(network.EventRequestWillBeSent{RequestID: "1", LoaderID: "a", Type: network.ResourceTypeXHR})
		}, longLived},
		{"a stream", func(n *traffic) {
			n.began(network.EventRequestWillBeSent{RequestID: "1", LoaderID: "a", Type: network.ResourceTypeEventSource})
		}, 0},
		{"a worker's", func(n *traffic) {
			n.began(network.EventRequestWillBeSent{RequestID: "1", Type: network.ResourceTypeScript})
		}, 0},
		{"one of a document that is gone", func(n *traffic) {
			n.began(network.EventRequestWillBeSent{RequestID: "1", LoaderID: "a", Type: network.ResourceTypeImage})
			n.committed("b")
		}, window},
		{"the end of one never seen", func(n *traffic) { n.ended("9") }, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := traffic{requests: map[network.RequestID]pending{}}
				tc.happen(&n)
				if left := max(0, time.Until(n.quietAt(window))); left != tc.want {
					t.Errorf("quiet in %v, want %v", left, tc.want)
				}
			})
		})
	}
}
