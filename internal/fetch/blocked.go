package fetch

import (
	"bytes"
	"context"
	"net/http"
	"strings"
)

// Blocked turns a captcha or challenge page into a failure: its text is not the
// content of the address, and passing it on as such would poison what is built
// on it. Ordinary refusals (401, 403, 429 with a page of the site's own) are
// answers and stay.
func Blocked(next Fetcher) Fetcher {
	return Func(func(ctx context.Context, r Request) (*Page, error) {
		page, err := next.Fetch(ctx, r)
		if err != nil {
			return nil, err
		}
		who, blocked := challenge(page)
		if !blocked {
			return page, nil
		}
		tries := page.Attempts
		if last := len(tries) - 1; last >= 0 {
			tries[last].Reason = "blocked by " + who
		}
		return nil, withAttempts(allFailed("The site answered with a challenge instead of the page"), tries)
	})
}

// A challenge page is small: it has nothing to say. Larger pages that mention a
// captcha are articles, shops with a login form, this kind of thing.
const challengeAtMost = 256 << 10

// sign is how one kind of challenge is recognised. All that is given must be
// there: the status (any of), a header, and one of the marks in the body.
type sign struct {
	who      string
	statuses []int
	header   string // "name" present, or "name: value" contained
	marks    []string
	atMost   int // bytes; 0: challengeAtMost
}

var (
	refusals = []int{http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusUnauthorized}
	oddOK    = []int{http.StatusOK, http.StatusAccepted, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusTooManyRequests, 468}
)

// signs are facts about the pages of the common gatekeepers. Marks are parts of
// their machinery (script paths, element ids, globals), not of their wording, so
// that an article about them is not one of them.
var signs = []sign{
	{who: "Cloudflare", header: "Cf-Mitigated: challenge"},
	{who: "Cloudflare", statuses: refusals, marks: []string{
		"/cdn-cgi/challenge-platform/h/", "window._cf_chl_opt", "cf-browser-verification", `id="challenge-form"`, `id="cf-wrapper"`}},
	{who: "DataDome", statuses: refusals, marks: []string{"geo.captcha-delivery.com", "ct.captcha-delivery.com"}},
	{who: "PerimeterX", statuses: refusals, marks: []string{`id="px-captcha"`, "window._pxAppId", "captcha.px-cdn.net"}},
	{who: "Imperva", statuses: oddOK, marks: []string{`id="main-iframe" src="/_Incapsula_Resource?`, "Incapsula incident ID"}, atMost: 32 << 10},
	{who: "Imperva", statuses: oddOK, marks: []string{"/_Incapsula_Resource?"}, atMost: 2 << 10}, // larger pages carry its script too
	{who: "Akamai", statuses: refusals, marks: []string{"errors.edgesuite.net", "/_sec/cp_challenge/", "sec-if-cpt-container"}},
	{who: "AWS WAF", header: "X-Amzn-Waf-Action"},
	{who: "AWS WAF", statuses: oddOK, marks: []string{"window.gokuProps"}, atMost: 32 << 10},
	{who: "Kasada", statuses: refusals, marks: []string{"window.KPSDK", "ips.js?KP_UIDz"}},
	{who: "Sucuri", statuses: refusals, marks: []string{"sucuri_cloudproxy_js", "cdn.sucuri.net/sucuri-firewall-block"}},
	{who: "DDoS-Guard", statuses: refusals, marks: []string{"/.well-known/ddos-guard/"}},
	{who: "Vercel", statuses: refusals, header: "X-Vercel-Mitigated"},
	{who: "Anubis", statuses: oddOK, marks: []string{`id="anubis_challenge"`}, atMost: 32 << 10},
	{who: "Google", statuses: refusals, marks: []string{`id="captcha-form"`}},
	{who: "hCaptcha", statuses: refusals, marks: []string{`class="h-captcha"`}, atMost: 16 << 10},
	{who: "reCAPTCHA", statuses: refusals, marks: []string{`class="g-recaptcha"`}, atMost: 16 << 10},
}

// challenge says whether a page is a gatekeeper's, and whose.
func challenge(page *Page) (who string, ok bool) {
	if len(page.Body) > challengeAtMost {
		return "", false
	}
	for _, s := range signs {
		if s.fits(page) {
			return s.who, true
		}
	}
	return "", false
}

func (s sign) fits(page *Page) bool {
	if s.atMost > 0 && len(page.Body) > s.atMost {
		return false
	}
	return s.fitsStatus(page.Status) && s.fitsHeader(page.Header) && s.fitsBody(page.Body)
}

func (s sign) fitsStatus(status int) bool {
	for _, want := range s.statuses {
		if status == want {
			return true
		}
	}
	return len(s.statuses) == 0
}

func (s sign) fitsHeader(h http.Header) bool {
	if s.header == "" {
		return true
	}
	name, value, _ := strings.Cut(s.header, ": ")
	got := h.Get(name)
	return got != "" && strings.Contains(strings.ToLower(got), value)
}

func (s sign) fitsBody(body []byte) bool {
	for _, mark := range s.marks {
		if bytes.Contains(body, []byte(mark)) {
			return true
		}
	}
	return len(s.marks) == 0
}
