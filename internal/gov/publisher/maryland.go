package publisher

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// Maryland's "legisdoc": an article of the code or of the constitution per
// file, sections without headings. A section printed twice with different
// effective dates becomes one unit with both texts.

var marylandText = layout{blocks: set(`section subsection paragraph subparagraph subsubparagraph item text table row`), skip: set(`metadata`), numbers: set(`enum`)}

func readMaryland(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	article := strings.TrimSuffix(path.Base(name), path.Ext(name))
	x := newXMLReader(f)
	var held Unit
	for {
		start, _, err := x.next()
		if errors.Is(err, io.EOF) {
			return s.put(held)
		}
		if err != nil {
			return err
		}
		if start == nil || start.Name.Local != "section" {
			continue
		}
		n, err := x.take(start)
		if err != nil {
			return err
		}
		u := marylandUnit(n, article)
		if u.Key == held.Key {
			held.Text += "\n" + u.Text
			continue
		}
		if err := s.put(held); err != nil {
			return err
		}
		held = u
	}
}

func marylandUnit(n *node, article string) Unit {
	parts := strings.Split(strings.Trim(n.attr("id"), ":"), ":")
	number := cite.Section(parts[len(parts)-1])
	if number == "" || len(parts) < 2 {
		return Unit{}
	}
	u := Unit{
		Key:          "md/" + article + "/" + strings.ToLower(number),
		URL:          fmt.Sprintf("https://mgaleg.maryland.gov/mgawebsite/Laws/StatuteText?article=%s&section=%s", article, url.QueryEscape(number)),
		Jurisdiction: "us-md", Type: "statute", Edition: "5",
	}
	label := cite.MarylandArticles[article]
	if roman := constitutionArticle(article); label == "" && roman != "" {
		u.Type = "constitution"
		u.Citation = fmt.Sprintf("Md. Const. art. %s, § %s", roman, number)
		u.Path = []string{"Constitution of Maryland"}
	} else {
		label = firstOf(label, article)
		u.Citation = fmt.Sprintf("Md. Code, %s § %s", label, number)
		u.Path = []string{"Maryland Code", label}
	}
	if d := n.attr("db-date"); len(d) == 8 {
		u.Date = d[:4] + "-" + d[4:6] + "-" + d[6:]
	}
	u.Text = marylandText.text(withoutNumber(n))
	u.Heading = firstSentence(u.Text)
	return u
}

var constArticle = regexp.MustCompile(`^c(\d+)([a-z]?)$`)

// constitutionArticle reads "c11a" as article 11A; article 0 is the
// declaration of rights and its preamble.
func constitutionArticle(article string) string {
	m := constArticle.FindStringSubmatch(article)
	if m == nil {
		return ""
	}
	return m[1] + strings.ToUpper(m[2])
}

func withoutNumber(n *node) *node {
	rest := &node{name: n.name}
	for _, k := range n.kids {
		if k.name != "enum" {
			rest.kids = append(rest.kids, k)
		}
	}
	return rest
}

var subsectionMarks = regexp.MustCompile(`^(?:\([0-9A-Za-z]{1,4}\) ?)+`)

// headingLimit is how much of a first sentence serves as a heading.
const headingLimit = 120

// firstSentence makes a heading for a section that has none.
func firstSentence(text string) string {
	for _, line := range strings.Split(text, "\n") {
		line = subsectionMarks.ReplaceAllString(line, "")
		if line == "" || strings.Contains(line, "the following words have the meanings indicated") {
			continue
		}
		if i := strings.IndexAny(line, ".;:"); i > 20 {
			line = line[:i]
		}
		if len(line) > headingLimit {
			line = line[:strings.LastIndexByte(line[:headingLimit], ' ')+1] + "…"
		}
		return line
	}
	return "Definitions"
}
