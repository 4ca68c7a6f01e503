package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/config"
)

// lawBook writes a folder of documents for an import.
func lawBook(t *testing.T, subject string, n int) string {
	t.Helper()
	dir := t.TempDir()
	var lines strings.Builder
	for i := range n {
		line, err := json.Marshal(map[string]string{
			"url": fmt.Sprintf("https://law.test/%s/%d", subject, i), "title": fmt.Sprintf("Rule %d on %s", i, subject), "type": "regulation",
			"text": fmt.Sprintf("Whoever keeps %s number %d shall report it to the warden of district %d.", subject, i, i%7),
		})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "manifest.jsonl"), []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// keyless lets callers without a key search so often in a minute.
func keyless(s config.Serve, perMinute int) config.Serve {
	s.Keyless, s.KeylessGovMinute = []string{"gov"}, perMinute
	return s
}

// importLaw imports a folder on a running server.
func importLaw(t *testing.T, r *running, dir string) {
	t.Helper()
	law, err := r.Gov()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := law.Import(t.Context(), []string{dir}, nil); err != nil {
		t.Fatal(err)
	}
}

// askLaw asks without a key and gives the answer with its headers.
func (r *running) askLaw(t *testing.T, method, query, body, token string) (reply, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.URL+"/v2/search/gov"+query, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var got struct {
		Success bool
		Error   string
		Code    string
	}
	var raw json.RawMessage
	if err := json.NewDecoder(res.Body).Decode(&raw); err != nil {
		t.Fatalf("%d and no JSON: %v", res.StatusCode, err)
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	return reply{Status: res.StatusCode, Success: got.Success, Error: got.Error, Code: got.Code, Raw: string(raw)}, res.Header
}

func TestGovSearchRefusesWhatTheContractRefuses(t *testing.T) {
	r := start(t, keyless(settings(t), 100))
	for _, tc := range []struct {
		name, method, query, body, token string
		status                           int
		want                             string
	}{
		{"citation without a key", "GET", "?query=42+USC+1983", "", "", 200, "section1983"},
		{"question with a key", "POST", "", `{"query":"can police search my phone without a warrant","k":"5"}`, key, 200, `"position":5,`},
		{"unknown parameter", "GET", "?query=tax&year=2020", "", "", 400, `Unrecognized query parameter: \"year\"`},
		{"unknown field", "POST", "", `{"query":"tax","year":2020}`, "", 400, `Unrecognized key in body: \"year\"`},
		{"k of 0", "GET", "?query=tax&k=0", "", key, 400, `"BAD_REQUEST"`},
		{"k of 101", "GET", "?query=tax&k=101", "", key, 400, `"BAD_REQUEST"`},
		{"k of 2.5", "GET", "?query=tax&k=2.5", "", key, 400, `"BAD_REQUEST"`},
		{"k of 2.5 in a body", "POST", "", `{"query":"tax","k":2.5}`, key, 400, `"BAD_REQUEST"`},
		{"parameter twice", "GET", "?query=a&query=b", "", key, 400, `"BAD_REQUEST"`},
		{"no query", "POST", "", `{}`, key, 400, `"query"`},
		{"bad key", "GET", "?query=tax", "", "fc-unknown", 401, `"Unauthorized: Invalid token"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _ := r.askLaw(t, tc.method, tc.query, tc.body, tc.token)
			if got.Status != tc.status || !strings.Contains(got.Raw, tc.want) || got.Success != (tc.status == 200) {
				t.Errorf("%d %s, want %d with %s", got.Status, got.Raw, tc.status, tc.want)
			}
		})
	}
}

func TestGovSearchWithoutAKeyHasALimit(t *testing.T) {
	r := start(t, keyless(settings(t), 3))
	for range 3 {
		if got, _ := r.askLaw(t, "GET", "?query=tax", "", ""); got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Raw)
		}
	}
	got, header := r.askLaw(t, "GET", "?query=tax", "", "")
	if got.Status != 429 || got.Error != "Rate limit exceeded" || got.Code != "RATE_LIMITED" || header.Get("Retry-After") == "" {
		t.Errorf("fourth in a minute: %d %s, Retry-After %q", got.Status, got.Raw, header.Get("Retry-After"))
	}
	if got, _ := r.askLaw(t, "GET", "?query=tax", "", key); got.Status != 200 {
		t.Errorf("a key gives more: %d %s", got.Status, got.Raw)
	}
}

func TestADamagedGovIndexIs502(t *testing.T) {
	s := settings(t)
	r := start(t, s)
	if got, _ := r.askLaw(t, "GET", "?query=overtime+pay", "", key); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Raw)
	}
	segments, err := filepath.Glob(filepath.Join(s.DataDir, "gov", "index", "*.seg"))
	if err != nil || len(segments) == 0 {
		t.Fatal("no segments", err)
	}
	for _, file := range segments {
		if err := os.Truncate(file, 1000); err != nil { // as a failing disk would
			t.Fatal(err)
		}
	}
	got, _ := r.askLaw(t, "GET", "?query=security+deposit", "", key)
	if got.Status != 502 || got.Error != "Bad Gateway" || got.Code != "GOV_INDEX_ERROR" {
		t.Errorf("%d %s", got.Status, got.Raw)
	}
	if other := r.call(t, "GET", "/healthz", nil); other.Status != 200 {
		t.Errorf("the rest of the server: %d", other.Status)
	}
}

// TestAGovIndexThatDoesNotAnswerIs504 puts a pipe nobody writes to in the place
// of the manifest: a read of it hangs as on a disk that is gone.
func TestAGovIndexThatDoesNotAnswerIs504(t *testing.T) {
	t.Parallel() // it waits for the real limit
	s := settings(t)
	r := start(t, s)
	if got, _ := r.askLaw(t, "GET", "?query=overtime+pay", "", key); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Raw)
	}
	manifest := filepath.Join(s.DataDir, "gov", "index", "manifest.json")
	if err := os.Rename(manifest, manifest+".kept"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(manifest, 0o600); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	late := reply{}
	eventually(t, 25*time.Second, "a search meets the hanging disk", func() bool { // it looks once a second
		late, _ = r.askLaw(t, "GET", "?query=overtime+pay", "", key)
		return late.Status != 200
	})
	if late.Status != 504 || late.Error != "Gateway Timeout" || late.Code != "GOV_INDEX_TIMEOUT" {
		t.Errorf("%d %s", late.Status, late.Raw)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("the caller waited %s", took)
	}
	if got, _ := r.askLaw(t, "GET", "?query=overtime+pay", "", key); got.Status != 200 {
		t.Errorf("searches beside it: %d %s", got.Status, got.Raw)
	}
	release(t, manifest)
}

// release ends a hanging read of a pipe and puts the file back.
func release(t *testing.T, manifest string) {
	t.Helper()
	body, err := os.ReadFile(manifest + ".kept")
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(manifest, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(manifest+".kept", manifest); err != nil {
		t.Fatal(err)
	}
	if _, err := pipe.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := pipe.Close(); err != nil {
		t.Fatal(err)
	}
}
