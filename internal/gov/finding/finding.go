// Package finding is the finding list: the provisions, rules and decisions most
// asked for, with the names and the everyday words people use for them and one
// sentence, in our own words, that says what each is about.
//
// The list lives in the *.tsv files beside this one. It lets a fresh install
// answer before any full text is imported, and afterwards it is the bridge from
// lay language to the words of the law. No law text is in it.
package finding

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

//go:embed *.tsv
var files embed.FS

// Entry is one line of the list.
type Entry struct {
	Citations    []string // the first as a lawyer writes it
	Keys         []string // the same in normal form, those that can be read
	URL          string   // official address
	Heading      string   // section heading or case name
	Names        []string // popular names, acronyms, doctrines
	Words        []string // everyday words for it
	Abstract     string   // one sentence of ours
	Jurisdiction string   // "us", "us-ca", "us-ca-los-angeles"
	Type         string   // see Types
}

// Types are the kinds of entries.
var Types = map[string]bool{
	"constitution": true, "statute": true, "regulation": true, "rule": true, "opinion": true,
	"ordinance": true, "public-law": true, "guidance": true,
}

const header = "citation\turl\theading\tnames\twords\tabstract\tjurisdiction\ttype"

// Load gives the embedded list, read once. The entries are shared: do not change them.
func Load() ([]Entry, error) { return load() }

var load = sync.OnceValues(readFiles)

func readFiles() ([]Entry, error) {
	var all []Entry
	names, err := fs.Glob(files, "*.tsv")
	if err != nil {
		return nil, fmt.Errorf("list finding files: %w", err)
	}
	for _, name := range names {
		body, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read finding file: %w", err)
		}
		entries, err := Read(string(body))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		all = append(all, entries...)
	}
	return all, nil
}

// Digest changes whenever the list does.
func Digest() (string, error) {
	h := sha256.New()
	names, err := fs.Glob(files, "*.tsv")
	if err != nil {
		return "", fmt.Errorf("list finding files: %w", err)
	}
	for _, name := range names {
		body, err := files.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("read finding file: %w", err)
		}
		h.Write(body)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// Read reads one file of the list. The error names every line that is wrong.
func Read(body string) ([]Entry, error) {
	lines := strings.Split(strings.TrimRight(body, "\n"), "\n")
	if lines[0] != header {
		return nil, fmt.Errorf("first line is not the header %q", header)
	}
	var entries []Entry
	var wrong []string
	for i, line := range lines[1:] {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e, err := readLine(line)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("line %d: %v", i+2, err))
			continue
		}
		entries = append(entries, e)
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%s", strings.Join(wrong, "\n"))
	}
	return entries, nil
}

func readLine(line string) (Entry, error) {
	cells := strings.Split(line, "\t")
	if len(cells) != 8 {
		return Entry{}, fmt.Errorf("has %d cells, want 8", len(cells))
	}
	e := Entry{
		Citations: list(cells[0]), URL: cells[1], Heading: strings.TrimSpace(cells[2]), Names: list(cells[3]),
		Words: list(cells[4]), Abstract: strings.TrimSpace(cells[5]), Jurisdiction: cells[6], Type: cells[7],
	}
	if len(e.Citations) == 0 {
		return Entry{}, fmt.Errorf("has no citation")
	}
	for _, c := range e.Citations {
		if key := cite.Key(c); key != "" {
			e.Keys = append(e.Keys, key)
		}
	}
	if err := e.address(); err != nil {
		return Entry{}, err
	}
	return e, e.check()
}

// address completes URL and Keys: an entry no citation rule can read is known
// by its first citation in small letters.
func (e *Entry) address() error {
	if e.URL == "" {
		if len(e.Keys) == 0 {
			return fmt.Errorf("%q: no url, and the citation cannot be read", e.Citations[0])
		}
		var ok bool
		if e.URL, ok = addressOf(e.Citations[0], e.Keys[0]); !ok {
			return fmt.Errorf("%q: no url, and none follows from %s", e.Citations[0], e.Keys[0])
		}
	}
	if len(e.Keys) == 0 || cite.Key(e.Citations[0]) == "" {
		own := "list/" + strings.ToLower(strings.Join(strings.Fields(e.Citations[0]), "-"))
		e.Keys = append([]string{own}, e.Keys...)
	}
	return nil
}

// addressOf restores the capitals of a section number in the address: keys have
// small letters only, the Code prints "25D".
func addressOf(citation, key string) (string, bool) {
	address, ok := cite.URL(key)
	parts := strings.Split(key, "/")
	section := parts[len(parts)-1]
	plain := cite.Dashes(citation)
	if i := strings.Index(strings.ToLower(plain), section); i >= 0 && section != "" {
		address = strings.Replace(address, section, plain[i:i+len(section)], 1)
	}
	return address, ok
}

func list(cell string) []string {
	var items []string
	for _, item := range strings.Split(cell, " | ") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

var jurisdiction = regexp.MustCompile(`^us(-[a-z]{2}(-[a-z0-9]+)*)?$`)

func (e *Entry) check() error {
	name := e.Citations[0]
	n := len([]rune(e.Abstract))
	switch {
	case e.Heading == "":
		return fmt.Errorf("%q: no heading", name)
	case !strings.HasPrefix(e.URL, "https://"):
		return fmt.Errorf("%q: url is not https", name)
	case n < 60 || n > 320:
		return fmt.Errorf("%q: abstract has %d characters, want 60 to 320", name, n)
	case !strings.HasSuffix(e.Abstract, "."):
		return fmt.Errorf("%q: abstract does not end with a full stop", name)
	case !jurisdiction.MatchString(e.Jurisdiction):
		return fmt.Errorf("%q: jurisdiction %q", name, e.Jurisdiction)
	case !Types[e.Type]:
		return fmt.Errorf("%q: type %q", name, e.Type)
	}
	return nil
}
