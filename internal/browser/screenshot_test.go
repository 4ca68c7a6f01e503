package browser

import (
	"strings"
	"testing"
)

func TestScreenshotHasTheSizeAsked(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{
		"/tall": `<style>body{margin:0}</style><div style="height:2500px;background:red">x</div>`,
		"/huge": `<style>body{margin:0}</style><div style="height:90000px">x</div>`,
	})
	for _, tc := range []struct {
		name, path    string
		request       Request
		format        string
		width, height int
	}{
		{"the window", "/tall", Request{Screenshot: &Shot{}}, "png", 1280, 800},
		{"the whole page", "/tall", Request{Screenshot: &Shot{FullPage: true}}, "png", 1280, 2500},
		{"a JPEG", "/tall", Request{Screenshot: &Shot{Quality: 40}}, "jpeg", 1280, 800},
		{"a window of its own", "/tall", Request{Screenshot: &Shot{Viewport: Viewport{Width: 300, Height: 200}}}, "png", 300, 200},
		{"a phone has more pixels", "/tall", Request{Mobile: true, Screenshot: &Shot{}}, "png", 412 * 3, 915 * 3},
		{"a page beyond the cap is cut", "/huge", Request{Screenshot: &Shot{FullPage: true, Quality: 10}}, "jpeg", 1280, maxShotSide},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			tc.request.URL = site.URL + tc.path
			got := mustRender(t, shared, tc.request)
			wantImage(t, *got.Screenshot, tc.format, tc.width, tc.height)
		})
	}
}

func TestShotIsCappedInBothWays(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name                 string
		width, height, ratio float64
		wantWidth, wantHigh  float64
	}{
		{"small is left alone", 1280, 3000, 1, 1280, 3000},
		{"too high", 1280, 1e6, 1, 1280, 16384},
		{"too many pixels", 7680, 16000, 1, 7680, 6510},
		{"pixels count on phones", 412, 1e6, 3, 412, 16384.0 / 3},
		{"no page at all", 0, 0, 1, 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w, h := capShot(tc.width, tc.height, tc.ratio)
			if w != tc.wantWidth || h != tc.wantHigh {
				t.Errorf("capShot = %v × %v, want %v × %v", w, h, tc.wantWidth, tc.wantHigh)
			}
		})
	}
}

func TestBrandingIsReadFromComputedStyles(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/": `<!doctype html><html><head><title>Home | Acme</title><meta property="og:site_name" content="Acme">
		<meta property="og:image" content="/og.png"><link rel=icon href="/icon.png">
		<style>:root { --color-error: #d00000 } body { background: #101020; color: rgb(240, 240, 240); font: 16px/1.5 "Inter", sans-serif }
		h1 { font: 700 40px Georgia, serif } .btn { background: hsl(210 100% 50%); color: white; border: 0; border-radius: 8px; padding: 8px 16px }
		a { color: #ff8800 } input { border: 1px solid #888; border-radius: 4px }</style></head>
		<body><header><a href="/"><img class=logo src="/logo.svg" width=120 height=40 alt="Acme logo"></a></header><h1>Rockets</h1>
		<p>We make rockets and a lot of other things that fly for a while. <a href="/x">More</a></p><button class=btn>Buy</button><input></body></html>`})
	got := mustRender(t, shared, Request{URL: site.URL, Branding: true}).Branding
	dig := func(path string) any {
		var at any = got
		for key := range strings.SplitSeq(path, ".") {
			inner, _ := at.(map[string]any)
			at = inner[key]
		}
		return at
	}
	for path, want := range map[string]any{
		"colorScheme":                           "dark",
		"brandName":                             "Acme",
		"logo":                                  site.URL + "/logo.svg",
		"colors.background":                     "#101020",
		"colors.textPrimary":                    "#F0F0F0",
		"colors.primary":                        "#0080FF",
		"colors.link":                           "#FF8800",
		"colors.error":                          "#D00000",
		"colors.success":                        nil,
		"typography.fontSizes.h1":               "40px",
		"typography.fontFamilies.primary":       "Inter",
		"typography.fontFamilies.heading":       "Georgia",
		"components.buttonPrimary.background":   "#0080FF",
		"components.buttonPrimary.borderRadius": "8px",
		"components.input.borderColor":          "#888888",
		"images.favicon":                        site.URL + "/icon.png",
		"images.ogImage":                        site.URL + "/og.png",
	} {
		if value := dig(path); value != want {
			t.Errorf("%s = %v, want %v", path, value, want)
		}
	}
}
