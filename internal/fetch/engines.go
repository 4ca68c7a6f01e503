package fetch

import (
	"context"

	"github.com/trawlhq/trawl"
)

// Engines brings a page over plain HTTP and turns to the browser where that is
// not enough: something only a browser does was asked for, the page is an empty
// shell, or the site turned the plain engine away. browser is nil where there is
// none.
func Engines(plain, browser Fetcher) Fetcher {
	return Func(func(ctx context.Context, r Request) (*Page, error) {
		if r.needsBrowser() {
			if browser == nil {
				return nil, noBrowser()
			}
			return browser.Fetch(ctx, r)
		}
		page, err := plain.Fetch(ctx, r)
		if browser == nil || r.PlainOnly {
			return page, err
		}
		why, turn := notEnough(page, err)
		if !turn {
			return page, err
		}
		tries := triesBecause(page, err, why)
		rendered, second := browser.Fetch(ctx, r)
		if second != nil && err == nil && ctx.Err() == nil {
			page.Attempts = append(tries, attemptsOf(second)...)
			page.Warnings = append(page.Warnings, "The page may need scripts, but it could not be rendered.")
			return page, nil // a shell is more than nothing
		}
		return withEarlier(rendered, second, tries)
	})
}

// notEnough says why the plain engine's result should be tried in a browser.
func notEnough(page *Page, err error) (why string, turn bool) {
	if err != nil {
		return "blocked", isBlock(err)
	}
	needed, why := NeedsScripts(page)
	return why, needed
}

func triesBecause(page *Page, err error, why string) []Attempt {
	tries := triesOf(page, err)
	if last := len(tries) - 1; err == nil && last >= 0 {
		tries[last].Reason = why
	}
	return tries
}

func noBrowser() error {
	return trawl.Errorf(trawl.Invalid, "No browser is available for what was asked").
		WithCode("SCRAPE_ACTIONS_NOT_SUPPORTED").WithDetails(Details{})
}
