package load

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestEveryRequestIsAnswered(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		seen[r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body)]++
		mu.Unlock()
		_, _ = w.Write([]byte(strings.Repeat("x", 1000)))
	}))
	defer server.Close()
	var requests [][]byte
	for _, body := range []string{`{"a":1}`, `{"b":"two"}`} {
		request, err := Post(server.URL+"/v2/scrape", "fc-k", body)
		if err != nil {
			t.Fatal(err)
		}
		requests = append(requests, request)
	}
	done, err := Run(t.Context(), Plan{URL: server.URL, Requests: requests, Connections: 4, Count: 100})
	if err != nil || done.Answers != 100 || done.Rate() <= 0 {
		t.Errorf("got %+v and %v, want 100 answers", done, err)
	}
	for _, want := range []string{`POST /v2/scrape Bearer fc-k {"a":1}`, `POST /v2/scrape Bearer fc-k {"b":"two"}`} {
		if seen[want] != 50 {
			t.Errorf("%s came %d times, want 50; all: %v", want, seen[want], seen)
		}
	}
}

func TestTimeEndsTheLoad(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte("{}"))
	}))
	defer server.Close()
	request, err := Post(server.URL, "k", "{}")
	if err != nil {
		t.Fatal(err)
	}
	done, err := Run(t.Context(), Plan{URL: server.URL, Requests: [][]byte{request}, Connections: 2, For: 50 * time.Millisecond})
	if err != nil || int64(done.Answers) != asked.Load() || done.Took < 50*time.Millisecond {
		t.Errorf("got %+v and %v, the server counted %d", done, err, asked.Load())
	}
}

func TestAnythingButSuccessEndsTheLoad(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		answer     http.HandlerFunc
	}{
		{"refusal", "429 Too Many Requests: slow down", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write([]byte("slow down"))
		}},
		{"answer without a length", "does not tell its length", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("a"))
			w.(http.Flusher).Flush()
		}},
		{"broken connection", "read answer", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := httptest.NewServer(tc.answer)
			defer server.Close()
			request, err := Post(server.URL, "k", "{}")
			if err != nil {
				t.Fatal(err)
			}
			_, err = Run(t.Context(), Plan{URL: server.URL, Requests: [][]byte{request}, Connections: 1, Count: 3})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v, want one with %q", err, tc.want)
			}
		})
	}
}

func FuzzSkip(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
	f.Add("HTTP/1.1 500 No\r\ncontent-length: 1\r\n\r\nx")
	f.Add("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n")
	f.Fuzz(func(t *testing.T, answer string) {
		if err := newReader(strings.NewReader(answer)).skip(); err == nil && !strings.HasPrefix(answer, "HTTP/1.1 200 ") {
			t.Errorf("%q was taken for a success", answer)
		}
	})
}
