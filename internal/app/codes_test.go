package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/trawlhq/trawl/internal/config"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdftest"
	"github.com/trawlhq/trawl/internal/testsite"
)

// TestEveryCodeHasASituation meets the codes of the contract's table of scrape
// errors, each where a user would. What waits for a model or a media extractor
// is not in it, and what needs a slot, a worker or an empty cache has a test of
// its own.
func TestEveryCodeHasASituation(t *testing.T) {
	site, files := testsite.New(t), serveBadFiles(t)
	dead := "http://" + freeAddress(t)
	plain := start(t, settings(t))
	proxied := start(t, with(t, func(s *config.Serve) { s.Proxy = dead }))
	abroad := start(t, with(t, func(s *config.Serve) { s.ProxyCountries = []string{"de=" + dead} }))
	strict := start(t, with(t, func(s *config.Serve) { s.BlockedHosts = []string{"127.0.0.1"} }))
	bare := start(t, with(t, func(s *config.Serve) { s.Chromium = "/nowhere/chromium" }))
	inside := start(t, with(t, func(s *config.Serve) { s.AllowPrivateNetworks = "false" }))
	type options = map[string]any
	click := []any{options{"type": "click", "selector": "#not-there"}}
	for _, tc := range []struct {
		situation string
		server    *running
		url       string
		options   options
		status    int
		code      string
		retryable bool
	}{
		{"a site that says nothing", plain, site.URL + "/slow/never", options{"timeout": 1000, "fastMode": true}, 408, "SCRAPE_TIMEOUT", true},
		{"a host without address", plain, "http://no-such-host.invalid/", nil, 200, "SCRAPE_DNS_RESOLUTION_ERROR", false},
		{"an age nobody has", plain, site.URL + "/read/article", options{"minAge": 1000}, 404, "SCRAPE_NO_CACHED_DATA", false},
		{"no copy under lockdown", plain, site.URL + "/read/article", options{"lockdown": true}, 404, "SCRAPE_LOCKDOWN_CACHE_MISS", false},
		{"a host the operator blocks", strict, site.URL + "/read/article", nil, 403, "UNSUPPORTED_SITE", false},
		{"a host the caller blocks", plain, site.URL + "/read/article", options{"threatProtection": options{"mode": "manual-only", "blacklist": []string{"127.0.0.1"}}}, 403, "unsafe_domain_blocked", false},
		{"a private address", inside, site.URL + "/read/article", nil, 403, "PRIVATE_ADDRESS_BLOCKED", false},
		{"actions without a browser", bare, site.URL + "/act/buttons", options{"actions": click}, 400, "SCRAPE_ACTIONS_NOT_SUPPORTED", false},
		{"actions on a file", plain, files + "/fine.pdf", options{"actions": click}, 400, "SCRAPE_ACTIONS_NOT_SUPPORTED", false},
		{"sound of a page", plain, site.URL + "/read/article", options{"formats": []string{"audio"}}, 400, "SCRAPE_AUDIO_UNSUPPORTED_URL", false},
		{"film of a page", plain, site.URL + "/read/article", options{"formats": []string{"video"}}, 400, "SCRAPE_VIDEO_UNSUPPORTED_URL", false},
		{"a reset connection", plain, site.URL + "/fault/reset", nil, 500, "SCRAPE_SITE_ERROR", false},
		{"a circle of redirects", plain, site.URL + "/redirect/ping", nil, 500, "SCRAPE_SITE_ERROR", false},
		{"a proxy that is down", proxied, site.URL + "/read/article", nil, 500, "SCRAPE_SITE_ERROR", true},
		{"a country's proxy that is down", abroad, site.URL + "/read/article", options{"location": options{"country": "DE"}}, 500, "SCRAPE_SITE_ERROR", true},
		{"a country without proxy", abroad, site.URL + "/read/article", options{"location": options{"country": "fr"}}, 500, "SCRAPE_PROXY_SELECTION_ERROR", false},
		{"an expired certificate", plain, site.Origin("tls-expired"), options{"skipTlsVerification": false}, 500, "SCRAPE_SSL_ERROR", false},
		{"the wrong host's certificate", plain, site.Origin("tls-wrong-host"), options{"skipTlsVerification": false}, 500, "SCRAPE_SSL_ERROR", false},
		{"a captcha", plain, site.URL + "/challenge/interstitial", nil, 500, "SCRAPE_ALL_ENGINES_FAILED", true},
		{"an action on nothing", plain, site.URL + "/act/buttons", options{"actions": click}, 500, "SCRAPE_ACTION_ERROR", false},
		{"a file nobody reads", plain, files + "/program.exe", nil, 500, "SCRAPE_UNSUPPORTED_FILE_ERROR", false},
		{"a scan, and no OCR wanted", plain, files + "/scan.pdf", options{"parsers": []any{options{"type": "pdf", "mode": "fast"}}}, 500, "SCRAPE_PDF_OCR_REQUIRED", false},
		{"more pages than time", plain, files + "/long.pdf", options{"timeout": 1000}, 500, "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR", false},
		{"a captcha before a PDF", plain, files + "/blocked.pdf", nil, 500, "SCRAPE_PDF_ANTIBOT_ERROR", true},
		{"a captcha before a letter", plain, files + "/blocked.docx", nil, 500, "SCRAPE_DOCUMENT_ANTIBOT_ERROR", true},
		{"a PDF cut off", plain, files + "/cut.pdf", nil, 500, "SCRAPE_PDF_PREFETCH_FAILED", true},
		{"a letter cut off", plain, files + "/cut.docx", nil, 500, "SCRAPE_DOCUMENT_PREFETCH_FAILED", true},
		{"a PDF behind a dead proxy", proxied, files + "/fine.pdf", nil, 500, "SCRAPE_PDF_FETCH_PROXY_ERROR", true},
		{"a letter behind a dead proxy", proxied, files + "/fine.docx", nil, 500, "SCRAPE_DOCUMENT_FETCH_PROXY_ERROR", true},
		{"the brand of a file", plain, files + "/fine.pdf", options{"formats": []string{"branding"}}, 500, "SCRAPE_BRANDING_NOT_SUPPORTED", false},
		{"history of what is not kept", plain, site.URL + "/read/article", options{"zeroDataRetention": true, "formats": []string{"markdown", "changeTracking"}}, 500, "SCRAPE_ZDR_VIOLATION_ERROR", false},
		{"a profile of what is not kept", plain, site.URL + "/read/article", options{"zeroDataRetention": true, "profile": options{"name": "mine"}}, 500, "SCRAPE_ZDR_VIOLATION_ERROR", false},
		{"a page that takes its browser with it", plain, files + "/kills-browser", options{"formats": []string{"screenshot"}}, 500, "SCRAPE_RETRY_LIMIT", true},
	} {
		t.Run(tc.situation, func(t *testing.T) {
			got := tc.server.scrape(t, tc.url, tc.options)
			if got.Status != tc.status || got.Code != tc.code || got.Success || got.Error == "" {
				t.Fatalf("%d %s, want %d with code %s", got.Status, got.Raw, tc.status, tc.code)
			}
			var details struct{ Retryable bool }
			if err := json.Unmarshal(got.Details, &details); tc.status >= 408 && (err != nil || details.Retryable != tc.retryable) {
				t.Errorf("details %s, want retryable %v (%v)", got.Details, tc.retryable, err)
			}
		})
	}
}

// with are the settings of a test with a change.
func with(t *testing.T, change func(*config.Serve)) config.Serve {
	t.Helper()
	s := settings(t)
	change(&s)
	return s
}

// serveBadFiles serves files that cannot be had, and a page no browser survives.
func serveBadFiles(t *testing.T) (address string) {
	t.Helper()
	scan, long, fine := &pdftest.Doc{}, paper(3000), paper(1)
	scan.Page(300, 300).Picture(0, 0, 300, 300)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		switch {
		case strings.HasPrefix(name, "blocked."):
			w.Header().Set("Cf-Mitigated", "challenge")
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusForbidden)
		case strings.HasPrefix(name, "cut."):
			w.Header().Set("Content-Length", "100000")
			_, _ = w.Write(fine[:100]) // and no more
		case name == "kills-browser":
			killBrowsers()
			<-r.Context().Done()
		case name == "program.exe":
			w.Header().Set("Content-Type", "application/octet-stream")
			_, _ = w.Write([]byte("MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00")) // the scrape tells
		default:
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write(map[string][]byte{"scan.pdf": scan.Bytes(), "long.pdf": long, "fine.pdf": fine}[name]) // the scrape tells
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// killBrowsers ends every browser that this process has started, as a crash would.
func killBrowsers() {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return
	}
	child := fmt.Sprintf(" %d ", os.Getpid())
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // ended meanwhile
		}
		pid, rest, _ := strings.Cut(string(stat), " (chrom")
		_, after, found := strings.Cut(rest, ") ")
		if number, err := strconv.Atoi(pid); err == nil && found && strings.HasPrefix(after[1:], child) {
			_ = syscall.Kill(number, syscall.SIGKILL) // it may be gone
		}
	}
}
