package publisher

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// Public laws and statute compilations in USLM 2.

var (
	lawInName   = regexp.MustCompile(`(\d{2,3})publ(\d+)`)
	compInName  = regexp.MustCompile(`COMPS-(\d+)`)
	statPage    = regexp.MustCompile(`\d+ Stat\. \d+`)
	lawInTitle  = regexp.MustCompile(`Public Law (\d+)[-–](\d+)`)
	sectionWord = regexp.MustCompile(`^(?i)sec(?:tion|\.)?\s*`)
)

func readPublicLaw(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	x := newXMLReader(f)
	for {
		start, _, err := x.next()
		if err != nil {
			return err
		}
		if start == nil || start.Name.Local != "pLaw" {
			continue
		}
		n, err := x.take(start)
		if err != nil {
			return err
		}
		return s.put(publicLawUnit(n, path.Base(name)))
	}
}

func publicLawUnit(n *node, file string) Unit {
	meta := n.child("meta")
	if meta == nil {
		return Unit{}
	}
	title := meta.find("title").line()
	m := lawInName.FindStringSubmatch(file)
	if m == nil {
		m = lawInTitle.FindStringSubmatch(title)
	}
	if m == nil {
		m = []string{"", meta.find("congress").line(), meta.find("docNumber").line()}
	}
	number := m[1] + "-" + m[2]
	u := Unit{
		Key: "plaw/" + number, Citation: "Pub. L. " + number, Heading: lawHeading(title), Jurisdiction: "us",
		Type: "public-law", Edition: "5", Date: firstDate(meta.find("approvedDate").line()),
	}
	u.URL, _ = cite.URL(u.Key)
	if stat := statPage.FindString(meta.line()); stat != "" {
		u.Aliases = append(u.Aliases, cite.Key(stat))
	}
	n.all("shortTitle", func(t *node) { u.Names = append(u.Names, strings.Trim(t.line(), "“”\"., ")) })
	u.Names = dedupe(u.Names)
	u.Text = uslmText.text(n)
	return u
}

// lawHeading is the long title without the number in front of it.
func lawHeading(title string) string {
	if _, rest, ok := strings.Cut(title, ": "); ok && strings.HasPrefix(title, "Public Law") {
		return rest
	}
	return title
}

func readCompilation(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	number := ""
	if m := compInName.FindStringSubmatch(path.Base(name)); m != nil {
		number = m[1]
	}
	var act, through string
	meta := func(n *node) {
		if n.name != "meta" {
			return
		}
		act = titleCase(n.find("title").line())
		through = n.find("currentThroughPublicLaw").line()
		n.all("property", func(p *node) {
			if p.attr("role") == "fileId" && number == "" {
				number = p.line()
			}
		})
	}
	return walkUSLM(f, meta, func(sec *node, path, _ []string) error {
		num := sec.child("num")
		if num == nil || number == "" {
			return nil
		}
		section := strings.Trim(cite.Section(sectionWord.ReplaceAllString(firstOf(num.attr("value"), num.line()), "")), "()")
		if section == "" {
			return nil
		}
		u := Unit{
			Key: "comps/" + number + "/" + strings.ToLower(section), Heading: act + " — " + sec.child("heading").line(),
			URL:      fmt.Sprintf("https://www.govinfo.gov/app/details/COMPS-%s#sec-%s", number, section),
			Citation: act + " § " + section, Jurisdiction: "us", Type: "statute-compilation", Edition: "5-" + through, Path: path,
		}
		u.Names = []string{act}
		u.Text = uslmText.text(withoutHeading(sec))
		u.Aliases = codePlaces(sec)
		return s.put(u)
	})
}

var uscRefHref = regexp.MustCompile(`^/us/usc/t(\d+)/s([^/]+?)(?:nt)?$`)

// codePlaces gives where in the Code a section of an act is printed.
func codePlaces(sec *node) []string {
	var keys []string
	sec.all("editorialNote", func(n *node) {
		if n.attr("role") != "uscRef" {
			return
		}
		n.all("ref", func(r *node) {
			if m := uscRefHref.FindStringSubmatch(r.attr("href")); m != nil && !strings.HasSuffix(r.attr("href"), "nt") {
				keys = append(keys, "in-code/usc/"+m[1]+"/"+strings.ToLower(cite.Section(m[2])))
			}
		})
	})
	return dedupe(keys)
}

// titleCase writes a title printed in capitals with small letters.
func titleCase(s string) string {
	if strings.ToUpper(s) != s {
		return s
	}
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words {
		words[i] = capital(w)
	}
	return strings.Join(words, " ")
}

func capital(w string) string {
	for i, r := range w {
		if r >= 'a' && r <= 'z' {
			return w[:i] + strings.ToUpper(w[i:i+1]) + w[i+1:]
		}
	}
	return w
}
