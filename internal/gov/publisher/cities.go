package publisher

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/officedoc/rtf"
)

// San Francisco publishes each of its codes as one long text; Spanish Fork,
// Utah, a page of HTML per title.

func matchSanFrancisco(name, head string) bool {
	return hasExt(name, ".txt") && strings.Contains(head, "CITY AND COUNTY OF SAN FRANCISCO") && strings.Contains(head, "MUNICIPAL CODE")
}

var (
	cityMark    = regexp.MustCompile(`^\s*(?:SEC(?:TION|S)?\.?) +(\d+[A-Z]{0,3}(?:[.-](?:\d+[A-Z]{0,2}|[A-Z]))*)\.?(?:\s+(.*))?$`)
	cityArticle = regexp.MustCompile(`^(?:ARTICLE|CHAPTER|DIVISION) [0-9A-Z.]+:?\s*(.*)$`)
	yearPrefix  = regexp.MustCompile(`^\d{4} `)
)

func readSanFrancisco(s *source, name string) error {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return err
	}
	return s.putCode(name, strings.ReplaceAll(toUTF8(body), "\r", ""), "5")
}

// The same codes are published as RTF. Where both are there, the text stands.

func matchRichText(_, head string) bool { return strings.HasPrefix(head, `{\rtf`) }

func readRichText(s *source, name string) error {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return err
	}
	doc, err := rtf.Read(s.ctx, document.Input{Body: body})
	if err != nil {
		return fmt.Errorf("read rich text: %w", err)
	}
	text := nodeText(doc.Root)
	if !strings.Contains(text[:min(len(text), headSize)], "CITY AND COUNTY OF SAN FRANCISCO") {
		return nil // somebody else's file
	}
	return s.putCode(name, text, "4")
}

// putCode cuts a code of the city into its sections.
func (s *source) putCode(name, text, edition string) error {
	lines := strings.Split(text, "\n")
	code := sanFranciscoCode(lines)
	short := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	found := make(map[string]*Unit)
	var order []string
	for _, u := range citySections(lines) {
		number := u.Citation
		if old := found[number]; old != nil {
			// The table of contents names a section before it is printed.
			if len(u.Text) > len(old.Text) {
				*old = u
			}
			continue
		}
		found[number] = &u
		order = append(order, number)
	}
	for _, number := range order {
		u := *found[number]
		u.Key = "sf/" + short + "/" + strings.ToLower(number)
		u.URL = fmt.Sprintf("https://codelibrary.amlegal.com/codes/san_francisco/latest/sf_%s#JD_%s", short, number)
		u.Citation = fmt.Sprintf("S.F. %s § %s", code, number)
		u.Jurisdiction, u.Type, u.Edition = "us-ca-san-francisco", "ordinance", edition
		u.Path = append([]string{"San Francisco " + code}, u.Path...)
		if err := s.put(u); err != nil {
			return err
		}
	}
	return nil
}

// sanFranciscoCode finds the name of the code below the masthead.
func sanFranciscoCode(lines []string) string {
	for i, line := range lines {
		if strings.Contains(line, "MUNICIPAL CODE") {
			for _, next := range lines[i+1:] {
				if next = strings.TrimSpace(next); next != "" {
					return yearPrefix.ReplaceAllString(titleCase(next), "")
				}
			}
		}
	}
	return "Municipal Code"
}

// citySections cuts a text at its section marks. Citation holds just the number.
func citySections(lines []string) []Unit {
	var out []Unit
	var text []string
	var above string
	flush := func() {
		if len(out) > 0 {
			out[len(out)-1].Text = strings.Join(text, "\n")
		}
		text = nil
	}
	for i, line := range lines {
		if m := cityArticle.FindStringSubmatch(line); m != nil {
			above = m[1]
			if above == "" && i+1 < len(lines) {
				above = strings.TrimSpace(lines[i+1])
			}
		}
		m := cityMark.FindStringSubmatch(line)
		if m == nil || strings.Count(line, "Sec. ") > 2 {
			if line = tidy(line); line != "" {
				text = append(text, line)
			}
			continue
		}
		flush()
		u := Unit{Citation: strings.TrimSuffix(m[1], "."), Heading: m[2]}
		if above != "" {
			u.Path = []string{titleCase(above)}
		}
		out = append(out, u)
	}
	flush()
	return out
}

var printedNumber = regexp.MustCompile(`^\d+(?:\.\d+){2,3}`)

func matchSpanishFork(name, head string) bool {
	return hasExt(name, ".html", ".htm") && strings.Contains(head, "Spanish Fork Municipal Code")
}

func readSpanishFork(s *source, name string) error {
	root, err := readPage(s, name)
	if err != nil {
		return err
	}
	title := ""
	if t := findHTML(root, isElement(atom.Title)); t != nil && t.FirstChild != nil {
		title, _, _ = strings.Cut(t.FirstChild.Data, " | ")
	}
	best := make(map[string]Unit)
	var order []string
	eachHTML(root, isElement(atom.Section), func(n *html.Node) {
		u := spanishForkUnit(n, path.Base(name), title)
		old, seen := best[u.Key]
		if !seen {
			order = append(order, u.Key)
		}
		if !seen || len(u.Text) > len(old.Text) {
			best[u.Key] = u
		}
	})
	for _, key := range order {
		if err := s.put(best[key]); err != nil {
			return err
		}
	}
	return nil
}

func eachHTML(n *html.Node, ok func(*html.Node) bool, f func(*html.Node)) {
	if ok(n) {
		f(n)
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		eachHTML(k, ok, f)
	}
}

func spanishForkUnit(n *html.Node, file, title string) Unit {
	id := htmlAttr(n, "id")
	if id == "" {
		return Unit{}
	}
	number := strings.ReplaceAll(id, "_", ".")
	u := Unit{
		Key: "spanish-fork/" + number, Citation: "Spanish Fork Mun. Code § " + number, Type: "ordinance", Edition: "5",
		URL:          "https://spanish-fork-city.github.io/municipal-code/" + file + "#" + id,
		Jurisdiction: "us-ut-spanish-fork", Path: []string{"Spanish Fork Municipal Code", title}, Text: nodeText(n),
	}
	if h := findHTML(n, isElement(atom.H3)); h != nil {
		heading := tidy(nodeText(h))
		u.Heading = afterNumber(heading, number)
		// Some numbers are printed without the zeros they have in the address.
		if printed := printedNumber.FindString(u.Heading); printed != "" {
			u.Aliases = append(u.Aliases, "spanish-fork/"+printed)
			u.Heading = afterNumber(u.Heading, printed)
		}
		u.Text = strings.TrimSpace(strings.TrimPrefix(u.Text, heading))
	}
	return u
}
