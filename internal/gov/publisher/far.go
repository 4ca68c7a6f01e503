package publisher

import (
	"errors"
	"io"
	"path"
	"regexp"
	"strings"
)

// The Federal Acquisition Regulation in DITA: a topic per file, named by the
// section's number.

var farNumber = regexp.MustCompile(`^\d+\.\d[\d-]*$`)

func matchDITA(name, head string) bool {
	return hasExt(name, ".dita") || strings.Contains(head, "DTD DITA")
}

var ditaText = layout{blocks: set(`p li ol ul row entry section body title table lines note`), skip: set(`prolog`)}

// readFAR reads the parts and subparts first, for the headings above sections.
func readFAR(s *source, files []string) error {
	headings := make(map[string]string)
	for _, name := range files {
		base := strings.TrimSuffix(path.Base(name), ".dita")
		kind, number, ok := strings.Cut(base, "_")
		if !ok || kind != "Part" && kind != "Subpart" {
			continue
		}
		topic, err := readTopic(s, name)
		if err := s.survive(name, err); err != nil {
			return err
		}
		if topic != nil {
			headings[number] = farHeading(topic, number)
		}
	}
	for _, name := range files {
		number := strings.TrimSuffix(path.Base(name), ".dita")
		if !farNumber.MatchString(number) {
			continue
		}
		topic, err := readTopic(s, name)
		if err == nil && topic != nil {
			err = s.put(farUnit(topic, number, headings))
		}
		if err := s.survive(name, err); err != nil {
			return err
		}
	}
	return nil
}

var topicNames = set(`concept topic reference task`)

// readTopic gives the outermost topic of a file.
func readTopic(s *source, name string) (*node, error) {
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
		if start != nil && topicNames[start.Name.Local] {
			return x.take(start)
		}
	}
}

func farUnit(topic *node, number string, headings map[string]string) Unit {
	u := Unit{
		Key: "far/" + number, URL: "https://www.acquisition.gov/far/" + number, Citation: "FAR " + number,
		Heading: farHeading(topic, number), Jurisdiction: "us", Type: "regulation", Edition: "5",
		Path: farPath(number, headings),
	}
	u.Text = ditaText.text(topic)
	return u
}

func farHeading(topic *node, number string) string {
	return afterNumber(topic.child("title").line(), number)
}

// farPath finds the part and subpart of a number: 31.205-46 stands in subpart
// 31.2 of part 31, 52.222-50 in subpart 52.2.
func farPath(number string, headings map[string]string) []string {
	part, rest, _ := strings.Cut(number, ".")
	section, _, _ := strings.Cut(rest, "-")
	path := []string{"Federal Acquisition Regulation", headings[part]}
	if len(section) > 2 {
		path = append(path, headings[part+"."+strings.TrimLeft(section[:len(section)-2], "0")])
	}
	return dedupe(path)
}
