package cli_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/cli"
	"github.com/trawlhq/trawl/internal/testsite"
)

func TestASiteIsCrawledIntoAFolderAndMapped(t *testing.T) {
	site := testsite.New(t)
	origin, data, folder := site.Origin("graph"), t.TempDir(), t.TempDir()
	t.Setenv("TRAWL_ALLOW_PRIVATE_NETWORKS", "true")
	command := func(args ...string) (code int, out, log string) {
		var stdout, stderr bytes.Buffer
		code = cli.Run(t.Context(), append(args, "--data-dir", data), cli.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr})
		return code, stdout.String(), stderr.String()
	}
	code, _, log := command("crawl", origin+"/blog/", "-o", folder)
	if code != 0 || !strings.Contains(log, "completed: 6 pages, 0 errors") {
		t.Fatalf("crawl = %d\n%s", code, log)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) < 4 {
		t.Errorf("%d files, %v", len(files), err)
	}
	id := strings.TrimPrefix(strings.SplitN(log, "\n", 2)[0], "crawl ")
	if code, out, log := command("crawl", "--resume", id, "--jsonl"); code != 0 || strings.Count(out, "\n") != 6 {
		t.Errorf("resumed = %d with %d documents\n%s", code, strings.Count(out, "\n"), log)
	}
	if code, out, log := command("map", origin, "--search", "blog second", "--limit", "1"); code != 0 || out != origin+"/blog/second\n" {
		t.Errorf("map = %d %s\n%s", code, out, log)
	}
	if code, _, log := command("crawl"); code == 0 {
		t.Errorf("crawl of nothing = %d\n%s", code, log)
	}
}
