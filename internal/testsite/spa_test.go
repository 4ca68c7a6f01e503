package testsite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/testsite"
)

func TestAppIsServedForEveryPathThatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{"index.html": "<title>shell</title>", "app.js": "render()"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := testsite.Start(testsite.Options{SPA: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for path, want := range map[string]string{"/": "shell", "/tides/today": "shell", "/app.js": "render()", "/../../etc/hostname": "invalid URL path"} {
		if _, body := get(t, s.Origin("spa")+path); !strings.Contains(body, want) {
			t.Errorf("GET %s = %q, want %q", path, body, want)
		}
	}
}

func TestStartNamesWhatFailed(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	taken := strings.TrimPrefix(s.URL, "http://")
	if _, err := testsite.Start(testsite.Options{Addr: taken}); err == nil || !strings.Contains(err.Error(), "origin main") {
		t.Errorf("Start on a taken address: %v, want an error that names the origin", err)
	}
}
