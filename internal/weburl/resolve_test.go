package weburl

import (
	"net/url"
	"testing"
)

func TestLinksMeanWhatTheyMeanInABrowser(t *testing.T) {
	const base = "https://example.com/docs/guide/page.html?q=1#top"
	for _, tc := range []struct{ name, ref, want string }{
		{"absolute", "https://b.test/x", "https://b.test/x"},
		{"absolute without path", "https://b.test", "https://b.test/"},
		{"same scheme", "//b.test/x", "https://b.test/x"},
		{"from the root", "/a/b", "https://example.com/a/b"},
		{"beside", "next.html", "https://example.com/docs/guide/next.html"},
		{"above", "../other/", "https://example.com/docs/other/"},
		{"above the root", "../../../../x", "https://example.com/x"},
		{"escaped dots", "%2e%2e/x", "https://example.com/docs/x"},
		{"query only", "?p=2", "https://example.com/docs/guide/page.html?p=2"},
		{"fragment only", "#end", "https://example.com/docs/guide/page.html?q=1#end"},
		{"nothing", "", "https://example.com/docs/guide/page.html?q=1"},
		{"spaces and line breaks", " /a\n/b\t", "https://example.com/a/b"},
		{"backslashes", `\\b.test\x`, "https://b.test/x"},
		{"one slash", "https:/x", "https://example.com/x"},
		{"capitals", "HTTPS://B.Test/X", "https://b.test/X"},
		{"usual port", "https://b.test:443/", "https://b.test/"},
		{"letters of any script", "/ä?ö=ü", "https://example.com/%C3%A4?%C3%B6=%C3%BC"},
		{"escapes stay as written", "/a%2Fb%20c", "https://example.com/a%2Fb%20c"},
		{"stray percent sign", "/50%off", "https://example.com/50%25off"},
		{"quotes in the query", "/?q='x'", "https://example.com/?q=%27x%27"},
		{"other schemes", "mailto:a@b.test", "mailto:a@b.test"},
		{"host net/url does not read", "http://me@a{b}`.test:81/x?y", "http://me@a%7Bb%7D%60.test:81/x?y"},
		{"colon in a path", "/wiki/Talk:Page", "https://example.com/wiki/Talk:Page"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page, err := url.Parse(base)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Resolve(page, tc.ref)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != tc.want {
				t.Errorf("Resolve(%q) = %s, want %s", tc.ref, got, tc.want)
			}
		})
	}
}

func TestWhatIsNoAddress(t *testing.T) {
	for _, ref := range []string{"http://", "https://a b.test/", "http://[::1/", "http://a.test:x/", "http://1.2.3.4.5/", "http://a%00b.test/"} {
		if u, err := Resolve(nil, ref); err == nil {
			t.Errorf("Resolve(%q) = %s, want an error", ref, u)
		}
	}
	if u, err := Resolve(nil, "/relative"); err == nil {
		t.Errorf("relative link without a page = %s", u)
	}
}

// The quick way must agree with the standard wherever it takes a link at all.
func FuzzQuickWayAgreesWithTheStandard(f *testing.F) {
	for _, ref := range []string{"/a", "a/b?c=d#e", "https://b.test/x", "http://b.test?x", "https://b.test/%41", "?", "#", "a:b", "x?y#", "//b", "http://0x.test/", "https://a-b.1a/"} {
		f.Add(ref)
	}
	base, err := url.Parse("https://example.com/docs/guide/page.html?q=1#top")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		quick, ok := resolvePlain(base, ref)
		if !ok {
			return
		}
		href, err := Href(base.String(), ref)
		if err != nil {
			t.Fatalf("resolvePlain(%q) = %s, the standard refuses it: %v", ref, quick, err)
		}
		if quick.String() != href {
			t.Fatalf("resolvePlain(%q) = %s, the standard says %s", ref, quick, href)
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	base, err := url.Parse("https://example.com/docs/guide/page.html?q=1")
	if err != nil {
		b.Fatal(err)
	}
	for name, ref := range map[string]string{"plain": "/a/b/c.html?x=1", "odd": "/a b/../c"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Resolve(base, ref); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
