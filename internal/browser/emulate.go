package browser

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"golang.org/x/sync/errgroup"
)

// The windows pages are laid out for when the caller names none.
var (
	desktop = Viewport{Width: 1280, Height: 800}
	phone   = Viewport{Width: 412, Height: 915} // with three pixels to each of them
)

// look is what a page can learn about the device that shows it.
type look struct {
	mobile    bool
	viewport  Viewport
	userAgent string
	languages []string
}

func lookOf(r Request) look {
	l := look{mobile: r.Mobile, viewport: r.Viewport, userAgent: r.UserAgent, languages: r.Languages}
	if r.Screenshot != nil && r.Screenshot.Viewport != (Viewport{}) {
		l.viewport = r.Screenshot.Viewport // laid out once, for the size it will be seen in
	}
	if agent := r.Headers.Get("User-Agent"); agent != "" {
		l.userAgent = agent
	}
	return l
}

func (l look) isDefault() bool {
	return !l.mobile && l.viewport == (Viewport{}) && l.userAgent == "" && len(l.languages) == 0
}

// emulate makes the page believe it.
func (t *tab) emulate(ctx context.Context, l look) error {
	t.mu.Lock()
	t.look = l
	t.mu.Unlock()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return do(ctx, t.session, emulation.SetDeviceMetricsOverride, l.metrics()) })
	group.Go(func() error { return do(ctx, t.session, emulation.SetUserAgentOverride, t.chromium.identity(l)) })
	if l.mobile {
		group.Go(func() error {
			return do(ctx, t.session, emulation.SetTouchEmulationEnabled,
				emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 5})
		})
	}
	if len(l.languages) > 0 {
		group.Go(func() error {
			return do(ctx, t.session, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: l.languages[0]})
		})
	}
	return group.Wait()
}

// metrics are the window and its pixels.
func (l look) metrics() emulation.SetDeviceMetricsOverrideParams {
	size, ratio := desktop, 1.0
	if l.mobile {
		size, ratio = phone, 3
	}
	if l.viewport.Width > 0 {
		size.Width = l.viewport.Width
	}
	if l.viewport.Height > 0 {
		size.Height = l.viewport.Height
	}
	return emulation.SetDeviceMetricsOverrideParams{
		Width: int64(size.Width), Height: int64(size.Height), DeviceScaleFactor: ratio, Mobile: l.mobile,
		ScreenWidth: int64(size.Width), ScreenHeight: int64(size.Height),
	}
}

// identity is the user agent in all its forms. The word headless is taken out:
// sites that serve it something else would make the page look broken.
func (c *chromium) identity(l look) emulation.SetUserAgentOverrideParams {
	agent, major := c.userAgent, c.major
	platform, metadata := "Linux x86_64", &emulation.UserAgentMetadata{
		Brands:   []*emulation.UserAgentBrandVersion{{Brand: "Chromium", Version: major}, {Brand: "Not=A?Brand", Version: "24"}},
		Platform: "Linux", Architecture: "x86", Bitness: "64",
	}
	if l.mobile {
		agent = fmt.Sprintf("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Mobile Safari/537.36", major)
		platform, metadata.Platform, metadata.PlatformVersion = "Linux armv8l", "Android", "10"
		metadata.Architecture, metadata.Bitness, metadata.Mobile = "", "", true
	}
	if l.userAgent != "" {
		agent, platform, metadata = l.userAgent, "", nil
	}
	languages := "en-US,en" // a browser that names none is not taken for one
	if len(l.languages) > 0 {
		languages = strings.Join(l.languages, ",")
	}
	return emulation.SetUserAgentOverrideParams{
		UserAgent: agent, AcceptLanguage: languages, Platform: platform, UserAgentMetadata: metadata,
	}
}
