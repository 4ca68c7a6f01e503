package gov

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
	"github.com/trawlhq/trawl/internal/gov/publisher"
	"github.com/trawlhq/trawl/internal/index"
)

// meta is what the index stores of a document beside its text.
type meta struct {
	URL          string `json:"u"`
	Title        string `json:"t"`
	Citation     string `json:"c,omitempty"`
	Jurisdiction string `json:"j"`
	Type         string `json:"k"`
	Date         string `json:"d,omitempty"`
	Listed       bool   `json:"l,omitempty"` // only an entry of the finding list so far
}

// Labels of documents in the index.
func jurisdictionLabel(j string) string { return "j:" + j }
func typeLabel(t string) string         { return "t:" + t }
func citesLabel(key string) string      { return "r:" + key } // the document cites key
func nameLabel(name string) string      { return "n:" + name }

// toDoc makes an index document of a unit.
func toDoc(u *publisher.Unit) (*index.Doc, error) {
	m, err := json.Marshal(meta{
		URL: u.URL, Title: u.Title(), Citation: u.Citation, Jurisdiction: u.Jurisdiction, Type: u.Type, Date: u.Date,
	})
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", u.Key, err)
	}
	d := &index.Doc{Key: u.Key, Version: "1/" + u.Edition, Meta: m, Fields: make([]string, fieldCount)}
	d.Fields[fieldHeading] = u.Heading
	d.Fields[fieldNames] = strings.Join(u.Names, "\n")
	d.Fields[fieldPath] = strings.Join(u.Path, "\n")
	d.Fields[fieldCitation] = u.Citation
	for _, text := range cutPassages(u.Text) {
		d.Passages = append(d.Passages, index.Passage{Text: text})
	}
	cites := cite.Find(u.Text)
	d.Labels = labels(u, cites)
	if talksAboutOthers[u.Type] {
		d.Passages = append(d.Passages, aboutOthers(u, cites)...)
	}
	return d, nil
}

func labels(u *publisher.Unit, cites []cite.Cite) []string {
	out := []string{typeLabel(u.Type)}
	for j := u.Jurisdiction; j != ""; {
		out = append(out, jurisdictionLabel(j))
		i := strings.LastIndexByte(j, '-')
		if i < 0 {
			break
		}
		j = j[:i]
		if j == "us" {
			break // "us" stands for federal law, not for everything in the country
		}
	}
	for _, alias := range u.Aliases {
		if alias != "" {
			out = append(out, index.AliasLabel(alias))
		}
	}
	for _, c := range cites {
		if c.Key != u.Key {
			out = append(out, citesLabel(c.Key))
		}
	}
	for _, name := range u.Names {
		out = append(out, nameLabels(name)...)
	}
	if knownByHeading(u) {
		out = append(out, nameLabels(u.Heading)...)
	}
	for _, key := range actKeys(u) {
		out = append(out, index.AliasLabel(key))
	}
	return out
}

// knownByHeading says whether people ask for a document by its heading: cases
// by their names, notices and guidance by their titles. Headings of sections
// are too common for that, as are titles of one or two words.
func knownByHeading(u *publisher.Unit) bool {
	switch u.Type {
	case "opinion":
		return true
	case "agency-guidance", "agency-publication", "federal-register", "session-law", "public-law":
		return len(nameWords(u.Heading)) > 2
	}
	return false
}

// nameLabels are the labels under which a name is found: as it is, and without
// the year many act names end in.
func nameLabels(name string) []string {
	words := nameWords(name)
	if len(words) == 0 || len(words) > maxNameWords {
		return nil
	}
	out := []string{nameLabel(strings.Join(words, " "))}
	if n := len(words); n > 2 && isYear(words[n-1]) {
		out = append(out, nameLabel(strings.Join(words[:n-1], " ")))
	}
	return out
}

// maxNameWords is the longest name looked for in a query.
const maxNameWords = 12

// nameWords brings a name to the form in which names are compared: small
// letters, no punctuation, none of the words people leave out.
func nameWords(name string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(cite.Dashes(name)), func(r rune) bool {
		return r == ' ' || r == ',' || r == '-' || r == '"' || r == '“' || r == '”' || r == '(' || r == ')' || r == '/' || r == ':' || r == ';' || r == '?' || r == '!'
	}) {
		w = strings.TrimSuffix(strings.Trim(w, "'’‘"), "'s")
		w = strings.ReplaceAll(w, ".", "")
		if w == "vs" {
			w = "v"
		}
		if w == "" || w == "the" || w == "of" || w == "and" || w == "a" || w == "for" || w == "in" || w == "to" {
			continue
		}
		out = append(out, w)
	}
	return out
}

func isYear(s string) bool {
	return len(s) == 4 && (s[:2] == "18" || s[:2] == "19" || s[:2] == "20") && s[2] >= '0' && s[2] <= '9' && s[3] >= '0' && s[3] <= '9'
}
