package publisher

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// United States Legislative Markup, versions 1 and 2: the Code, public laws,
// compilations, and the Federal Register and CFR in the same dress.

var uslmText = layout{
	blocks: set(`subsection paragraph subparagraph clause subclause item subitem content p continuation chapeau proviso
		heading section level tr table quotedContent article part chapter title division subtitle toc tocItem li
		amendingAction longTitle officialTitle docTitle enactingFormula action signature`),
	skip:    set(`notes note sourceCredit toc page sidenote footnote meta editorialNote`),
	numbers: set(`num`),
}

// uslmLevels are the elements that hold others under a heading.
var uslmLevels = set(`title subtitle chapter subchapter part subpart division subdivision article subarticle
	compiledAct appendix courtRules reorganizationPlans`)

var uscSection = regexp.MustCompile(`^/us/usc/t(\d+[aA]?)/(?:.*/)?s([^/]+)$`)

// hierarchy remembers the headings above the place where reading stands.
type hierarchy struct {
	depth    []int // how many elements were open where the level began
	headings []string
}

func (h *hierarchy) enter(depth int) {
	h.depth = append(h.depth, depth)
	h.headings = append(h.headings, "")
}

func (h *hierarchy) name(heading string) {
	if n := len(h.headings); n > 0 && h.headings[n-1] == "" {
		h.headings[n-1] = heading
	}
}

// leave closes the levels that began deeper than depth.
func (h *hierarchy) leave(depth int) {
	for n := len(h.depth); n > 0 && h.depth[n-1] > depth; n = len(h.depth) {
		h.depth, h.headings = h.depth[:n-1], h.headings[:n-1]
	}
}

func (h *hierarchy) path() []string {
	var out []string
	for _, s := range h.headings {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// walkUSLM goes through a document: it keeps the hierarchy, hands each section
// to f, and meta elements to meta.
func walkUSLM(r io.Reader, meta func(*node), f func(sec *node, path []string, names []string) error) error {
	x := newXMLReader(r)
	var h hierarchy
	var names []string // short titles given in notes above the next section
	for {
		start, end, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start == nil {
			if uslmLevels[end] {
				h.leave(len(x.trail))
			}
			continue
		}
		switch name := start.Name.Local; {
		case name == "meta" || name == "preface":
			n, err := x.take(start)
			if err != nil {
				return err
			}
			meta(n)
		case name == "section":
			sec, err := x.take(start)
			if err != nil {
				return err
			}
			if err := f(sec, h.path(), names); err != nil {
				return err
			}
			names = nil
		case name == "notes" || name == "note":
			n, err := x.take(start)
			if err != nil {
				return err
			}
			names = append(names, shortTitles(n)...)
		case name == "heading" && uslmLevels[parent(x.trail)]:
			n, err := x.take(start)
			if err != nil {
				return err
			}
			h.name(n.line())
		case name == "toc" || name == "quotedContent":
			if err := x.skip(); err != nil {
				return err
			}
		case uslmLevels[name]:
			h.enter(len(x.trail))
		}
	}
}

func parent(trail []string) string {
	if len(trail) < 2 {
		return ""
	}
	return trail[len(trail)-2]
}

func readUSCode(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var created, release string
	meta := func(n *node) {
		if d := n.find("created"); d != nil {
			created = firstDate(d.line())
		}
		release = n.find("docPublicationName").line()
	}
	return walkUSLM(f, meta, func(sec *node, path, names []string) error {
		m := uscSection.FindStringSubmatch(sec.attr("identifier"))
		if m == nil {
			return nil
		}
		u := uscUnit(strings.ToLower(m[1]), cite.Section(m[2]))
		u.Heading = sec.child("heading").line()
		u.Path, u.Date = path, created
		u.Edition = "2-" + created + "-" + release
		u.Names = append(names, shortTitles(sec)...)
		u.Text = uslmText.text(withoutHeading(sec))
		return s.put(u)
	})
}

// uscUnit makes a unit of the Code from title and section.
func uscUnit(title, section string) Unit {
	key := "usc/" + title + "/" + strings.ToLower(section)
	address, _ := cite.URL("usc/" + title + "/" + section)
	return Unit{
		Key: key, URL: address, Citation: fmt.Sprintf("%s U.S.C. § %s", strings.ToUpper(title), section),
		Jurisdiction: "us", Type: "statute",
	}
}

// withoutHeading leaves number and heading of a section out of its text.
func withoutHeading(sec *node) *node {
	rest := &node{name: sec.name}
	for _, k := range sec.kids {
		if k.name != "num" && k.name != "heading" {
			rest.kids = append(rest.kids, k)
		}
	}
	return rest
}

var citedAs = regexp.MustCompile(`(?:may|shall) be (?:cited|known)(?: and may be cited)? as (?:the )?[‘“"']+([^’”"]{4,160}?)[,.]?[’”"]((?: or (?:as )?(?:the )?[‘“"']+[^’”"]{2,120}?[’”"])*)`)
var orNamed = regexp.MustCompile(`[‘“"']+([^’”"]{2,120}?)[,.]?[’”"]`)

// shortTitles reads the names given in notes: "may be cited as the ‘…’".
func shortTitles(n *node) []string {
	var names []string
	n.all("note", func(note *node) {
		names = append(names, namesIn(note.line())...)
	})
	if n.name == "note" {
		names = append(names, namesIn(n.line())...)
	}
	if c := n.child("content"); n.name == "section" && c != nil {
		names = append(names, namesIn(c.line())...)
	}
	return dedupe(names)
}

func namesIn(text string) []string {
	var names []string
	for _, m := range citedAs.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
		for _, o := range orNamed.FindAllStringSubmatch(m[2], -1) {
			names = append(names, o[1])
		}
	}
	return names
}

func dedupe(list []string) []string {
	seen := make(map[string]bool)
	var out []string
	for _, s := range list {
		if s = tidy(s); s != "" && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

var dateIn = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

func firstDate(s string) string { return dateIn.FindString(s) }

// The Code as JSON lines, one section each.

func matchUSCodeLines(_, head string) bool {
	return strings.HasPrefix(head, "{") && strings.Contains(head, `"identifier": "/us/usc/`) ||
		strings.HasPrefix(head, "{") && strings.Contains(head, `"identifier":"/us/usc/`)
}

// maxLine bounds a JSON line: the longest sections have about a megabyte.
const maxLine = 32 << 20

func readUSCodeLines(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		var sec struct{ Identifier, Heading, Text, Chapter string }
		if err := json.Unmarshal(lines.Bytes(), &sec); err != nil {
			return fmt.Errorf("read line: %w", err)
		}
		m := uscSection.FindStringSubmatch(sec.Identifier)
		if m == nil {
			continue
		}
		u := uscUnit(strings.ToLower(m[1]), cite.Section(m[2]))
		u.Heading, u.Text, u.Edition = sec.Heading, sec.Text, "1"
		u.Names = dedupe(namesIn(sec.Text))
		if err := s.put(u); err != nil {
			return err
		}
	}
	return lines.Err()
}
