package gov

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Stats says what is in the index.
type Stats struct {
	Documents     int               // with their full text
	Listed        int               // only entries of the finding list so far
	Passages      int               // pieces of text
	Bytes         int64             // on disk
	Version       uint64            // counts commits
	Release       int64             // number of the release shared with other nodes; zero: none
	Types         map[string]int    // documents per type
	Jurisdictions map[string]int    // documents per jurisdiction
	Sources       map[string]string // archives imported, with their digests
	Fingerprint   string            // of the contents; equal for equal documents
}

// Stats counts what is in the index.
func (s *Service) Stats(ctx context.Context) (Stats, error) {
	numbers, err := s.ix.Stats()
	if err != nil {
		return Stats{}, fmt.Errorf("count government index: %w", err)
	}
	out := Stats{
		Passages: numbers.Passages, Bytes: numbers.Bytes, Version: numbers.Version,
		Types: make(map[string]int), Jurisdictions: make(map[string]int), Sources: make(map[string]string),
	}
	err = s.Each(ctx, func(d Document) error {
		if d.Listed {
			out.Listed++
		} else {
			out.Documents++
		}
		out.Types[d.Type]++
		out.Jurisdictions[d.Jurisdiction]++
		return nil
	})
	if err != nil {
		return Stats{}, fmt.Errorf("count government index: %w", err)
	}
	r, err := s.ix.Reader()
	if err != nil {
		return Stats{}, err
	}
	defer r.Close()
	r.Notes(func(name, text string) {
		if source, ok := strings.CutPrefix(name, importNote); ok {
			out.Sources[source] = text
		}
	})
	out.Release, _ = parseReleaseNote(r.Note(releaseNote))
	out.Fingerprint, err = r.Fingerprint()
	return out, err
}

// Document is a document of the index without its text.
type Document struct {
	Key          string // citation in normal form
	URL          string
	Title        string
	Citation     string
	Jurisdiction string
	Type         string
	Date         string
	Words        int  // length of the text
	Listed       bool // only an entry of the finding list so far
}

// Each calls f for every document, in no particular order.
func (s *Service) Each(ctx context.Context, f func(Document) error) error {
	r, err := s.ix.Reader()
	if err != nil {
		return err
	}
	defer r.Close()
	for h, err := range r.All() {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var m meta
		if err := json.Unmarshal(h.Meta, &m); err != nil {
			return fmt.Errorf("read meta of %s: %w", h.Key, err)
		}
		if m.URL == "" {
			continue
		}
		if err := f(m.document(h.Key, h.Words)); err != nil {
			return err
		}
	}
	return nil
}

func (m *meta) document(key string, words int) Document {
	return Document{
		Key: key, URL: m.URL, Title: m.Title, Citation: m.Citation, Jurisdiction: m.Jurisdiction, Type: m.Type,
		Date: m.Date, Words: words, Listed: m.Listed,
	}
}
