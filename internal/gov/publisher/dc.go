package publisher

import (
	"errors"
	"io"
	"path"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// The D.C. Council's library: a file per code section, an index per title that
// includes them under its headings, and a file per act.

func matchDC(_, head string) bool {
	return strings.Contains(head, "schemas/dc-library")
}

var dcText = layout{blocks: set(`para text section container p row tr li table content aftertext`), skip: set(`annotations annotation meta`), numbers: set(`num`)}

func readDC(s *source, files []string) error {
	above := make(map[string][]string) // section file → headings
	for _, name := range files {
		root, err := readXMLRoot(s, name)
		if err := s.survive(name, err); err != nil {
			return err
		}
		if root != nil && root.name == "container" {
			dcHeadings(root, path.Dir(name), nil, above)
		}
	}
	for _, name := range files {
		root, err := readXMLRoot(s, name)
		if err == nil && root != nil {
			err = s.put(dcUnit(root, above[name]))
		}
		if err := s.survive(name, err); err != nil {
			return err
		}
	}
	return nil
}

func readXMLRoot(s *source, name string) (*node, error) {
	f, err := s.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x := newXMLReader(f)
	for {
		start, _, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if start != nil {
			return x.take(start)
		}
	}
}

// dcHeadings walks a title's index and notes the headings above each file.
func dcHeadings(n *node, dir string, above []string, out map[string][]string) {
	if h := n.child("heading").line(); h != "" {
		above = append(append([]string(nil), above...), h)
	}
	for _, k := range n.kids {
		switch k.name {
		case "container":
			dcHeadings(k, dir, above, out)
		case "include":
			out[path.Join(dir, k.attr("href"))] = above
		}
	}
}

func dcUnit(root *node, above []string) Unit {
	num := cite.Section(root.child("num").line())
	if num == "" {
		return Unit{}
	}
	switch root.name {
	case "section":
		u := Unit{
			Key: "dc/" + strings.ToLower(num), URL: "https://code.dccouncil.gov/us/dc/council/code/sections/" + num,
			Citation: "D.C. Code § " + num, Heading: root.child("heading").line(), Path: above,
			Jurisdiction: "us-dc", Type: "statute", Edition: "5",
		}
		u.Text = dcText.text(withoutHeading(root))
		u.Names = dedupe(namesIn(root.line()))
		return u
	case "document":
		return dcAct(root, num)
	}
	return Unit{}
}

func dcAct(root *node, num string) Unit {
	u := Unit{
		Key: "dc-law/" + num, URL: "https://code.dccouncil.gov/us/dc/council/laws/" + num, Citation: "D.C. Law " + num,
		Jurisdiction: "us-dc", Type: "session-law", Edition: "5",
	}
	long := ""
	for _, k := range root.kids {
		if k.name == "heading" && k.attr("type") == "short" {
			u.Heading = k.line()
		} else if k.name == "heading" {
			long = k.line()
		}
	}
	u.Heading = firstOf(u.Heading, long)
	u.Date = firstDate(root.find("effective").line())
	u.Text = long + "\n" + dcText.text(withoutHeading(root))
	return u
}
