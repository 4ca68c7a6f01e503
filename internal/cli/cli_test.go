package cli_test

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/cli"
	"github.com/trawlhq/trawl/internal/testsite"
)

// run carries out a command line.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), args, cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	return code, out.String(), errs.String()
}

func TestVersionNamesTheBuild(t *testing.T) {
	code, out, _ := run(t, "version")
	if code != 0 || !strings.HasPrefix(out, "trawl ") || !strings.Contains(out, "go1.") {
		t.Errorf("%d %q", code, out)
	}
}

func TestMistakesOnTheCommandLine(t *testing.T) {
	for _, args := range [][]string{{"nonsense"}, {"serve", "--role", "king"}, {"keys", "revoke"}, {"scrape"}} {
		if code, _, errs := run(t, args...); code != 2 || errs == "" {
			t.Errorf("%v: exit %d, %q", args, code, errs)
		}
	}
}

func TestHelpListsEverySetting(t *testing.T) {
	code, out, _ := run(t, "serve", "--help")
	if code != 0 || !strings.Contains(out, "--allow-private-networks") || !strings.Contains(out, "$TRAWL_DATA_DIR") {
		t.Errorf("%d %s", code, out)
	}
}

func TestKeysFromTheTerminal(t *testing.T) {
	dir := t.TempDir()
	code, token, errs := run(t, "keys", "create", "--data-dir", dir, "--name", "ci", "--scopes", "scrape,map")
	if code != 0 || !strings.HasPrefix(token, "fc-") {
		t.Fatalf("%d %q %q", code, token, errs)
	}
	code, out, _ := run(t, "keys", "list", "--data-dir", dir, "--json")
	var keys []struct{ ID, Name, Last4 string }
	if err := json.Unmarshal([]byte(out), &keys); err != nil || code != 0 || len(keys) != 1 || keys[0].Name != "ci" {
		t.Fatalf("%d %s %v", code, out, err)
	}
	if strings.Contains(out, strings.TrimSpace(token)) || !strings.HasSuffix(strings.TrimSpace(token), keys[0].Last4) {
		t.Errorf("the list must show the end of the key, not the key: %s", out)
	}
	if code, _, errs := run(t, "keys", "revoke", "--data-dir", dir, keys[0].ID); code != 0 {
		t.Errorf("revoke: %d %s", code, errs)
	}
	if code, _, errs := run(t, "keys", "revoke", "--data-dir", dir, keys[0].ID); code != 1 || !strings.Contains(errs, "Not Found") {
		t.Errorf("revoke again: %d %s", code, errs)
	}
}

func TestScrapeWithoutAServer(t *testing.T) {
	site, dir := testsite.New(t), t.TempDir()
	common := []string{"--data-dir", filepath.Join(dir, "data"), "--allow-private-networks", "true"}
	code, out, errs := run(t, append([]string{"scrape", site.URL + "/read/article"}, common...)...)
	if code != 0 || !strings.HasPrefix(out, "# Why the harbour clock runs late") {
		t.Fatalf("%d %.300s %s", code, out, errs)
	}
	folder := filepath.Join(dir, "pages")
	code, _, errs = run(t, append([]string{"scrape", site.URL + "/read/article", site.URL + "/read/docs", "ftp://x.test", "-o", folder, "--json"}, common...)...)
	if code != 1 || !strings.Contains(errs, "1 of 3 failed") || !strings.Contains(errs, "2/3") && !strings.Contains(errs, "3/3") {
		t.Errorf("%d %s", code, errs)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 2 {
		t.Errorf("%v, %v; want a file for each page that worked", files, err)
	}
}

func TestScrapeIsRefusedInsidePrivateNetworks(t *testing.T) {
	site := testsite.New(t)
	code, _, errs := run(t, "scrape", site.URL, "--data-dir", t.TempDir())
	if code != 1 || !strings.Contains(errs, "not on the public internet") {
		t.Errorf("%d %s", code, errs)
	}
}

func TestUpkeepFromTheTerminal(t *testing.T) {
	dir := t.TempDir()
	run(t, "keys", "create", "--data-dir", dir)
	code, out, errs := run(t, "gc", "--data-dir", dir, "--dry-run")
	if code != 0 || !strings.Contains(out, "scrapes") || !strings.Contains(out, "dry run") {
		t.Errorf("gc: %d %s %s", code, out, errs)
	}
	copied := filepath.Join(dir, "copy.db")
	if code, _, errs := run(t, "backup", "--data-dir", dir, copied); code != 0 {
		t.Errorf("backup: %d %s", code, errs)
	}
	if info, err := os.Stat(copied); err != nil || info.Size() == 0 {
		t.Errorf("copy: %v", err)
	}
	if code, _, _ := run(t, "backup", "--data-dir", dir, copied); code != 1 {
		t.Error("a backup must not overwrite another")
	}
}

func TestDoctorTellsWhatIsMissing(t *testing.T) {
	code, out, _ := run(t, "doctor", "--data-dir", t.TempDir(), "--chromium", "/nowhere/chromium")
	if code != 0 || !strings.Contains(out, "missing  browser") || !strings.Contains(out, "to fix it") || !strings.Contains(out, "ok") {
		t.Errorf("%d %s", code, out)
	}
}

func TestTeamsFromTheTerminal(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := run(t, "teams", "set", "others", "--plan", "small", "--allow", "10.0.0.0/8,2001:db8::1", "--data-dir", dir); code != 0 {
		t.Fatalf("%d %s", code, errs)
	}
	_, out, _ := run(t, "teams", "list", "--data-dir", dir)
	if !strings.Contains(out, "others  small  10.0.0.0/8,2001:db8::1") {
		t.Errorf("%s", out)
	}
	if code, _, errs := run(t, "teams", "set", "others", "--allow", "nonsense", "--data-dir", dir); code != 1 || !strings.Contains(errs, "nonsense") {
		t.Errorf("%d %s", code, errs)
	}
}

func TestAServerThatCannotListenMakesNoKey(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	if code, _, errs := run(t, "serve", "--addr", taken.Addr().String(), "--data-dir", dir); code != 1 || !strings.Contains(errs, "listen") {
		t.Errorf("%d %s", code, errs)
	}
	if _, out, _ := run(t, "keys", "list", "--data-dir", dir, "--json"); strings.TrimSpace(out) != "null" {
		t.Errorf("keys nobody has seen: %s", out)
	}
}
