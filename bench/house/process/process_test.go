package process

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestServerRunsUntilItIsStopped(t *testing.T) {
	dir := t.TempDir()
	binary, err := Build(t.Context(), dir, "bench/house/bare")
	if err != nil {
		t.Fatal(err)
	}
	answer := filepath.Join(dir, "answer")
	if err := os.WriteFile(answer, []byte("go_gc_duration_seconds_count 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Start(t.Context(), filepath.Join(dir, "log"), binary, answer)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if m, err := p.Memory(); err != nil || m.Resident < 1<<20 || m.Proportional > m.Resident {
		t.Errorf("memory is %+v and %v", m, err)
	}
	if used, err := p.CPU(); err != nil || used < 0 || used > time.Minute {
		t.Errorf("processor time is %v and %v", used, err)
	}
	if _, err := p.KeptHeap(t.Context()); err == nil || !strings.Contains(err.Error(), "the heap is not among them") {
		t.Errorf("heap of a server that does not tell it: %v", err)
	}
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := http.Get(p.URL); err == nil {
		t.Error("the server still answers after it was stopped")
	}
}

func TestServerThatDoesNotStartIsAnError(t *testing.T) {
	dir := t.TempDir()
	if _, err := Start(t.Context(), filepath.Join(dir, "log"), "false"); err == nil || !strings.Contains(err.Error(), "before it told its address") {
		t.Errorf("error is %v", err)
	}
}

func TestMetricsWithoutLabelsAreRead(t *testing.T) {
	got, err := samples(strings.NewReader("# HELP a Something.\n# TYPE a gauge\na 3.5e+06\nb{x=\"1\"} 2\nc 7\n"))
	if err != nil || len(got) != 2 || got["a"] != 3.5e6 || got["c"] != 7 {
		t.Errorf("got %v and %v", got, err)
	}
	if _, err := samples(strings.NewReader("a many\n")); err == nil {
		t.Error("a metric that is no number was accepted")
	}
}

func TestProcessorTimeIsReadPastAnyName(t *testing.T) {
	for _, tc := range []struct {
		name, stat string
		want       time.Duration
	}{
		{"plain", "7 (trawl) S 1 7 7 0 -1 4194560 100 0 0 0 12 34 0 0 20 0 8", 460 * time.Millisecond},
		{"name with a blank and a bracket", "7 (a) b) S 1 7 7 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 8", 30 * time.Millisecond},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := processorTime(tc.stat); err != nil || got != tc.want {
				t.Errorf("%q = %v and %v, want %v", tc.stat, got, err, tc.want)
			}
		})
	}
	if _, err := processorTime("7 (trawl) S 1"); err == nil {
		t.Error("a line that is cut off was accepted")
	}
}
