package publisher

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// Court opinions: the Supreme Court as text files with a header, the Caselaw
// Access Project as JSON, and decisions of the veterans' board.

func matchSupremeCourt(_, head string) bool { return strings.Contains(head, "::decision_cite::") }

// readSupremeCourt joins the opinions of a decision, which lie in files of
// their own from about volume 540 on. Files are in order of their names, so
// those of one decision follow each other.
func readSupremeCourt(s *source, files []string) error {
	var held Unit
	var parts []string
	flush := func() error {
		held.Text = strings.Join(parts, "\n")
		parts = nil
		return s.put(held)
	}
	for _, name := range files {
		u, kind, err := supremeCourtFile(s, name)
		if err != nil {
			if err := s.survive(name, err); err != nil {
				return err
			}
			continue
		}
		if u.Key != held.Key {
			if err := flush(); err != nil {
				return err
			}
			held = u
		}
		if kind == "Opinion" || kind == "" { // the opinion of the court goes first
			parts = append([]string{u.Text}, parts...)
		} else {
			parts = append(parts, u.Text)
		}
	}
	return flush()
}

var (
	headerLine  = regexp.MustCompile(`(?m)^::(\w+)::[ \t]*(.*)$`)
	usCite      = regexp.MustCompile(`^(\d+) U\.? ?S\.? (\d+)`)
	docketOnly  = regexp.MustCompile(`^\d+[-A]\d+$`)
	yearOnly    = regexp.MustCompile(`^\d{4}$`)
	wordDivided = regexp.MustCompile(`(\p{L})-\s*\n\s*(\p{Ll})`)
)

func supremeCourtFile(s *source, name string) (u Unit, kind string, err error) {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return Unit{}, "", err
	}
	text := toUTF8(body)
	fields := make(map[string]string)
	end := 0
	for _, m := range headerLine.FindAllStringSubmatchIndex(text[:min(len(text), headSize)], -1) {
		fields[text[m[2]:m[3]]] = strings.TrimSpace(text[m[4]:m[5]])
		end = m[1]
	}
	citation := fields["decision_cite"]
	u = Unit{Citation: citation, Heading: fields["decision_name"], Jurisdiction: "us", Type: "opinion", Edition: "5"}
	year := fields["decision_year"]
	if yearOnly.MatchString(year) {
		u.Date = year + "-01-01"
	}
	switch m := usCite.FindStringSubmatch(citation); {
	case m != nil:
		u.Key = "us/" + m[1] + "/" + m[2]
	case docketOnly.MatchString(citation):
		u.Key = "docket/" + citation
		u.Citation = fmt.Sprintf("No. %s (%s)", citation, year)
	default:
		return Unit{}, "", fmt.Errorf("no citation in the header")
	}
	u.URL, _ = cite.URL(u.Key)
	u.Path = []string{"Supreme Court of the United States"}
	u.Text = paragraphs(text[end:])
	return u, fields["opinion_type"], nil
}

// paragraphs evens out printed text: words divided at line ends are joined,
// lines are joined until an empty one.
func paragraphs(text string) string {
	text = wordDivided.ReplaceAllString(strings.ReplaceAll(text, "\r", ""), "$1$2")
	var out, para []string
	flush := func() {
		if len(para) > 0 {
			out = append(out, strings.Join(para, " "))
			para = nil
		}
	}
	for _, line := range strings.Split(text, "\n") {
		line = tidy(line)
		if line == "" {
			flush()
			continue
		}
		para = append(para, line)
	}
	flush()
	return strings.Join(out, "\n")
}

func matchCaselaw(name, head string) bool {
	return hasExt(name, ".json") && strings.Contains(head, `"name_abbreviation"`) && strings.Contains(head, `"citations"`) &&
		!strings.HasPrefix(strings.TrimSpace(head), "[")
}

func readCaselaw(s *source, name string) error {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return err
	}
	var c struct {
		Name, NameAbbreviation string
		Short                  string `json:"name_abbreviation"`
		Date                   string `json:"decision_date"`
		Citations              []struct{ Cite, Type string }
		Court                  struct{ Name string }
		Jurisdiction           struct {
			Name string `json:"name_long"`
		}
		Casebody struct {
			HeadMatter string `json:"head_matter"`
			Opinions   []struct{ Text string }
		}
	}
	if err := json.Unmarshal(body, &c); err != nil {
		return fmt.Errorf("read case: %w", err)
	}
	if len(c.Citations) == 0 {
		return nil
	}
	official := c.Citations[0].Cite
	address, ok := caselawAddress(official, path.Base(name))
	if !ok {
		return fmt.Errorf("no reporter in %q", official)
	}
	u := Unit{
		Key: strings.ToLower(cite.Key(official)), URL: address, Citation: official, Heading: firstOf(c.Short, c.Name),
		Jurisdiction: stateJurisdiction(c.Jurisdiction.Name), Type: "opinion", Date: c.Date, Edition: "5", Path: []string{c.Court.Name},
	}
	// Several cases may begin on one page, so the file's own number is the identity.
	u.Aliases = append(u.Aliases, u.Key)
	u.Key = "cap/" + strings.TrimSuffix(strings.TrimPrefix(address, "https://static.case.law/"), ".json")
	parts := []string{c.Casebody.HeadMatter}
	for _, o := range c.Casebody.Opinions {
		parts = append(parts, o.Text)
	}
	for _, other := range c.Citations[1:] {
		u.Aliases = append(u.Aliases, cite.Key(other.Cite))
	}
	u.Text = strings.Join(parts, "\n")
	return s.put(u)
}

var reporterCite = regexp.MustCompile(`^(\d+) (.+) \d+$`)

// caselawAddress is where the static site keeps a case: reporter, volume, file.
func caselawAddress(official, file string) (string, bool) {
	m := reporterCite.FindStringSubmatch(official)
	if m == nil {
		return "", false
	}
	reporter := strings.Trim(notSlug.ReplaceAllString(strings.ToLower(m[2]), "-"), "-")
	return fmt.Sprintf("https://static.case.law/%s/%s/cases/%s", reporter, m[1], file), true
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

func matchVeterans(name, head string) bool {
	return hasExt(name, ".txt") && strings.Contains(head, "Citation Nr:")
}

var (
	bvaNumber = regexp.MustCompile(`Citation Nr: *([A-Z]?\d+)`)
	bvaDate   = regexp.MustCompile(`Decision Date: *(\d{2})/(\d{2})/(\d{2})`)
	bvaIssue  = regexp.MustCompile(`(?s)THE ISSUES?\s+(.*?)\n\s*(?:REPRESENTATION|WITNESS|ATTORNEY|INTRODUCTION|ORDER|FINDINGS)`)
)

func readVeterans(s *source, name string) error {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return err
	}
	text := toUTF8(body)
	m := bvaNumber.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("no citation number")
	}
	u := Unit{
		Key: "bva/" + strings.ToLower(m[1]), Citation: "BVA " + m[1], Jurisdiction: "us", Type: "agency-decision", Edition: "5",
		Path: []string{"Board of Veterans' Appeals"}, Text: paragraphs(text),
	}
	year := m[1][:min(2, len(m[1]))]
	if d := bvaDate.FindStringSubmatch(text); d != nil {
		u.Date = "20" + d[3] + "-" + d[1] + "-" + d[2]
	}
	// The folder number is not in the file; the archive redirects by name.
	u.URL = fmt.Sprintf("https://www.va.gov/vetapp%s/Files1/%s.txt", year, strings.ToLower(m[1]))
	if issue := bvaIssue.FindStringSubmatch(text); issue != nil {
		u.Heading = tidy(issue[1])
		if len(u.Heading) > 300 {
			u.Heading = u.Heading[:strings.LastIndexByte(u.Heading[:300], ' ')+1] + "…"
		}
	}
	return s.put(u)
}
