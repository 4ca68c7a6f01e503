package netguard

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayDial are the packages that open connections past the guard, each with its reason.
var mayDial = map[string]string{
	"internal/netguard": "it is the guard",
	"internal/store":    "the database drivers connect to the operator's own DSN",
	"internal/browser":  "speaks CDP to its own Chromium or to the endpoint the operator named; pages go through the guarded proxy",
	"client":            "connects to the trawl server its user named, from the user's machine",
}

// notShipped are folders that are no part of the service.
var notShipped = []string{".git", "bench", "compat", "examples", "internal/testsite", "internal/storetest", "testdata", "node_modules", "data", "bin"}

// ways to open a connection (or ask the DNS) without the guard, by import path.
// A name with {} is a type that is only wrong when made without the given field.
var ways = map[string][]string{
	"net": {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialIP", "DialUnix", "Dialer", "Resolver", "DefaultResolver", "LookupHost",
		"LookupIP", "LookupAddr", "LookupCNAME", "LookupMX", "LookupTXT", "LookupNS", "LookupSRV", "ResolveTCPAddr"},
	"net/http":   {"Get", "Head", "Post", "PostForm", "DefaultClient", "DefaultTransport", "Client{Transport}", "Transport{DialContext}"},
	"crypto/tls": {"Dial", "DialWithDialer", "Dialer"},
	"net/smtp":   {"Dial", "SendMail"},
	"net/rpc":    {"Dial", "DialHTTP", "DialHTTPPath"},

	"golang.org/x/net/proxy":       {"*"},
	"golang.org/x/net/websocket":   {"*"},
	"github.com/coder/websocket":   {"DialOptions{HTTPClient}"},
	"github.com/minio/minio-go/v7": {"Options{Transport}"},
	"golang.org/x/net/http2":       {"Transport{DialTLSContext}"},
}

func TestNoOtherPackageDials(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if slices.Contains(notShipped, rel) || slices.Contains(notShipped, d.Name()) || mayDial[rel] != "" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		files++
		found, err := unguarded(path, nil)
		for _, use := range found {
			t.Errorf("%s: %s goes past the guard: use netguard.Guard, or state the reason in mayDial", rel, use)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 5 {
		t.Errorf("read %d files: this is not the repository", files)
	}
}

func TestDialingIsRecognised(t *testing.T) {
	for _, tc := range []struct {
		name, code string
		want       int
	}{
		{"net.Dial", `import "net"; var _, _ = net.Dial("tcp", "")`, 1},
		{"net under another name", `import n "net"; var d n.Dialer`, 1},
		{"default client", `import "net/http"; var c = http.DefaultClient`, 1},
		{"http.Get", `import "net/http"; var _, _ = http.Get("")`, 1},
		{"client without transport", `import "net/http"; var c = &http.Client{}`, 1},
		{"zero client", `import "net/http"; var c http.Client`, 1},
		{"new client", `import "net/http"; var c = new(http.Client)`, 1},
		{"client with transport", `import "net/http"; var c = &http.Client{Transport: t}; var t http.RoundTripper`, 0},
		{"transport without dialer", `import "net/http"; var t = &http.Transport{MaxIdleConns: 1}`, 1},
		{"guarded transport", `import "net/http"; var t = &http.Transport{DialContext: nil}`, 0},
		{"pointer to a client", `import "net/http"; type s struct{ c *http.Client }`, 0},
		{"tls.Dial", `import "crypto/tls"; var _, _ = tls.Dial("", "", nil)`, 1},
		{"object store client of a major version", `import "github.com/minio/minio-go/v7"; var o = minio.Options{}`, 1},
		{"harmless use", `import "net"; var l, _ = net.Listen("tcp", "")`, 0},
		{"package that only dials", `import _ "golang.org/x/net/websocket"`, 1},
		{"local variable of the same name", `type N struct{ Dial int }; var net N; var x = net.Dial`, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, err := unguarded("case.go", "package p; "+tc.code)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) != tc.want {
				t.Errorf("found %v, want %d", found, tc.want)
			}
		})
	}
}

// unguarded lists the uses of ways in one file.
func unguarded(path string, src any) ([]string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", path, err)
	}
	s := scan{fset: fset, wrong: map[string]string{}, safe: map[ast.Node]bool{}}
	for _, spec := range file.Imports {
		s.importing(spec)
	}
	ast.Inspect(file, s.visit)
	return s.found, nil
}

type scan struct {
	fset  *token.FileSet
	wrong map[string]string // "http.Client" → the field that makes it right, or ""
	safe  map[ast.Node]bool // selectors already found to be in order
	found []string
}

func (s *scan) importing(spec *ast.ImportSpec) {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return
	}
	name := packageName(path)
	if spec.Name != nil {
		name = spec.Name.Name
	}
	for _, way := range ways[path] {
		if way == "*" {
			s.found = append(s.found, "import of "+path)
			continue
		}
		what, field, _ := strings.Cut(strings.TrimSuffix(way, "}"), "{")
		s.wrong[name+"."+what] = field
	}
}

// packageName guesses what the import is called: the last element, without a
// major version and without "-go".
func packageName(path string) string {
	dir, last := cutLast(path)
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		_, last = cutLast(dir)
	}
	return strings.TrimSuffix(last, "-go")
}

func cutLast(path string) (dir, last string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

func (s *scan) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.StarExpr: // a pointer to a type makes no value
		s.safe[n.X] = s.fieldOf(n.X) != ""
	case *ast.CompositeLit:
		field := s.fieldOf(n.Type)
		s.safe[n.Type] = field != "" && hasField(n, field)
	case *ast.SelectorExpr:
		if _, bad := s.wrong[nameOf(n)]; bad && !s.safe[n] {
			s.found = append(s.found, fmt.Sprintf("%s (line %d)", nameOf(n), s.fset.Position(n.Pos()).Line))
		}
	}
	return true
}

func (s *scan) fieldOf(n ast.Expr) string { return s.wrong[nameOf(n)] }

func nameOf(n ast.Expr) string {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return pkg.Name + "." + sel.Sel.Name
}

func hasField(lit *ast.CompositeLit, field string) bool {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == field {
			return true
		}
	}
	return false
}
