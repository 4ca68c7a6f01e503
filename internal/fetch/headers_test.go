package fetch

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestHeadersAsked(t *testing.T) {
	address := serve(t, echo)
	for _, tc := range []struct {
		name string
		edit func(*Request)
		want []string
	}{
		{"by default an ordinary browser", func(*Request) {}, []string{"Chrome/", "Accept-Language: en-US,en;q=0.9", "Accept-Encoding: gzip, deflate, br, zstd", "Accept: text/html,"}},
		{"a phone", func(r *Request) { r.Mobile = true }, []string{"Android", "Mobile Safari"}},
		{"languages by order", func(r *Request) { r.Languages = []string{"fr-CA", "fr", "en"} }, []string{"Accept-Language: fr-CA,fr;q=0.9,en;q=0.8"}},
		{"language of a country", func(r *Request) { r.Country = "de" }, []string{"Accept-Language: de-DE,de;q=0.9,en;q=0.8"}},
		{"English of a country", func(r *Request) { r.Country = "GB" }, []string{"Accept-Language: en-GB,en;q=0.9"}},
		{"no preference", func(r *Request) { r.Country = "us-generic" }, []string{"Accept-Language: en-US,en;q=0.9"}},
		{"the caller's own in place of ours", func(r *Request) {
			r.Headers = map[string]string{"user-agent": "mine/1", "accept-language": "xx", "X-Extra": "1"}
		}, []string{"User-Agent: mine/1", "Accept-Language: xx", "X-Extra: 1"}},
		{"a host of the caller's own", func(r *Request) { r.Headers = map[string]string{"Host": "other.test"} }, []string{"Host: other.test\n"}},
		{"user and password of the address", func(r *Request) { r.URL.User = userOf("me", "pw") }, []string{"Authorization: Basic bWU6cHc="}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := request(t, address)
			tc.edit(&r)
			page, err := engine(t).Fetch(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tc.want {
				if !strings.Contains(string(page.Body), want) {
					t.Errorf("sent\n%s\nwant %q", page.Body, want)
				}
			}
			if strings.Contains(page.URL, "@") {
				t.Errorf("final address %s repeats credentials", page.URL)
			}
		})
	}
}

func TestHeadersThatCannotBeSentAreRefused(t *testing.T) {
	for name, value := range map[string]string{"X Y": "1", "X": "a\r\nInjected: 1", "": "1", "X-Ü": "1"} {
		r := request(t, "http://127.0.0.1:1/")
		r.Headers = map[string]string{name: value}
		_, err := engine(t).Fetch(t.Context(), r)
		if e, _ := failure(t, err); e.Kind != trawl.Invalid {
			t.Errorf("header %q: %q gave %v, want Invalid", name, value, err)
		}
	}
}

func TestHeadersOfTheConnectionAreTheTransports(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 || len(r.TransferEncoding) != 0 || r.Header.Get("Upgrade") != "" {
			t.Errorf("request has length %d, encoding %v, header %v", r.ContentLength, r.TransferEncoding, r.Header)
		}
	})
	r := request(t, address)
	r.Headers = map[string]string{"Content-Length": "5", "transfer-encoding": "chunked", "Upgrade": "websocket", "Connection": "upgrade"}
	if _, err := engine(t).Fetch(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}
