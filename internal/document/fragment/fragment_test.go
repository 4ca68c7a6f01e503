package fragment

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestOnlyWhatIsShownIsLeft(t *testing.T) {
	for _, tc := range []struct{ name, page, want string }{
		{"a page", "<html><head><title>t</title></head><body><p>a</p><p>b</p></body></html>", "<p>a</p><p>b</p>"},
		{"a piece of one", "a <b>b</b>", "a <b>b</b>"},
		{"scripts, styles and frames", "<style>p{}</style><p>a<script>x()</script></p><iframe src=x></iframe>", "<p>a</p>"},
		{"nothing", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			blocks, err := Parse(tc.page)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, n := range blocks {
				if err := html.Render(&b, n); err != nil {
					t.Fatal(err)
				}
			}
			if b.String() != tc.want {
				t.Errorf("got %s, want %s", b.String(), tc.want)
			}
		})
	}
}
