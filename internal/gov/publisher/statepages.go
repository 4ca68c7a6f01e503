package publisher

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// Legislatures that serve a page of HTML per section: Hawaii, Kansas and Rhode
// Island. The address of a page follows from its file name and what it links to.

func readPage(s *source, name string) (*html.Node, error) {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return nil, err
	}
	root, err := html.Parse(strings.NewReader(toUTF8(body)))
	if err != nil {
		return nil, fmt.Errorf("read page: %w", err)
	}
	return root, nil
}

var hawaiiFile = regexp.MustCompile(`HRS_(\d{4})([A-Z]?)-(\d{4}[A-Z]?(?:[_-]\d{4})*)\.htm$`)

func matchHawaii(name, _ string) bool { return hawaiiFile.MatchString(name) }

var (
	hawaiiVolume  = regexp.MustCompile(`Vol\d+_Ch[0-9A-Z]+-[0-9A-Z]+`)
	hawaiiSection = regexp.MustCompile(`§+ ?(\d+[A-Z]?(?::\d+[A-Z]?)?-[\dA-Z]+(?:\.\d+)?)\]?`)
)

func readHawaii(s *source, name string) error {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return err
	}
	page := toUTF8(body)
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return fmt.Errorf("read page: %w", err)
	}
	content := findHTML(root, func(n *html.Node) bool { return strings.HasPrefix(htmlAttr(n, "class"), "WordSection") })
	if content == nil {
		content = root
	}
	text := nodeText(content)
	m := hawaiiFile.FindStringSubmatch(name)
	number := hawaiiNumber(text, m)
	volume := firstOf(hawaiiVolume.FindString(page), hawaiiVolumeOf(m[1]))
	u := Unit{
		Key: "hrs/" + strings.ToLower(number), Citation: "Haw. Rev. Stat. § " + number, Jurisdiction: "us-hi", Type: "statute", Edition: "5",
		URL:  fmt.Sprintf("https://www.capitol.hawaii.gov/hrscurrent/%s/HRS%s%s/%s", volume, m[1], m[2], path.Base(name)),
		Path: []string{"Hawaii Revised Statutes"}, Text: text,
	}
	if bold := findHTML(content, isElement(atom.B)); bold != nil {
		u.Heading = strings.Trim(afterNumber(tidy(strings.ReplaceAll(nodeText(bold), "\n", " ")), number), " ].")
	}
	return s.put(u)
}

// hawaiiNumber takes the section number from the page, or from its file name:
// HRS_0235-0055_0008_0005.htm is 235-55.85.
func hawaiiNumber(text string, file []string) string {
	chapter := strings.TrimLeft(file[1], "0") + file[2]
	parts := strings.Split(file[3], "_")
	number := chapter + "-" + firstOf(strings.TrimLeft(parts[0], "0"), "0")
	for i, p := range parts[1:] {
		if i == 0 {
			number += "."
		}
		number += firstOf(strings.TrimLeft(p, "0"), "0")
	}
	if m := hawaiiSection.FindStringSubmatch(text[:min(len(text), 200)]); m != nil && strings.HasPrefix(m[1], chapter) {
		return m[1]
	}
	return number
}

// hawaiiVolumes are the chapters at which the fourteen volumes begin.
var hawaiiVolumes = []struct{ first, name string }{
	{"0001", "Vol01_Ch0001-0042F"}, {"0046", "Vol02_Ch0046-0115"}, {"0121", "Vol03_Ch0121-0200D"}, {"0201", "Vol04_Ch0201-0257"},
	{"0261", "Vol05_Ch0261-0319"}, {"0321", "Vol06_Ch0321-0344"}, {"0346", "Vol07_Ch0346-0398"}, {"0401", "Vol08_Ch0401-0429"},
	{"0431", "Vol09_Ch0431-0435H"}, {"0436", "Vol10_Ch0436-0474"}, {"0476", "Vol11_Ch0476-0490"}, {"0501", "Vol12_Ch0501-0588"},
	{"0601", "Vol13_Ch0601-0676"}, {"0701", "Vol14_Ch0701-0853"},
}

func hawaiiVolumeOf(chapter string) string {
	name := ""
	for _, v := range hawaiiVolumes {
		if v.first <= chapter {
			name = v.name
		}
	}
	return name
}

var kansasFile = regexp.MustCompile(`^(\d{3})_\d{3}[a-z]?_\d{4}[a-z]*\.html$`)

func matchKansas(name, head string) bool {
	return kansasFile.MatchString(path.Base(name)) && strings.Contains(head, "ksa")
}

func readKansas(s *source, name string) error {
	root, err := readPage(s, name)
	if err != nil {
		return err
	}
	byClass := func(class string) *html.Node {
		return findHTML(root, func(n *html.Node) bool { return htmlAttr(n, "class") == class })
	}
	mark := byClass("stat_number")
	body := findHTML(root, func(n *html.Node) bool { return htmlAttr(n, "id") == "print" })
	if mark == nil || body == nil {
		return fmt.Errorf("no statute in the page")
	}
	number := cite.Section(nodeText(mark))
	file := path.Base(name)
	chapter := strings.TrimLeft(kansasFile.FindStringSubmatch(file)[1], "0")
	u := Unit{
		Key: "ksa/" + strings.ToLower(number), Citation: "K.S.A. " + number, Jurisdiction: "us-ks", Type: "statute", Edition: "5",
		URL:  fmt.Sprintf("https://www.ksrevisor.gov/statutes/chapters/ch%s/%s", chapter, file),
		Path: []string{"Kansas Statutes Annotated"}, Text: nodeText(body),
	}
	if caption := byClass("stat_caption"); caption != nil {
		u.Heading = strings.Trim(tidy(nodeText(caption)), " .")
	}
	return s.put(u)
}

var (
	rhodeIslandMark = regexp.MustCompile(`R\.I\. Gen\. Laws §\s*([0-9A-Za-z.-]+)`)
	rhodeIslandFile = regexp.MustCompile(`^(\d+[A-Z]?(?:\.\d+)?)-(\d+(?:\.\d+)?)-[\dA-Z.]+\.html?$`)
	rhodeIslandPart = regexp.MustCompile(`^\d+[A-Z]?-[IVXLA-Z]+$`)
)

func matchRhodeIsland(name, head string) bool {
	return rhodeIslandFile.MatchString(path.Base(name)) && strings.Contains(head, "lexisnexis")
}

func readRhodeIsland(s *source, name string) error {
	root, err := readPage(s, name)
	if err != nil {
		return err
	}
	text := nodeText(root)
	m := rhodeIslandMark.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("no section mark in the page")
	}
	number := cite.Section(m[1])
	file := rhodeIslandFile.FindStringSubmatch(path.Base(name))
	address := fmt.Sprintf("https://webserver.rilegislature.gov/Statutes/TITLE%s/%s-%s/", file[1], file[1], file[2])
	if dir := path.Base(path.Dir(name)); rhodeIslandPart.MatchString(dir) {
		address += dir + "/"
	}
	above, rest, _ := strings.Cut(text, m[0])
	u := Unit{
		Key: "rigl/" + strings.ToLower(number), Citation: "R.I. Gen. Laws § " + number, Jurisdiction: "us-ri", Type: "statute", Edition: "5",
		URL: address + path.Base(name), Path: append([]string{"Rhode Island General Laws"}, strings.Split(strings.TrimSpace(above), "\n")...), Text: rest,
	}
	first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	u.Heading = strings.TrimSuffix(afterNumber(first, number), ".")
	return s.put(u)
}
