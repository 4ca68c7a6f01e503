package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// debuggerAddress finds the websocket of a remote browser. An address with a
// path or a query is one already; of a bare host and port the browser is asked
// where it is.
func debuggerAddress(ctx context.Context, endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", fmt.Errorf("read browser endpoint: %w", err)
	}
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return endpoint, nil
	}
	// Chromium answers only requests whose Host is an address or localhost.
	addresses, err := net.DefaultResolver.LookupHost(ctx, u.Hostname())
	if err != nil {
		return "", fmt.Errorf("%w: find remote browser: %w", errNoBrowser, err)
	}
	asked := url.URL{Scheme: "http", Host: net.JoinHostPort(addresses[0], portOf(u)), Path: "/json/version"}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, asked.String(), nil)
	if err != nil {
		return "", fmt.Errorf("ask remote browser: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", fmt.Errorf("%w: ask remote browser: %w", errNoBrowser, err)
	}
	defer resp.Body.Close()
	var version struct {
		Debugger string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, resp.Body, 1<<20)).Decode(&version); err != nil || version.Debugger == "" {
		return endpoint, nil // a service in front of browsers: it takes the bare address
	}
	return version.Debugger, nil
}

func portOf(u *url.URL) string {
	_, port, err := net.SplitHostPort(hostport(u.String()))
	if err != nil {
		return ""
	}
	return port
}
