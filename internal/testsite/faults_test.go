package testsite_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/trawlhq/trawl/internal/testsite"
)

// fetch reads a page to its end, or to the error that prevents it.
func fetch(ctx context.Context, client *http.Client, address string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func TestFaultsAreWhatTheyClaim(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	isReset := func(err error) bool { return errors.Is(err, syscall.ECONNRESET) }
	isCut := func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) }
	says := func(text string) func(error) bool {
		return func(err error) bool { return err != nil && strings.Contains(err.Error(), text) }
	}
	isLate := func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }
	for _, tc := range []struct {
		name, path string
		is         func(error) bool
	}{
		{"reset in the body", "/fault/reset", isReset},
		{"reset before an answer", "/fault/reset-early", isReset},
		{"closed without an answer", "/fault/empty", isCut},
		{"not HTTP", "/fault/garbage", says("malformed HTTP")},
		{"chunk size is no number", "/fault/chunk", says("invalid byte in chunk length")},
		{"last chunk missing", "/fault/chunk-cut", isCut},
		{"headers too large", "/fault/header-huge", says("exceeded")},
		{"length too long", "/lie/length-long", isCut},
		{"gzip cut in the middle", "/encoded/gzip-truncated", isCut},
		{"gzip checksum", "/encoded/gzip-corrupt", says("checksum")},
		{"one byte at a time", "/slow/drip", isLate},
		{"silent", "/slow/never", isLate},
		{"half a page", "/slow/stall", isLate},
		{"redirects in a circle", "/redirect/ping", says("stopped after 10 redirects")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			client := &http.Client{Transport: &http.Transport{MaxResponseHeaderBytes: 1 << 20, DisableKeepAlives: true}}
			if _, err := fetch(ctx, client, s.URL+tc.path); !tc.is(err) {
				t.Errorf("GET %s: %v", tc.path, err)
			}
		})
	}
}

func TestCertificatesAreBadInTheirOwnWay(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	for _, tc := range []struct {
		origin string
		is     func(error) bool
	}{
		{"tls-good", func(err error) bool { return err == nil }},
		{"tls-expired", func(err error) bool { return errors.As(err, &invalid) && invalid.Reason == x509.Expired }},
		{"tls-self-signed", func(err error) bool { return errors.As(err, &unknown) }},
		{"tls-wrong-host", func(err error) bool { return errors.As(err, &host) }},
	} {
		t.Run(tc.origin, func(t *testing.T) {
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: s.RootCAs()}, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
			if _, err := fetch(t.Context(), client, s.Origin(tc.origin)+"/"); !tc.is(err) {
				t.Errorf("GET over %s: %v", tc.origin, err)
			}
		})
	}
}

func TestBombIsSmallOnTheWireAndLargeInside(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	packed, err := fetch(t.Context(), &http.Client{}, s.URL+"/bomb/zstd?mib=8")
	if err != nil {
		t.Fatal(err)
	}
	reader, err := zstd.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	n, err := io.Copy(io.Discard, reader)
	if err != nil || n < 7<<20 || len(packed) > 100<<10 {
		t.Errorf("bomb of %d bytes inflates to %d (%v), want under 100 KiB and over 7 MiB", len(packed), n, err)
	}
}

func TestFlakyPageRecovers(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	for i, want := range []int{503, 503, 200, 200} {
		if resp, _ := get(t, s.URL+"/flaky?fails=2&key=test&retry_after=7"); resp.StatusCode != want {
			t.Errorf("request %d = %d, want %d", i+1, resp.StatusCode, want)
		}
	}
}

func TestSitesAreWholeAsListed(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	for origin, paths := range map[string][]string{
		"shop":     {testsite.ShopPaths()[0], testsite.ShopPaths()[999], "/page/50"},
		"sitemaps": testsite.SitemapPaths(),
		"traps":    testsite.TrapPaths(),
	} {
		for _, path := range paths {
			if resp, _ := get(t, s.Origin(origin)+path); resp.StatusCode != http.StatusOK {
				t.Errorf("GET %s of %s = %d, want 200", path, origin, resp.StatusCode)
			}
		}
	}
	for page, links := range s.Links() {
		_, body := get(t, s.Origin("graph")+page)
		for _, link := range links {
			if !strings.Contains(body, `href="`+strings.ReplaceAll(link, "&", "&amp;")+`"`) {
				t.Errorf("graph page %s lacks its link %s", page, link)
			}
		}
	}
}
