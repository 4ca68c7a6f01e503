// Package gov searches the law: statutes, regulations, codes, opinions and
// other publications of federal, state and local government in the United
// States.
//
// publisher reads the formats of the publishers, cite understands citations,
// finding is our own list of what people ask for most, index holds it all. This
// package joins them: Import and Sync fill the index, Search understands a
// query, ranks and cuts snippets. Everything happens in this process, and the
// same index gives the same answer every time. Where nodes share an index, an
// import publishes a release of it and the others take that up (release.go).
package gov

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/trawlhq/trawl/internal/index"
)

// Options are what a Service needs.
type Options struct {
	// Dir is the folder of the index; it is made if it is not there.
	Dir string
	// PDF reads the text of a PDF file. Nil: PDF files are passed over and
	// counted as damaged.
	PDF func(ctx context.Context, body []byte) (string, error)
	// Share lets this node and others serve the same index. Nil: it serves its own.
	Share *Sharing
	// Log is told of files that could not be read; nil: nobody.
	Log *slog.Logger

	list         *findingList  // tests: another list than the embedded one
	answerWithin time.Duration // tests: another limit than AnswerWithin
}

// Service is the government index.
type Service struct {
	dir    string
	opts   Options
	ix     *index.Index
	list   *findingList
	ranker *ranker

	filling   sync.Mutex // one import or sync at a time in this process
	analyzers sync.Pool
}

// The short fields of a document in the index, in the order of Doc.Fields.
const (
	fieldHeading = iota
	fieldNames
	fieldPath
	fieldCitation
	fieldCount
)

// Open opens the index in opts.Dir. A new or outdated folder is given the
// finding list first, so that it answers at once.
func Open(ctx context.Context, opts Options) (*Service, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.answerWithin == 0 {
		opts.answerWithin = AnswerWithin
	}
	ix, err := index.Open(filepath.Join(opts.Dir, "index"), index.Schema{Fields: []string{"heading", "names", "path", "citation"}})
	if err != nil {
		return nil, fmt.Errorf("open government index: %w", err)
	}
	s := &Service{dir: opts.Dir, opts: opts, ix: ix, list: opts.list}
	s.analyzers.New = func() any { return index.NewAnalyzer() }
	if err := s.prepare(ctx); err != nil {
		_ = ix.Close() // nothing was asked yet
		return nil, fmt.Errorf("open government index: %w", err)
	}
	return s, nil
}

// prepare loads the finding list, makes the ranker and plants the list.
func (s *Service) prepare(ctx context.Context) error {
	var err error
	if s.list == nil {
		if s.list, err = embeddedList(); err != nil {
			return err
		}
	}
	if s.ranker, err = newRanker(s.list.entries); err != nil {
		return err
	}
	if s.opts.Share != nil && s.heldRelease() != "" {
		return nil // the list is in the release; a newer one goes in with the next import
	}
	return s.plantFindingList(ctx)
}

// Close closes the index.
func (s *Service) Close() error { return s.ix.Close() }

// unpackDir is where archives are unpacked while they are read.
func (s *Service) unpackDir() (string, error) {
	dir := filepath.Join(s.dir, "unpack")
	if err := os.RemoveAll(dir); err != nil { // what a killed import left behind
		return "", fmt.Errorf("clear unpack folder: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make unpack folder: %w", err)
	}
	return dir, nil
}
