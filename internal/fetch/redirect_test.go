package fetch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// echo answers with the headers it got, one a line.
func echo(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "Host: %s\n", r.Host)
	_ = r.Header.Write(w)
}

func TestRedirectsAreFollowed(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/page", echo)
	mux.HandleFunc("/cookie", func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("seen"); err == nil {
			fmt.Fprint(w, "welcome back")
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
		http.Redirect(w, r, r.URL.String(), http.StatusFound)
	})
	mux.HandleFunc("/nowhere", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusFound)
		fmt.Fprint(w, "a redirect without a target")
	})
	mux.HandleFunc("/hops/", func(w http.ResponseWriter, r *http.Request) {
		n := len(strings.TrimPrefix(r.URL.Path, "/hops/"))
		if n == 0 {
			http.Redirect(w, r, "/page", http.StatusPermanentRedirect)
			return
		}
		http.Redirect(w, r, "/hops/"+strings.Repeat("x", n-1), http.StatusMovedPermanently)
	})
	for path, to := range map[string]string{
		"/relative": "page?q=1", "/spaces": " /page ", "/backslash": `\page`, "/unicode": "/page?q=ü", "/fragment": "/page#end",
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusSeeOther)
		})
	}
	site := httptest.NewServer(mux)
	defer site.Close()
	for _, tc := range []struct{ name, path, url, body string }{
		{"relative target", "/relative", "/page?q=1", "Host"},
		{"target in spaces", "/spaces", "/page", "Host"},
		{"backslash for slash", "/backslash", "/page", "Host"},
		{"target with letters of its own", "/unicode", "/page?q=%C3%BC", "Host"},
		{"fragment of the target", "/fragment", "/page#end", "Host"},
		{"fragment of the request lives on", "/relative#mine", "/page?q=1#mine", "Host"},
		{"nineteen hops", "/hops/" + strings.Repeat("x", 18), "/page", "Host"},
		{"same address with a new cookie", "/cookie", "/cookie", "welcome back"},
		{"no target is a page", "/nowhere", "/nowhere", "without a target"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page, err := engine(t).Fetch(t.Context(), request(t, site.URL+tc.path))
			if err != nil {
				t.Fatal(err)
			}
			if page.URL != site.URL+tc.url || !strings.Contains(string(page.Body), tc.body) {
				t.Errorf("ended at %s with %q, want %s with %q", page.URL, page.Body, tc.url, tc.body)
			}
		})
	}
}

func TestLoopIsSeenAtOnce(t *testing.T) {
	var asked atomic.Int32
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Redirect(w, r, map[string]string{"/a": "/b", "/b": "/a"}[r.URL.Path], http.StatusFound)
	})
	_, err := engine(t).Fetch(t.Context(), request(t, address+"/a"))
	if _, d := failure(t, err); d.BrowserErrorCode != "ERR_TOO_MANY_REDIRECTS" || asked.Load() > 3 {
		t.Errorf("error %v after %d requests, want ERR_TOO_MANY_REDIRECTS after 3 at most", err, asked.Load())
	}
}

func TestCookiesDoNotOutliveTheFetch(t *testing.T) {
	visits := 0
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/set" {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: fmt.Sprint(visits), Path: "/"})
			http.Redirect(w, r, "/show", http.StatusFound)
			return
		}
		visits++
		fmt.Fprint(w, r.Header.Get("Cookie"))
	})
	f := engine(t)
	for _, tc := range []struct{ path, want string }{{"/set", "id=0"}, {"/show", ""}, {"/set", "id=2"}} {
		page, err := f.Fetch(t.Context(), request(t, address+tc.path))
		if err != nil {
			t.Fatal(err)
		}
		if string(page.Body) != tc.want {
			t.Errorf("%s sent cookies %q, want %q", tc.path, page.Body, tc.want)
		}
	}
}

func TestCredentialsStayOnTheirOrigin(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(echo))
	defer other.Close()
	var home *httptest.Server
	home = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/stay":
			http.Redirect(w, r, home.URL+"/echo", http.StatusFound)
		default:
			echo(w, r)
		}
	}))
	defer home.Close()
	secrets := map[string]string{
		"Authorization": "Bearer s3cret", "Cookie": "sid=s3cret", "X-Api-Key": "s3cret", "X-Auth-Token": "s3cret", "Host": "s3cret.test",
	}
	for _, tc := range []struct {
		name, path string
		secret     bool
	}{{"within the origin", "/stay", true}, {"to another origin", "/away", false}} {
		t.Run(tc.name, func(t *testing.T) {
			r := request(t, home.URL+tc.path)
			r.Headers = map[string]string{"X-Colour": "green", "User-Agent": "mine/1"}
			for name, value := range secrets {
				r.Headers[name] = value
			}
			page, err := engine(t).Fetch(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(string(page.Body), "s3cret"); (got == len(secrets)) != tc.secret || !tc.secret && got != 0 {
				t.Errorf("%d of %d secrets arrived:\n%s", got, len(secrets), page.Body)
			}
			if !strings.Contains(string(page.Body), "green") || !strings.Contains(string(page.Body), "mine/1") {
				t.Errorf("harmless headers were lost:\n%s", page.Body)
			}
		})
	}
}

func TestLeavingAnOrigin(t *testing.T) {
	for _, tc := range []struct {
		from, to string
		want     bool
	}{
		{"http://a.test/", "https://a.test/x", false},
		{"http://a.test/", "https://www.a.test/", false},
		{"https://a.test/", "http://a.test/", true},
		{"https://a.test/", "https://b.test/", true},
		{"https://a.test/", "https://sub.a.test/", true},
		{"https://a.test/", "https://a.test:8443/", true},
	} {
		from, err := url.Parse(tc.from)
		if err != nil {
			t.Fatal(err)
		}
		to, err := url.Parse(tc.to)
		if err != nil {
			t.Fatal(err)
		}
		if got := leaves(from, to); got != tc.want {
			t.Errorf("leaves(%s, %s) = %v, want %v", tc.from, tc.to, got, tc.want)
		}
	}
}
