package publisher

import (
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// The Code of Federal Regulations in its four dresses. An eCFR text beats an
// annual one, and the newer of two annual ones stands.

var (
	titleInName = regexp.MustCompile(`(?i)title-?(\d+)`)
	yearInName  = regexp.MustCompile(`(?i)CFR-(\d{4})-`)
	firstNumber = regexp.MustCompile(`\d+`)
)

func cfrUnit(title, section string) Unit {
	section = cite.Section(section)
	key := "cfr/" + title + "/" + strings.ToLower(section)
	address, _ := cite.URL("cfr/" + title + "/" + section)
	return Unit{
		Key: key, URL: address, Citation: fmt.Sprintf("%s CFR § %s", title, section), Jurisdiction: "us", Type: "regulation",
	}
}

var oneSection = regexp.MustCompile(`^\d+[a-z]?\.[0-9A-Za-z.()-]+$`)

func matchECFR(_, head string) bool {
	return strings.Contains(head, "<ECFR") || strings.Contains(head, "<DLPSTEXTCLASS") ||
		strings.Contains(head, "<DIV5 ") || strings.Contains(head, "<DIV1 ") || strings.Contains(head, "<DIV8 ")
}

var ecfrText = layout{blocks: set(`P HD1 HD2 HD3 HEAD FP FP-1 FP-2 TR LI DIV EXTRACT PSPACE GPOTABLE ROW`), skip: set(`CITA SECAUTH HEAD EDNOTE PRTPAGE`)}

func readECFR(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	title := ""
	if m := titleInName.FindStringSubmatch(path.Base(name)); m != nil {
		title = m[1]
	}
	x := newXMLReader(f)
	var h hierarchy
	for {
		start, end, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start == nil {
			if strings.HasPrefix(end, "DIV") {
				h.leave(len(x.trail))
			}
			continue
		}
		switch el := start.Name.Local; {
		case el == "DIV8":
			n, err := x.take(start)
			if err != nil {
				return err
			}
			if err := s.put(ecfrUnit(n, title, h.path())); err != nil {
				return err
			}
		case el == "HEAD" && strings.HasPrefix(parent(x.trail), "DIV"):
			n, err := x.take(start)
			if err != nil {
				return err
			}
			h.name(n.line())
		case el == "DIV9":
			if err := x.skip(); err != nil {
				return err
			}
		case strings.HasPrefix(el, "DIV"):
			h.enter(len(x.trail))
			if el == "DIV1" {
				title = xmlAttr(start.Attr, "N")
			}
		}
	}
}

func ecfrUnit(n *node, title string, path []string) Unit {
	number := cite.Section(n.attr("N"))
	head := n.child("HEAD").line()
	if title == "" || !oneSection.MatchString(number) {
		return Unit{}
	}
	u := cfrUnit(title, number)
	u.Heading = afterNumber(head, number)
	u.Path, u.Edition = path, "9-ecfr"
	u.Text = ecfrText.text(n)
	return u
}

// afterNumber gives what follows the section number in a printed heading.
func afterNumber(head, number string) string {
	plain := cite.Dashes(head)
	if i := strings.Index(plain, number); i >= 0 {
		plain = plain[i+len(number):]
	}
	return strings.TrimSpace(strings.TrimLeft(plain, " .§:-"))
}

func matchAnnualCFR(name, head string) bool {
	return matchRoot("CFRGRANULE")(name, head) || matchRoot("CFRDOC")(name, head)
}

var annualText = layout{
	blocks: set(`P HD FP GPOTABLE ROW NOTE EXTRACT LI FTNT`),
	skip:   set(`SECTNO SUBJECT CITA PRTPAGE EAR`),
}

func readAnnualCFR(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	title := ""
	if m := titleInName.FindStringSubmatch(path.Base(name)); m != nil {
		title = m[1]
	}
	edition := "5-annual"
	if m := yearInName.FindStringSubmatch(path.Base(name)); m != nil {
		edition += "-" + m[1]
	}
	x := newXMLReader(f)
	var above cfrAbove
	for {
		start, _, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start == nil {
			continue
		}
		switch start.Name.Local {
		case "CFRTITLE", "CFRTITLETEXT", "HD", "RESERVED":
			n, err := x.take(start)
			if err != nil {
				return err
			}
			if start.Name.Local == "CFRTITLE" {
				title = firstOf(firstNumber.FindString(n.line()), title)
			}
			above.note(parentAfterTake(x.trail), n.line())
		case "CONTENTS", "APPENDIX", "FAIDS", "TOC":
			if err := x.skip(); err != nil {
				return err
			}
		case "SECTION":
			n, err := x.take(start)
			if err != nil {
				return err
			}
			if err := s.put(annualUnit(n, title, edition, above.path())); err != nil {
				return err
			}
		}
	}
}

// parentAfterTake is the element around one that was just taken whole.
func parentAfterTake(trail []string) string {
	if len(trail) == 0 {
		return ""
	}
	return trail[len(trail)-1]
}

// cfrAbove keeps the headings in force above a section of an annual volume,
// where levels are known by the element a heading stands in.
type cfrAbove struct{ chapter, subchapter, part, subpart string }

func (a *cfrAbove) note(element, heading string) {
	switch element {
	case "CHAPTER":
		*a = cfrAbove{chapter: heading}
	case "SUBCHAP":
		*a = cfrAbove{chapter: a.chapter, subchapter: heading}
	case "PART":
		*a = cfrAbove{chapter: a.chapter, subchapter: a.subchapter, part: heading}
	case "SUBPART", "SUBJGRP":
		a.subpart = heading
	}
}

func (a *cfrAbove) path() []string {
	return dedupe([]string{a.chapter, a.subchapter, a.part, a.subpart})
}

func annualUnit(n *node, title, edition string, path []string) Unit {
	number := cite.Section(n.child("SECTNO").line())
	if title == "" || !oneSection.MatchString(number) {
		return Unit{}
	}
	u := cfrUnit(title, number)
	u.Heading = n.child("SUBJECT").line()
	u.Path, u.Edition = path, edition
	u.Text = annualText.text(n)
	return u
}

func readUSLMCFR(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	title, edition := "", "5-annual"
	meta := func(n *node) {
		if n.name != "meta" {
			return
		}
		title = n.find("docNumber").line()
		if d := firstDate(n.find("docReleasePoint").line()); d != "" {
			edition += "-" + d[:4]
		}
	}
	return walkUSLM(f, meta, func(sec *node, path, _ []string) error {
		num := sec.child("num")
		if num == nil || title == "" {
			return nil
		}
		number := sectionOrRange(firstOf(num.line(), num.attr("value")))
		if !oneSection.MatchString(number) {
			return nil
		}
		u := cfrUnit(title, number)
		u.Heading = sec.child("heading").line()
		u.Path, u.Edition = path, edition
		u.Text = uslmText.text(withoutHeading(sec))
		return s.put(u)
	})
}

var sectionRange = regexp.MustCompile(`^(\d+[a-z]?\.\d+[a-z]?)(?:-|through|,)\d+[a-z]?\.\d`)

// sectionOrRange reads a section number; of a range of reserved sections it
// takes the first.
func sectionOrRange(printed string) string {
	number := cite.Section(strings.Replace(printed, " through ", "through", 1))
	if m := sectionRange.FindStringSubmatch(number); m != nil {
		return m[1]
	}
	return number
}
