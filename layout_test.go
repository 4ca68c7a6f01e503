package trawl

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/trawlhq/trawl"

// layers are the packages of the house, ground first. Imports point down this
// list, never up; inside a layer only where neighbours says so.
var layers = []string{
	"trawl",
	"client store blob netguard weburl telemetry",
	"access browser fetch document format job index llm notify",
	"search scrape interact parse monitor crawl sitemap agent gov",
	"api mcp dashboard config",
	"app",
	"cli",
	"cmd compat bench examples testsite storetest", // imported by nobody, or by tests only
}

// neighbours may be imported from within their own layer.
var neighbours = map[string]string{
	"fetch": "browser", "format": "document llm", "notify": "job",
	"crawl": "scrape sitemap", "search": "scrape", "monitor": "scrape crawl", "parse": "scrape",
}

// wrapped are third-party packages that only one package of ours may see.
var wrapped = map[string]string{
	"github.com/chromedp/":            "browser",
	"github.com/jackc/pgx/":           "store",
	"modernc.org/sqlite":              "store",
	"github.com/prometheus/":          "telemetry",
	"github.com/alecthomas/kong":      "cli config",
	"github.com/minio/":               "blob",
	"github.com/santhosh-tekuri/":     "api llm",
	"github.com/klippa-app/go-pdfium": "document",
	"github.com/tetratelabs/wazero":   "document",
	"github.com/jimsmart/grobotstxt":  "fetch",
}

func TestImportsPointDown(t *testing.T) {
	level := map[string]int{}
	for i, layer := range layers {
		for _, name := range strings.Fields(layer) {
			level[name] = i
		}
	}
	eachImport(t, func(file, from, imported string, test bool) {
		to, ours := packageOf(imported)
		if !ours || to == from || test {
			return
		}
		fromLevel, known := level[from]
		toLevel, knownTo := level[to]
		switch {
		case !known || !knownTo:
			t.Errorf("%s: package %s or %s has no line in layers", file, from, to)
		case toLevel > fromLevel:
			t.Errorf("%s: %s imports %s, which stands above it", file, from, to)
		case toLevel == fromLevel && from != "bench" && !slices.Contains(strings.Fields(neighbours[from]), to):
			t.Errorf("%s: %s imports its neighbour %s without a line in neighbours", file, from, to)
		}
	})
}

func TestTestingPackagesAreImportedByTestsOnly(t *testing.T) {
	eachImport(t, func(file, from, imported string, test bool) {
		to, ours := packageOf(imported)
		if ours && !test && (to == "testsite" || to == "storetest") && from != "bench" && from != to {
			t.Errorf("%s: imports %s outside a test", file, to)
		}
	})
}

func TestThirdPartiesAreSeenByOnePackage(t *testing.T) {
	eachImport(t, func(file, from, imported string, test bool) {
		for prefix, owners := range wrapped {
			if strings.HasPrefix(imported, prefix) && !slices.Contains(strings.Fields(owners), from) && from != "bench" && !test {
				t.Errorf("%s: only %s may import %s", file, owners, imported)
			}
		}
	})
}

func TestOnlyProgramsSeeTheSettings(t *testing.T) {
	eachImport(t, func(file, from, imported string, _ bool) {
		if to, _ := packageOf(imported); to == "config" && !slices.Contains([]string{"app", "cli", "config", "bench"}, from) {
			t.Errorf("%s: %s imports config; it should take the few values it needs", file, from)
		}
	})
}

// eachImport visits every import of every Go file. It reads the files itself: a
// test that asks the go command stays green from its cache after another package changed.
func eachImport(t *testing.T, visit func(file, from, imported string, test bool)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return fmt.Errorf("parse %s: %w", file, err)
		}
		from, _ := packageOf(path.Join(module, filepath.ToSlash(filepath.Dir(file))))
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			visit(file, from, imported, strings.HasSuffix(file, "_test.go"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// packageOf gives the name under which a package stands in layers: sub-packages belong to their parent.
func packageOf(imported string) (name string, ours bool) {
	rest, ours := strings.CutPrefix(imported, module)
	if !ours {
		return "", false
	}
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	if parts[0] == "internal" && len(parts) > 1 {
		return parts[1], true
	}
	if parts[0] == "" || parts[0] == "." {
		return "trawl", true
	}
	return parts[0], true
}
