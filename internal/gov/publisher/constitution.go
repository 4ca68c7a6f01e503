package publisher

import (
	"bufio"
	"fmt"
	"io/fs"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// The Constitution of the United States in Markdown: a heading per article and
// amendment, a lower one per section.

func matchConstitution(name, head string) bool {
	return hasExt(name, ".md") && strings.Contains(head, "# Constitution of the United States")
}

func readConstitution(s *source, name string) error {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return err
	}
	var whole, sec string
	var text strings.Builder
	flush := func() error {
		u := constitutionUnit(whole, sec)
		u.Text = text.String()
		text.Reset()
		if strings.TrimSpace(u.Text) == "" {
			return nil
		}
		return s.put(u)
	}
	lines := bufio.NewScanner(strings.NewReader(afterFrontMatter(string(body))))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "## "), strings.HasPrefix(line, "### "), strings.HasPrefix(line, "# "):
			if err := flush(); err != nil {
				return err
			}
			heading := strings.TrimLeft(line, "# ")
			if strings.HasPrefix(line, "### ") {
				sec = heading
			} else {
				whole, sec = heading, ""
			}
		default:
			text.WriteString(line)
			text.WriteByte('\n')
		}
	}
	return flush()
}

func afterFrontMatter(body string) string {
	rest, ok := strings.CutPrefix(body, "---\n")
	if !ok {
		return body
	}
	_, after, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return body
	}
	return after
}

func constitutionUnit(whole, sec string) Unit {
	u := Unit{Jurisdiction: "us", Type: "constitution", Edition: "1", Path: []string{"Constitution of the United States"}}
	kind, numeral, ok := strings.Cut(whole, " ")
	n := cite.Roman(numeral)
	kind = strings.ToLower(kind)
	if !ok || n == 0 || kind != "article" && kind != "amendment" {
		u.Key, u.Citation, u.Heading = "const/us/preamble", "U.S. Const. pmbl.", "Preamble"
		u.URL, _ = cite.URL(u.Key)
		return u
	}
	u.Key = fmt.Sprintf("const/us/%s-%d", kind, n)
	short := map[string]string{"article": "art.", "amendment": "amend."}[kind]
	u.Citation = fmt.Sprintf("U.S. Const. %s %s", short, numeral)
	u.Heading = whole
	if kind == "amendment" {
		u.Names = []string{ordinalNames[n] + " Amendment"}
	}
	if number, ok := strings.CutPrefix(sec, "Section "); ok {
		u.Aliases = []string{u.Key}
		u.Key += "-section-" + number
		u.Citation += ", § " + number
		u.Heading += ", " + sec
	}
	u.URL, _ = cite.URL(u.Key)
	return u
}

var ordinalNames = []string{"", "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth",
	"Eleventh", "Twelfth", "Thirteenth", "Fourteenth", "Fifteenth", "Sixteenth", "Seventeenth", "Eighteenth", "Nineteenth",
	"Twentieth", "Twenty-first", "Twenty-second", "Twenty-third", "Twenty-fourth", "Twenty-fifth", "Twenty-sixth", "Twenty-seventh"}
