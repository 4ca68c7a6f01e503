package config_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/trawlhq/trawl/internal/config"
)

var update = flag.Bool("update", false, "write docs/configuration.md")

func TestReferenceIsCurrent(t *testing.T) {
	const page = "../../docs/configuration.md"
	if *update {
		if err := os.WriteFile(page, []byte(config.Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil || string(got) != config.Markdown() {
		t.Errorf("%s is not what the settings say (%v): go test ./internal/config -update", page, err)
	}
}

func TestEverySettingHasOneNameInThreeSpellings(t *testing.T) {
	for _, s := range config.Settings() {
		words := strings.Split(strings.TrimPrefix(s.Flag, "--"), "-")
		if env := "TRAWL_" + strings.ToUpper(strings.Join(words, "_")); s.Env != env {
			t.Errorf("%s has the variable %s, want %s", s.Flag, s.Env, env)
		}
		if s.Help == "" {
			t.Errorf("%s has no help", s.Flag)
		}
	}
}

func parse(t *testing.T, file string, args ...string) (config.Serve, error) {
	t.Helper()
	dir := t.TempDir()
	if file != "" {
		if err := os.WriteFile(filepath.Join(dir, config.FileName), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read, err := config.ReadFile(dir)
	if err != nil {
		return config.Serve{}, err
	}
	var s config.Serve
	parser, err := kong.New(&s, kong.Resolvers(read), kong.Exit(func(int) {}))
	if err != nil {
		return s, err
	}
	_, err = parser.Parse(args)
	return s, err
}

func TestFlagsOverrideEnvironmentOverridesFile(t *testing.T) {
	const file = "addr: 127.0.0.1:1\nmaxBrowsers: 7\nkeyless: [gov, scrape]\nlogLevel: debug\n"
	t.Setenv("TRAWL_ADDR", "127.0.0.1:2")
	t.Setenv("TRAWL_LOG_LEVEL", "warn")
	s, err := parse(t, file, "--addr", "127.0.0.1:3")
	if err != nil {
		t.Fatal(err)
	}
	if s.Addr != "127.0.0.1:3" || s.LogLevel != "warn" || s.MaxBrowsers != 7 || strings.Join(s.Keyless, " ") != "gov scrape" {
		t.Errorf("addr %s, level %s, browsers %d, keyless %v", s.Addr, s.LogLevel, s.MaxBrowsers, s.Keyless)
	}
	if s.CacheSize != 4096 {
		t.Errorf("cache size %d, want the default", s.CacheSize)
	}
}

func TestMistakesInTheFileAreTold(t *testing.T) {
	for file, want := range map[string]string{"adress: x\n": "adress", "addr: [": "trawl.yaml", "auth: maybe\n": "auth"} {
		if _, err := parse(t, file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that names %q", file, err, want)
		}
	}
}
