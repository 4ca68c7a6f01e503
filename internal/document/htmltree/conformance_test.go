package htmltree

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// testdata is the folder of test cases x/net carries along, among them the
// suite that browsers share.
func testdata(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		t.Fatalf("find the module of the oracle: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "html", "testdata")
}

func TestTreesAreThoseOfTheOracleOnTheSharedSuite(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata(t), "*", "*.dat"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(testdata(t), "*", "*", "*.dat"))
	if err != nil {
		t.Fatal(err)
	}
	cases, fragments := 0, 0
	for _, file := range append(files, more...) {
		for _, c := range readCases(t, file) {
			cases++
			agree(t, c.data)
			if c.context == "" {
				continue
			}
			fragments++
			agreeInside(t, c.data, contextOf(c.context))
		}
	}
	if cases < 1500 || fragments < 150 {
		t.Errorf("%d cases and %d fragments were read; the suite has more", cases, fragments)
	}
}

// suiteCase is one case of a .dat file.
type suiteCase struct{ data, context string }

// readCases reads a file of the suite: sections that begin with a line such as
// "#data", of which the first begins a new case.
func readCases(t *testing.T, file string) []suiteCase {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []suiteCase
	section := ""
	for line := range strings.Lines(string(content)) {
		if name := strings.TrimRight(line, "\n"); name == "#data" {
			section = name
			cases = append(cases, suiteCase{})
			continue
		} else if isSection(name) {
			section = name
			continue
		}
		c := &cases[len(cases)-1]
		switch section {
		case "#data":
			c.data += line
		case "#document-fragment":
			c.context = strings.TrimSpace(line)
		}
	}
	for i := range cases {
		cases[i].data = strings.TrimSuffix(cases[i].data, "\n")
	}
	return cases
}

func isSection(line string) bool {
	switch line {
	case "#errors", "#new-errors", "#document", "#document-fragment", "#script-on", "#script-off":
		return true
	}
	return false
}

// contextOf is the element named in a case: "td", or "svg path".
func contextOf(name string) *html.Node {
	namespace, data, found := strings.Cut(name, " ")
	if !found {
		namespace, data = "", name
	}
	return &html.Node{Type: html.ElementNode, Namespace: namespace, Data: data, DataAtom: atom.Lookup([]byte(data))}
}

func TestTokensAreThoseOfTheOracleOnTheSharedSuite(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata(t), "html5lib-tests", "tokenizer", "*.test"))
	if err != nil {
		t.Fatal(err)
	}
	inputs := 0
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var suite struct {
			Tests []struct{ Input string }
		}
		if err := json.Unmarshal(content, &suite); err != nil {
			t.Fatalf("read %s: %v", file, err)
		}
		for _, c := range suite.Tests {
			inputs++
			agree(t, "<body>"+c.Input)
			agree(t, "<body><p title=\""+c.Input+"\">")
			agree(t, "<body><p title="+c.Input+">")
			agree(t, "<title>"+c.Input)
			agree(t, "<script>"+c.Input)
			agree(t, "<svg>"+c.Input)
		}
	}
	if inputs < 6000 {
		t.Errorf("%d inputs were read; the suite has more", inputs)
	}
}
