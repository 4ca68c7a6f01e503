package sitemap

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// readXML reads sets, indexes and feeds, also mixed in one file.
func readXML(from io.Reader, each func(Entry) error) error {
	d := xml.NewDecoder(from)
	d.Strict = false // stray ampersands and attributes without quotes are common
	d.Entity = xml.HTMLEntity
	d.CharsetReader = toUTF8
	r := xmlReader{each: each}
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return r.end()
		}
		if err != nil {
			return fmt.Errorf("read sitemap: %w", err)
		}
		if err := r.take(token); err != nil {
			return err
		}
	}
}

// xmlReader keeps the way from the root to the current element and the text in it.
type xmlReader struct {
	each  func(Entry) error
	known bool // an element of a sitemap or feed was seen
	path  []string
	text  strings.Builder
}

// maxDepth is far below what any sitemap needs; deeper files are not read further.
const maxDepth = 64

func (r *xmlReader) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return r.open(t)
	case xml.EndElement:
		return r.close(qualified(t.Name))
	case xml.CharData:
		if r.wanted() {
			r.text.Write(t)
		}
	}
	return nil
}

func (r *xmlReader) open(t xml.StartElement) error {
	name := qualified(t.Name)
	switch name {
	case "html", "body":
		return ErrNotSitemap
	case "urlset", "sitemapindex", "rss", "feed", "rdf:rdf", "channel":
		r.known = true
	}
	if len(r.path) == maxDepth {
		return ErrNotSitemap
	}
	r.path = append(r.path, name)
	r.text.Reset()
	if name == "link" && r.parent() == "entry" {
		return r.atomLink(t.Attr)
	}
	return nil
}

func (r *xmlReader) close(name string) error {
	var err error
	if r.wanted() && r.path[len(r.path)-1] == name {
		err = r.emit()
	}
	// An end tag without its start, or a start without its end: go back as far as
	// the name is known, and ignore it otherwise.
	for i := len(r.path) - 1; i >= 0; i-- {
		if r.path[i] == name {
			r.path = r.path[:i]
			break
		}
	}
	return err
}

// wanted says whether the text of the current element is an address.
func (r *xmlReader) wanted() bool {
	if len(r.path) == 0 {
		return false
	}
	switch r.path[len(r.path)-1] {
	case "loc":
		return r.parent() == "url" || r.parent() == "sitemap"
	case "link":
		return r.parent() == "item"
	}
	return false
}

func (r *xmlReader) emit() error {
	loc := strings.TrimSpace(r.text.String())
	r.text.Reset()
	if loc == "" {
		return nil
	}
	r.known = true
	kind := Page
	switch r.parent() {
	case "sitemap":
		kind = File
	case "item":
		kind = FeedItem
	}
	return r.each(Entry{kind, loc})
}

// atomLink reads the address of an entry, which Atom keeps in an attribute. Links
// to other things than the entry (its source file, comments, media) do not count.
func (r *xmlReader) atomLink(attrs []xml.Attr) error {
	rel, href := "alternate", ""
	for _, a := range attrs {
		switch a.Name.Local {
		case "rel":
			rel = a.Value
		case "href":
			href = strings.TrimSpace(a.Value)
		}
	}
	if rel != "alternate" || href == "" {
		return nil
	}
	return r.each(Entry{FeedItem, href})
}

func (r *xmlReader) parent() string {
	if len(r.path) < 2 {
		return ""
	}
	return r.path[len(r.path)-2]
}

func (r *xmlReader) end() error {
	if !r.known {
		return ErrNotSitemap
	}
	return nil
}

// qualified is the name with its prefix, so that image:loc is no loc. Prefixes that
// some writers give to the sitemap's own elements are dropped.
func qualified(n xml.Name) string {
	local := strings.ToLower(n.Local)
	switch strings.ToLower(n.Space) {
	case "", "sm", "sitemap", "ns0", "ns1", "atom":
		return local
	}
	return strings.ToLower(n.Space) + ":" + local
}

// toUTF8 obeys the encoding a file declares. UTF-16 was undone before the
// declaration could be read.
func toUTF8(label string, from io.Reader) (io.Reader, error) {
	if strings.HasPrefix(strings.ToLower(label), "utf-16") {
		return from, nil
	}
	decoded, err := charset.NewReaderLabel(label, from)
	if err != nil { // a name nobody knows: the addresses are ASCII anyway
		return from, nil
	}
	return decoded, nil
}

// utf8FromBOM obeys a byte order mark and takes it away.
func utf8FromBOM(from io.Reader) io.Reader {
	return transform.NewReader(from, unicode.BOMOverride(transform.Nop))
}
