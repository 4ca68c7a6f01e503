package fetch

import (
	"fmt"
	"net/http"
	"net/textproto"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/trawlhq/trawl"
)

// We come as an ordinary browser: sites that look at the user agent answer others
// with less. The version is that of the Chromium we ship with.
const (
	desktopAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
	mobileAgent  = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36"

	acceptPages     = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	acceptEncodings = "gzip, deflate, br, zstd"
)

// header makes what the first request of a fetch sends.
func (r Request) header() (http.Header, error) {
	h := http.Header{
		"User-Agent":                {desktopAgent},
		"Accept":                    {acceptPages},
		"Accept-Encoding":           {acceptEncodings},
		"Accept-Language":           {acceptLanguage(r.Languages, r.Country)},
		"Upgrade-Insecure-Requests": {"1"},
	}
	if r.Mobile {
		h.Set("User-Agent", mobileAgent)
	}
	if r.Conditional.ETag != "" {
		h.Set("If-None-Match", r.Conditional.ETag)
	}
	if r.Conditional.LastModified != "" {
		h.Set("If-Modified-Since", r.Conditional.LastModified)
	}
	for name, value := range r.Headers {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, trawl.Errorf(trawl.Invalid, "Bad Request").WithCode("BAD_REQUEST").
				WithDetails(map[string]any{"reason": fmt.Sprintf("%q is not a header that can be sent", name)})
		}
		if !ofTheConnection(name) {
			h.Set(name, value)
		}
	}
	return h, nil
}

// acceptLanguage weighs the languages by their order. A country alone stands for
// its best-known language; neither means English, as browsers come.
func acceptLanguage(languages []string, country string) string {
	if len(languages) == 0 {
		languages = languagesOf(country)
	}
	var parts []string
	for i, tag := range languages {
		if !httpguts.ValidHeaderFieldValue(tag) {
			continue
		}
		if q := 10 - i; i > 0 && q > 0 {
			tag = fmt.Sprintf("%s;q=0.%d", tag, q)
		}
		parts = append(parts, tag)
	}
	return strings.Join(parts, ",")
}

// ofTheConnection names the headers that belong to the transport and not to the
// request: sent by hand they would contradict what it does.
func ofTheConnection(name string) bool {
	switch textproto.CanonicalMIMEHeaderKey(name) {
	case "Connection", "Content-Length", "Transfer-Encoding", "Te", "Trailer", "Upgrade", "Keep-Alive", "Proxy-Connection":
		return true
	}
	return false
}

// leaveOrigin takes away what was meant for the first origin only: credentials by
// name or by the look of it, and a Host of the caller's own.
func leaveOrigin(h http.Header) {
	for name := range h {
		if isCredential(name) {
			h.Del(name)
		}
	}
}

func isCredential(name string) bool {
	lower := strings.ToLower(name)
	for _, part := range []string{"auth", "cookie", "token", "key", "secret", "session", "passw", "credential", "signature", "csrf", "xsrf"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return lower == "host"
}
