package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// launch says how a browser process differs from the others.
type launch struct {
	executable string
	userData   string
	proxy      string // host:port everything goes through
	isolate    bool   // keep sites in processes of their own: for profiles, which hold logins
}

// flags are the command line of a browser process. Isolation between renders
// is the browser context's, each with processes of its own; site isolation
// within one page is given up where nothing is at stake, because it costs a
// process per frame.
func (l launch) flags() []string {
	off := []string{
		"Translate", "OptimizationHints", "MediaRouter", "DialMediaRouteProvider", "InterestFeedContentSuggestions",
		"AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "BackForwardCache",
		"AcceptCHFrame", "LazyFrameLoading", "AsyncDns", "DnsOverHttps", "NetworkTimeServiceQuerying",
		"PreloadingOnHover", "SpareRendererForSitePerProcess",
	}
	flags := []string{
		"--headless",
		"--remote-debugging-pipe",
		"--user-data-dir=" + l.userData,
		"--no-first-run", "--no-default-browser-check", "--no-pings",
		"--disable-gpu", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-default-apps", "--disable-extensions", "--disable-domain-reliability",
		"--disable-client-side-phishing-detection", "--disable-field-trial-config", "--metrics-recording-only",
		"--disable-breakpad", "--disable-crash-reporter", "--disable-logging", "--log-level=3",
		"--disable-hang-monitor", "--disable-prompt-on-repost", "--disable-popup-blocking",
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
		"--disable-renderer-backgrounding", "--disable-ipc-flooding-protection",
		"--hide-scrollbars", "--mute-audio", "--force-color-profile=srgb",
		"--password-store=basic", "--use-mock-keychain",

		// Nothing leaves but through the proxy: no QUIC, no WebRTC beside it,
		// no names resolved here, and loopback is no exception.
		"--proxy-server=http://" + l.proxy,
		"--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE " + hostOf(l.proxy),
		"--disable-quic", "--dns-prefetch-disable",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
	}
	if !l.isolate {
		off = append(off, "IsolateOrigins", "site-per-process")
		flags = append(flags, "--disable-site-isolation-trials")
	}
	if os.Geteuid() == 0 {
		flags = append(flags, "--no-sandbox") // Chromium refuses to sandbox root
	}
	return append(flags, "--disable-features="+strings.Join(off, ","), "about:blank")
}

// preferences make a whole Chromium download a PDF, as the headless shell does,
// instead of showing it in a viewer of its own: what is downloaded comes to us.
const preferences = `{"plugins":{"always_open_pdf_externally":true}}`

// writePreferences gives a fresh user data folder its preferences; one that was
// used before has its own.
func (l launch) writePreferences() error {
	file := filepath.Join(l.userData, "Default", "Preferences")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("make browser folder: %w", err)
	}
	if err := os.WriteFile(file, []byte(preferences), 0o600); err != nil {
		return fmt.Errorf("write browser preferences: %w", err)
	}
	return nil
}

func hostOf(hostport string) string {
	host, _, _ := strings.Cut(hostport, ":")
	return host
}
