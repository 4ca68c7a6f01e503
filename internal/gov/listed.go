package gov

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/finding"
	"github.com/trawlhq/trawl/internal/index"
)

// findingNote remembers which finding list is in the index.
const findingNote = "finding"

// listVersion is part of what is remembered: it changes when entries become
// documents in another way.
const listVersion = "3"

// listLabel marks the documents made from the list, and their version is below
// that of every full text.
const (
	listLabel     = "finding-list"
	listedVersion = "0"
)

// findingList is the list with a digest that changes whenever it does.
type findingList struct {
	entries []finding.Entry
	digest  string
}

func embeddedList() (*findingList, error) {
	entries, err := finding.Load()
	if err != nil {
		return nil, fmt.Errorf("load finding list: %w", err)
	}
	digest, err := finding.Digest()
	if err != nil {
		return nil, fmt.Errorf("load finding list: %w", err)
	}
	return &findingList{entries: entries, digest: digest}, nil
}

// plantFindingList puts the finding list into the index, unless it is there.
// An entry becomes two documents. One stands for the provision itself under its
// own key and gives way to the full text when that is imported. The other is
// never found by itself: its passages speak about the provision, so names,
// everyday words and abstract go on counting for the full text.
func (s *Service) plantFindingList(ctx context.Context) error {
	digest := listVersion + "-" + s.list.digest
	r, err := s.ix.Reader()
	if err != nil {
		return err
	}
	current := r.Note(findingNote)
	r.Close()
	if current == digest {
		return nil
	}
	w, err := s.ix.Writer()
	if errors.Is(err, index.ErrLocked) {
		return nil // whoever writes has planted the list before anything else
	}
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }() // committed by then, or given up
	if err := s.uproot(w); err != nil {
		return err
	}
	for i := range s.list.entries {
		if err := s.plant(ctx, w, &s.list.entries[i]); err != nil {
			return err
		}
	}
	w.SetNote(findingNote, digest)
	if err := w.Commit(); err != nil {
		return err
	}
	numbers, err := s.ix.Stats()
	if err != nil || numbers.Segments < manySegments {
		return err
	}
	return w.Compact(ctx)
}

// manySegments is how many segments new versions of the list may leave behind
// before the index is rewritten as one.
const manySegments = 6

// uproot removes the documents of the list planted before.
func (s *Service) uproot(w *index.Writer) error {
	r, err := s.ix.Reader()
	if err != nil {
		return err
	}
	defer r.Close()
	old, err := r.Labeled(listLabel, r.Docs())
	if err != nil {
		return err
	}
	for _, h := range old {
		if err := w.Delete(h.Key); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) plant(ctx context.Context, w *index.Writer, e *finding.Entry) error {
	itself, about := entryDocs(e)
	if _, err := w.Add(ctx, about); err != nil {
		return err
	}
	known, err := s.knownInFull(e.Keys[1:])
	if err != nil || known {
		return err // under another of its citations; it bears the others as aliases
	}
	_, err = w.Add(ctx, itself)
	return err
}

// knownInFull says whether the text behind one of the keys is in the index.
func (s *Service) knownInFull(keys []string) (bool, error) {
	r, err := s.ix.Reader()
	if err != nil {
		return false, err
	}
	defer r.Close()
	for _, key := range keys {
		if _, ok, err := r.ByKey(key); err != nil || ok {
			return ok, err
		}
	}
	return false, nil
}

// entryDocs makes the two documents of an entry.
func entryDocs(e *finding.Entry) (itself, about *index.Doc) {
	m, err := json.Marshal(meta{
		URL: e.URL, Title: entryTitle(e), Citation: e.Citations[0], Jurisdiction: e.Jurisdiction, Type: e.Type, Listed: true,
	})
	if err != nil { // strings always encode
		m = []byte("{}")
	}
	key := e.Keys[0]
	itself = &index.Doc{
		Key: key, Version: listedVersion, Meta: m, Labels: entryLabels(e), Fields: make([]string, fieldCount),
		Passages: []index.Passage{{Text: e.Abstract}},
	}
	itself.Fields[fieldHeading] = e.Heading
	itself.Fields[fieldNames] = strings.Join(e.Names, "\n")
	itself.Fields[fieldCitation] = strings.Join(e.Citations, "\n")

	about = &index.Doc{Key: "about/" + key, Version: listedVersion, Meta: []byte("{}"), Labels: []string{listLabel}}
	for _, text := range entryPassages(e) {
		about.Passages = append(about.Passages, index.Passage{Text: text, About: key})
	}
	return itself, about
}

func entryPassages(e *finding.Entry) []string {
	out := []string{e.Heading + ". " + e.Abstract}
	if len(e.Names) > 0 {
		out = append(out, strings.Join(e.Names, ". "))
	}
	if len(e.Words) > 0 {
		out = append(out, strings.Join(e.Words, ". "))
	}
	return out
}

func entryTitle(e *finding.Entry) string {
	if e.Type == "opinion" {
		return e.Heading + ", " + e.Citations[0]
	}
	return e.Citations[0] + " " + e.Heading
}

func entryLabels(e *finding.Entry) []string {
	out := []string{listLabel, typeLabel(e.Type), jurisdictionLabel(e.Jurisdiction)}
	for _, alias := range e.Keys[1:] {
		out = append(out, index.AliasLabel(alias))
	}
	if parts := strings.SplitN(e.Jurisdiction, "-", 3); len(parts) == 3 {
		out = append(out, jurisdictionLabel(fmt.Sprintf("%s-%s", parts[0], parts[1])))
	}
	return out
}
