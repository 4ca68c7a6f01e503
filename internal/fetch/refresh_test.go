package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestPagesThatOnlyPointElsewhere(t *testing.T) {
	pages := map[string]string{
		"/old":      `<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/new"></head><body>Redirecting…</body></html>`,
		"/quoted":   `<META CONTENT="1;URL='new'" HTTP-EQUIV="Refresh">`,
		"/comma":    `<meta http-equiv=refresh content="0,/new">`,
		"/twice":    `<meta http-equiv="refresh" content="0;url=/old">`,
		"/slow":     `<meta http-equiv="refresh" content="300;url=/new"><p>Scores, live</p>`,
		"/itself":   `<meta http-equiv="refresh" content="2"><p>Status: fine</p>`,
		"/itself2":  `<meta http-equiv="refresh" content="2;url=/itself2#x"><p>Status: fine</p>`,
		"/noscript": `<head><noscript><meta http-equiv="refresh" content="0;url=/new"></noscript></head><p>Words</p>`,
		"/quote":    `<body><p>Write this: <meta http-equiv="refresh" content="0;url=/new"></p></body>`,
		"/file":     `<meta http-equiv="refresh" content="0;url=file:///etc/passwd"><p>No</p>`,
		"/long":     `<meta http-equiv="refresh" content="0;url=/new">` + strings.Repeat("<p>A page to read.</p>", 2000),
		"/loop":     `<meta http-equiv="refresh" content="0;url=/pool">`,
		"/pool":     `<meta http-equiv="refresh" content="0;url=/loop">`,
		"/new":      `<h1>New place</h1>`,
	}
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, pages[r.URL.Path])
	})
	f := Refresh(engine(t))
	for path, want := range map[string]string{
		"/old": "/new", "/quoted": "/new", "/comma": "/new", "/twice": "/new",
		"/slow": "/slow", "/itself": "/itself", "/itself2": "/itself2", "/noscript": "/noscript", "/quote": "/quote", "/file": "/file", "/long": "/long",
	} {
		page, err := f.Fetch(t.Context(), request(t, address+path))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if page.URL != address+want {
			t.Errorf("%s led to %s, want %s", path, page.URL, want)
		}
	}
	_, err := f.Fetch(t.Context(), request(t, address+"/loop"))
	if _, d := failure(t, err); d.BrowserErrorCode != "ERR_TOO_MANY_REDIRECTS" || len(d.Attempts) != maxRefreshes {
		t.Errorf("loop: %v, %+v", err, d)
	}
}

func TestRefreshDoesNotCarryCredentialsAway(t *testing.T) {
	other := serve(t, echo)
	home := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<meta http-equiv="refresh" content="0;url=%s">`, other)
	})
	r := request(t, home)
	r.Headers = map[string]string{"Authorization": "s3cret", "X-Colour": "green"}
	page, err := Refresh(engine(t)).Fetch(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(page.Body); strings.Contains(got, "s3cret") || !strings.Contains(got, "green") {
		t.Errorf("sent along\n%s", got)
	}
}
