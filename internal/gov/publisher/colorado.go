package publisher

import (
	"errors"
	"io"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// Colorado Revised Statutes as the legislature's service office prints them: a
// title per file, headings and sections one after the other.

var coloradoText = layout{blocks: set(`P DL`), skip: set(`CATCH-LINE`)}

func readColorado(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	x := newXMLReader(f)
	var above coloradoAbove
	for {
		start, _, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start == nil || start.Name.Local == "CRS" {
			continue
		}
		n, err := x.take(start)
		if err != nil {
			return err
		}
		if n.name != "SECTION-TEXT" {
			above.note(n)
			continue
		}
		if err := s.put(coloradoUnit(n, above.path())); err != nil {
			return err
		}
	}
}

// coloradoAbove keeps the headings in force: each comes as two elements, number
// and words.
type coloradoAbove struct {
	title, article, part string
}

func (a *coloradoAbove) note(n *node) {
	words := n.line()
	switch n.name {
	case "TITLE-TEXT":
		a.title = words
	case "ARTICLE-TEXT", "ARTICLE-NUM":
		if n.name == "ARTICLE-NUM" {
			*a = coloradoAbove{title: a.title}
		} else {
			a.article = words
		}
	case "ARTICLE-PART":
		if !strings.HasPrefix(words, "PART ") {
			a.part = words
		}
	}
}

func (a *coloradoAbove) path() []string {
	return dedupe([]string{"Colorado Revised Statutes", titleCase(a.title), titleCase(a.article), titleCase(a.part)})
}

func coloradoUnit(n *node, above []string) Unit {
	catch := n.find("CATCH-LINE")
	if catch == nil {
		return Unit{}
	}
	number := cite.Section(catch.find("RHFTO").line())
	if number == "" {
		return Unit{}
	}
	u := Unit{
		Key: "crs/" + strings.ToLower(number), URL: "https://colorado.public.law/statutes/crs_" + number, Citation: "C.R.S. § " + number,
		Heading: afterNumber(catch.line(), number), Path: above, Jurisdiction: "us-co", Type: "statute", Edition: "5",
	}
	u.Text = coloradoText.text(n)
	u.Names = dedupe(namesIn(u.Text))
	return u
}
