package scrape

import (
	"net/url"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
)

// modelFormats need a language model.
var modelFormats = []string{
	trawl.FormatJSON, trawl.FormatDeterministicJSON, trawl.FormatSummary, trawl.FormatQuestion,
	trawl.FormatHighlights, trawl.FormatQuery,
}

// unavailable names what this server cannot do: refused, never ignored.
func (s *Service) unavailable(o trawl.ScrapeOptions) []trawl.Issue {
	var issues []trawl.Issue
	refuse := func(message string, path ...any) { issues = append(issues, trawl.CustomIssue(message, path...)) }
	for i, f := range o.FormatList() {
		switch {
		case slices.Contains(modelFormats, f.Type):
			refuse("The "+f.Type+" format is not available on this server.", "formats", i)
		case f.Type == trawl.FormatMenu:
			refuse("The menu format is not available on this server.", "formats", i)
		case f.Type == trawl.FormatChangeTracking && slices.Contains(f.Modes, "json"):
			refuse("The json mode of changeTracking is not available on this server.", "formats", i, "modes")
		case !s.Browser && (f.Type == trawl.FormatScreenshot || f.Type == trawl.FormatBranding):
			refuse("The "+f.Type+" format needs a browser, and this server has none.", "formats", i)
		}
	}
	if o.Redacts() {
		refuse("redactPII is not available on this server.", "redactPII")
	}
	if !s.Browser {
		issues = append(issues, browserless(o)...)
	}
	return issues
}

// browserless names the options that only a browser can carry out.
func browserless(o trawl.ScrapeOptions) []trawl.Issue {
	var issues []trawl.Issue
	if o.WaitFor > 0 {
		issues = append(issues, trawl.CustomIssue("waitFor needs a browser, and this server has none.", "waitFor"))
	}
	if o.Profile != nil {
		issues = append(issues, trawl.CustomIssue("profile needs a browser, and this server has none.", "profile"))
	}
	return issues
}

// permit refuses what the operator's policy or the caller's own forbids.
func (s *Service) permit(req trawl.ScrapeRequest, u *url.URL) error {
	for _, f := range req.FormatList() {
		if f.Type == trawl.FormatAudio || f.Type == trawl.FormatVideo {
			return mediaUnsupported(f.Type)
		}
	}
	if len(req.Actions) > 0 && !s.Browser {
		return trawl.Errorf(trawl.Invalid, "Actions need a browser, and this server has none.").WithCode("SCRAPE_ACTIONS_NOT_SUPPORTED")
	}
	if req.ZeroDataRetention && s.NoZDR {
		return trawl.Errorf(trawl.Forbidden, "Forbidden").WithDetails(map[string]any{"reason": "Zero data retention is not enabled on this server."})
	}
	if err := keepsNothing(req); err != nil {
		return err
	}
	if req.Location != nil && strings.EqualFold(req.Location.Country, trawl.CountryWhitelist) {
		return trawl.Errorf(trawl.Forbidden, "Forbidden").WithDetails(map[string]any{"reason": "location.country us-whitelist is not available."})
	}
	if isUnder(u.Hostname(), s.BlockedHosts) {
		return trawl.Errorf(trawl.Forbidden, "This site is not supported.").WithCode("UNSUPPORTED_SITE")
	}
	return checkThreats(req.ThreatProtection, u.Hostname())
}

// keepsNothing refuses what lives on being stored where nothing may be.
func keepsNothing(req trawl.ScrapeRequest) error {
	needs := ""
	switch {
	case !req.ZeroDataRetention && !req.Lockdown:
		return nil
	case req.Wants(trawl.FormatChangeTracking):
		needs = "changeTracking compares with what was stored before"
	case req.Profile != nil && (req.Profile.SaveChanges == nil || *req.Profile.SaveChanges):
		needs = "profile stores what the browser learns (saveChanges)"
	default:
		return nil
	}
	return trawl.Errorf(trawl.SiteFailed, "Nothing may be retained of this request, but %s.", needs).WithCode("SCRAPE_ZDR_VIOLATION_ERROR")
}

func mediaUnsupported(format string) error {
	code := "SCRAPE_" + strings.ToUpper(format) + "_UNSUPPORTED_URL"
	return trawl.Errorf(trawl.Invalid, "No %s can be extracted from this address.", format).WithCode(code)
}

// checkThreats applies the caller's own lists; the whitelist wins.
func checkThreats(t *trawl.ThreatProtection, host string) error {
	if t == nil || t.Mode == "off" {
		return nil
	}
	if t.Mode != "manual-only" {
		return trawl.Errorf(trawl.Forbidden, "Forbidden").WithDetails(map[string]any{"reason": "threatProtection mode " + t.Mode + " is not available."})
	}
	if isUnder(host, t.Whitelist) {
		return nil
	}
	if isUnder(host, t.Blacklist) || isUnder(host, t.BlockedTLDs) {
		return trawl.Errorf(trawl.Forbidden, "This domain is blocked by the threat protection policy.").WithCode("unsafe_domain_blocked")
	}
	return nil
}

// isUnder tells whether a host is one of the names or below one of them.
func isUnder(host string, names []string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return slices.ContainsFunc(names, func(name string) bool {
		name = strings.ToLower(strings.Trim(strings.TrimPrefix(strings.TrimSpace(name), "*"), "."))
		return name != "" && (host == name || strings.HasSuffix(host, "."+name))
	})
}
