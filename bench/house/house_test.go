package house

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
)

func TestMedianIsTheMiddleOne(t *testing.T) {
	for _, tc := range []struct {
		numbers []float64
		want    float64
	}{
		{[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 3, 2}, 2.5},
	} {
		if got := Median(tc.numbers); got != tc.want {
			t.Errorf("median of %v = %v, want %v", tc.numbers, got, tc.want)
		}
	}
}

// A server measured against itself is about as fast as itself.
func TestTwoEqualServersAreEquallyFast(t *testing.T) {
	dir := t.TempDir()
	pair := sides{length: 100 * time.Millisecond}
	for i := range 2 {
		if err := os.MkdirAll(filepath.Join(dir, fmt.Sprint(i)), 0o700); err != nil {
			t.Fatal(err)
		}
		p, err := serveBare(t.Context(), filepath.Join(dir, fmt.Sprint(i)), []byte(`{"success":true}`))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := p.Stop(); err != nil {
				t.Error(err)
			}
		})
		pair.trawl, pair.bare = pair.bare, p
	}
	results, err := compare(t.Context(), suite.Env{Log: t.Output(), Quick: true}, pair)
	if err != nil {
		t.Fatal(err)
	}
	if r := results[0]; r.Name != "house-cached.ratio" || r.Value < 0.2 || r.Value > 5 {
		t.Errorf("%s = %v, want about 1", r.Name, r.Value)
	}
}

func TestAnswerThatIsNotFromTheCacheIsNotMeasured(t *testing.T) {
	for _, tc := range []struct{ name, answer, want string }{
		{"from the cache", `{"data":{"metadata":{"cacheState":"hit"}}}`, ""},
		{"fetched again", `{"data":{"metadata":{"cacheState":"miss"}}}`, `its state is "miss"`},
		{"cache not looked at", `{"data":{"metadata":{}}}`, `its state is ""`},
		{"no JSON", `<html>`, "read answer"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer "+Key {
					w.WriteHeader(http.StatusUnauthorized)
				}
				_, _ = w.Write([]byte(tc.answer))
			}))
			defer server.Close()
			answer, err := warm(t.Context(), server.URL, `{}`)
			if tc.want == "" && (err != nil || string(answer) != tc.answer) {
				t.Errorf("got %s and %v, want the answer", answer, err)
			}
			if tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("error is %v, want one with %q", err, tc.want)
			}
		})
	}
}
