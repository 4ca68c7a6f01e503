package publisher

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// Agency material: catalogues of controls in OSCAL, pages listed in a
// sources.tsv beside them, and any folder with a manifest.

func matchOSCAL(_, head string) bool {
	return strings.Contains(head, "csrc.nist.gov/ns/oscal") && strings.Contains(head, "<catalog")
}

var oscalText = layout{blocks: set(`p part li`), skip: set(`title param prop link`)}

func readOSCAL(s *source, name string) error {
	root, err := readXMLRoot(s, name)
	if err != nil || root == nil {
		return err
	}
	version := root.find("version").line()
	var failed error
	root.all("group", func(group *node) {
		group.all("control", func(c *node) {
			if failed == nil {
				failed = s.put(controlUnit(c, group.child("title").line(), version))
			}
		})
	})
	return failed
}

// catalogVersion is the address the institute gives the catalogue of release 5.
const catalogVersion = "SP_800_53_5_1_1"

func controlUnit(c *node, family, version string) Unit {
	id := strings.ToUpper(c.attr("id"))
	u := Unit{
		Key: "nist80053/" + id, Citation: "NIST SP 800-53 " + id, Heading: c.child("title").line(), Jurisdiction: "us",
		Type: "agency-publication", Edition: "5-" + version, Path: []string{"Security and Privacy Controls", family},
		URL: "https://csrc.nist.gov/projects/cprt/catalog#/cprt/framework/version/" + catalogVersion + "/home?element=" + id,
	}
	if base, n, ok := strings.Cut(id, "."); ok {
		u.Aliases = []string{"nist80053/" + base + "(" + n + ")"}
	}
	own := &node{name: "control"}
	for _, k := range c.kids {
		if k.name != "control" {
			own.kids = append(own.kids, fillParameters(k, c))
		}
	}
	u.Text = oscalText.text(own)
	return u
}

// fillParameters replaces a place-holder by the label of what the organization
// is to define there.
func fillParameters(n, control *node) *node {
	if n.name == "insert" {
		label := ""
		control.all("param", func(p *node) {
			if p.attr("id") == n.attr("id-ref") || p.attr("id") == n.attr("param-id") {
				label = p.find("label").line()
			}
		})
		return &node{text: "[" + firstOf(label, "organization-defined") + "]"}
	}
	if n.name == "" {
		return n
	}
	out := &node{name: n.name, attrs: n.attrs}
	for _, k := range n.kids {
		out.kids = append(out.kids, fillParameters(k, control))
	}
	return out
}

// listed is a page with what is known about it.
type listed struct {
	File         string `json:"file"`
	URL          string `json:"url"`
	Title        string `json:"title"`
	Citation     string `json:"citation"`
	Jurisdiction string `json:"jurisdiction"`
	Type         string `json:"type"`
	Date         string `json:"date"`
	Text         string `json:"text"`
}

func matchListing(name, _ string) bool { return path.Base(name) == "sources.tsv" }

// readListing reads the pages of a sources.tsv: file, address, title.
func readListing(s *source, files []string) error {
	for _, name := range files {
		body, err := fs.ReadFile(s.fsys, name)
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(body), "\n") {
			cells := strings.Split(strings.TrimRight(line, "\r"), "\t")
			if len(cells) < 2 || !strings.Contains(cells[1], "://") {
				continue
			}
			page := listed{File: cells[0], URL: cells[1], Jurisdiction: "us", Type: "agency-guidance"}
			if len(cells) > 2 {
				page.Title = cells[2]
			}
			err := s.putListed(path.Dir(name), page)
			if err := s.survive(path.Join(path.Dir(name), page.File), err); err != nil {
				return err
			}
		}
	}
	return nil
}

// matchManifest takes JSON lines nobody else knows. The fields may stand in any
// order, so one of them is enough to tell; a line without an address is refused
// when it is read.
func matchManifest(name, head string) bool {
	if !hasExt(name, ".jsonl") || !strings.HasPrefix(strings.TrimSpace(head), "{") {
		return false
	}
	return strings.Contains(head, `"url"`) || strings.Contains(head, `"text"`) || strings.Contains(head, `"file"`)
}

// readManifest reads JSON lines: each names a file beside it, or holds the text.
func readManifest(s *source, files []string) error {
	for _, name := range files {
		if err := s.survive(name, s.manifestLines(name)); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) manifestLines(name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var page listed
		err := json.Unmarshal(lines.Bytes(), &page)
		if err == nil {
			err = s.putListed(path.Dir(name), page)
		}
		if err := s.survive(fmt.Sprintf("%s:%d", name, n), err); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read manifest: %w", err)
	}
	return nil
}

// putListed makes a unit of a listed page.
func (s *source) putListed(dir string, page listed) error {
	if page.URL == "" {
		return fmt.Errorf("no url")
	}
	title := ""
	if page.Text == "" {
		var err error
		if page.Text, title, err = s.pageText(path.Join(dir, page.File)); err != nil {
			return err
		}
	}
	u := Unit{
		URL: page.URL, Citation: page.Citation, Heading: firstOf(page.Title, title, path.Base(page.File)), Edition: "5",
		Jurisdiction: firstOf(page.Jurisdiction, "us"), Type: firstOf(page.Type, "agency-guidance"), Date: firstDate(page.Date), Text: page.Text,
	}
	u.Key = cite.Key(page.Citation)
	if u.Key == "" {
		u.Key = "page/" + strings.TrimPrefix(strings.TrimPrefix(page.URL, "https://"), "http://")
	}
	if key := cite.Key(u.Heading); key != "" && key != u.Key {
		u.Aliases = append(u.Aliases, key)
	}
	return s.put(u)
}

// errNoPDF says that a PDF was met and nobody was given to read it.
var errNoPDF = errors.New("no reader for PDF files")

// pageText reads a page of HTML, PDF, Markdown or plain text, and its title.
func (s *source) pageText(name string) (text, title string, err error) {
	f, err := s.fsys.Open(name)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	body, err := io.ReadAll(f)
	if err != nil {
		return "", "", fmt.Errorf("read page: %w", err)
	}
	switch {
	case bytes.HasPrefix(body, []byte("%PDF")):
		if s.opts.PDF == nil {
			return "", "", errNoPDF
		}
		text, err = s.opts.PDF(s.ctx, body)
		return text, "", err
	case hasExt(name, ".html", ".htm"):
		return pageOfHTML(toUTF8(body))
	}
	return paragraphs(toUTF8(body)), "", nil
}

// pageOfHTML gives the main text of a page and its title.
func pageOfHTML(body string) (text, title string, err error) {
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		return "", "", fmt.Errorf("read page: %w", err)
	}
	if t := findHTML(root, isElement(atom.Title)); t != nil && t.FirstChild != nil {
		title = tidy(t.FirstChild.Data)
	}
	main := findHTML(root, func(n *html.Node) bool {
		return n.DataAtom == atom.Main || htmlAttr(n, "role") == "main" || htmlAttr(n, "id") == "main-content"
	})
	if main == nil || len(nodeText(main)) < 300 {
		main = root
	}
	return nodeText(main), title, nil
}
