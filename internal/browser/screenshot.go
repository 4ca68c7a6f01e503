package browser

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// A full page is cut where a picture of it would be larger than this: a
// compositor tile limit in one direction, and what encoding may cost overall.
const (
	maxShotSide   = 16_384
	maxShotPixels = 50_000_000

	unrollWithin = 3 * time.Second
)

// shoot takes a picture of the page. A viewport of its own is undone afterwards.
func (t *tab) shoot(ctx context.Context, s Shot) (*Image, error) {
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	if s.Viewport != (Viewport{}) {
		restore, err := t.resize(ctx, s.Viewport)
		if err != nil {
			return nil, err
		}
		defer restore()
	}
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng, OptimizeForSpeed: new(true)}
	mime := "image/png"
	if s.Quality > 0 {
		params.Format, params.Quality, mime = page.CaptureScreenshotFormatJpeg, new(int64(min(s.Quality, 100))), "image/jpeg"
	}
	if s.FullPage {
		clip, err := t.wholePage(ctx)
		if err != nil {
			return nil, err
		}
		params.Clip, params.CaptureBeyondViewport = clip, new(true)
	}
	shot, err := call(ctx, t.session, page.CaptureScreenshot, params)
	if err != nil {
		return nil, fmt.Errorf("take screenshot: %w", t.explain(ctx, err))
	}
	return &Image{Data: shot.Data, MIME: mime}, nil
}

// wholePage lets lazy parts load, and measures the page up to the cap.
func (t *tab) wholePage(ctx context.Context) (*page.Viewport, error) {
	if _, err := ask[any](ctx, t, js("unroll", unrollWithin.Milliseconds())); err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, boundWithin(ctx, unrollWithin))
	defer cancel()
	if err := t.awaitNetwork(wait, calmWindow); err != nil && wait.Err() == nil {
		return nil, err
	}
	metrics, err := call(ctx, t.session, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return nil, fmt.Errorf("measure page: %w", t.explain(ctx, err))
	}
	t.mu.Lock()
	ratio := t.look.metrics().DeviceScaleFactor
	t.mu.Unlock()
	size := metrics.CSSContentSize
	width, height := capShot(size.Width, size.Height, ratio)
	return &page.Viewport{Width: width, Height: height, Scale: 1}, nil
}

// capShot cuts a page to what a picture of it may be, given the device pixels
// per CSS pixel.
func capShot(width, height, ratio float64) (float64, float64) {
	width = math.Max(1, math.Min(width, maxShotSide/ratio))
	height = math.Max(1, math.Min(height, maxShotSide/ratio))
	most := math.Floor(maxShotPixels / (width * ratio * ratio))
	return width, math.Min(height, most)
}

// resize lays the page out for another window and returns how to undo it.
func (t *tab) resize(ctx context.Context, v Viewport) (restore func(), err error) {
	t.mu.Lock()
	before := t.look
	t.mu.Unlock()
	during := before
	during.viewport = v
	if during.metrics() == before.metrics() {
		return func() {}, nil
	}
	if err := do(ctx, t.session, emulation.SetDeviceMetricsOverride, during.metrics()); err != nil {
		return nil, fmt.Errorf("resize window: %w", t.explain(ctx, err))
	}
	if _, err := ask[any](ctx, t, "trawl.frames()"); err != nil {
		return nil, err
	}
	return func() {
		_ = do(ctx, t.session, emulation.SetDeviceMetricsOverride, before.metrics()) // the next command would fail too
	}, nil
}
