package gov

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl/internal/gov/finding"
	"github.com/trawlhq/trawl/internal/gov/publisher"
	"github.com/trawlhq/trawl/internal/index"
)

// importVersion is part of what is remembered of an archive: it changes when
// the readers find something else in the same bytes.
const importVersion = "2"

// importNote begins the names of notes about imported sources.
const importNote = "import:"

// Progress says how far an import is.
type Progress struct {
	Source  string // what is being read: an archive or a folder
	Sources int    // how many there are
	Done    int    // how many are finished, those skipped included
	Units   int    // units read
	Changed int    // of them, how many were new or different
	Skipped int    // sources unchanged since they were last imported
	Damaged int    // files that could not be read
	Bytes   int64  // of the sources finished
	Total   int64  // of all sources
}

// Import reads folders, archives and files of publishers into the index.
// Sources that were imported before and have not changed are passed over, so an
// interrupted import is taken up by calling it again. progress, which may be
// nil, is called now and then, never twice at once.
func (s *Service) Import(ctx context.Context, paths []string, progress func(Progress)) (Progress, error) {
	s.filling.Lock()
	defer s.filling.Unlock()
	sources, err := listSources(paths)
	if err != nil {
		return Progress{}, err
	}
	if err := s.buildOnNewest(ctx); err != nil {
		return Progress{}, err
	}
	w, err := s.ix.Writer()
	if err != nil {
		return Progress{}, fmt.Errorf("open index for writing: %w", err)
	}
	defer func() { _ = w.Close() }() // committed by then, or given up
	im, err := s.newImporter(w, sources, progress)
	if err != nil {
		return Progress{}, err
	}
	if err := im.run(ctx, sources); err != nil {
		return im.progress(""), fmt.Errorf("import: %w", err)
	}
	if err := w.Compact(ctx); err != nil {
		return im.progress(""), fmt.Errorf("import: %w", err)
	}
	if err := s.publish(ctx, w); err != nil {
		return im.progress(""), fmt.Errorf("import: %w", err)
	}
	return im.progress(""), os.RemoveAll(im.dir)
}

// buildOnNewest makes sure that what all nodes serve is here, and our own list
// in it, before anything is added.
func (s *Service) buildOnNewest(ctx context.Context) error {
	if s.opts.Share == nil {
		return nil
	}
	if err := s.takeUp(ctx); err != nil {
		return err
	}
	return s.plantFindingList(ctx)
}

// importSource is one thing to import.
type importSource struct {
	path   string // of the archive, folder or file
	name   string // how it is remembered
	kind   sourceKind
	size   int64
	folder fs.FS
}

type sourceKind int

const (
	kindArchive sourceKind = iota
	kindFolder
	kindFile
)

// listSources finds the archives in folders; the other files of a folder are
// one source of their own. Large ones come first, so that none is left to run
// alone at the end.
func listSources(paths []string) ([]importSource, error) {
	var out []importSource
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("look at %s: %w", path, err)
		}
		switch {
		case info.IsDir():
			found, err := listFolder(path)
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		case isArchive(path):
			out = append(out, importSource{path: path, name: filepath.Base(path), kind: kindArchive, size: info.Size()})
		default:
			dir, base := filepath.Split(path)
			folder := oneFile{os.DirFS(filepath.Clean(firstNonEmpty(dir, "."))), base}
			out = append(out, importSource{path: path, name: base, kind: kindFile, size: info.Size(), folder: folder})
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].size > out[b].size })
	return out, nil
}

func listFolder(dir string) ([]importSource, error) {
	var archives []importSource
	folder := importSource{path: dir, name: filepath.Base(dir) + "/", kind: kindFolder, folder: withoutArchives{os.DirFS(dir)}}
	plain := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if isArchive(path) {
			archives = append(archives, importSource{path: path, name: d.Name(), kind: kindArchive, size: info.Size()})
			return nil
		}
		plain++
		folder.size += info.Size()
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	if plain > 0 {
		archives = append(archives, folder)
	}
	return archives, nil
}

func firstNonEmpty(options ...string) string {
	for _, s := range options {
		if s != "" {
			return s
		}
	}
	return ""
}

// importer is one import under way.
type importer struct {
	s      *Service
	w      *index.Writer
	dir    string // where archives are unpacked
	listed map[string]*finding.Entry
	report chan struct{} // a slot: whoever holds it may call tell
	tell   func(Progress)
	told   time.Time

	sources                               int
	total                                 int64
	done, units, changed, skipped, damage atomic.Int64
	bytes                                 atomic.Int64
	committed                             atomic.Int64 // when, in Unix nanoseconds
}

func (s *Service) newImporter(w *index.Writer, sources []importSource, tell func(Progress)) (*importer, error) {
	dir, err := s.unpackDir()
	if err != nil {
		return nil, err
	}
	entries := s.list.entries
	im := &importer{s: s, w: w, dir: dir, tell: tell, sources: len(sources), listed: make(map[string]*finding.Entry), report: make(chan struct{}, 1)}
	for i := range entries {
		for _, key := range entries[i].Keys {
			im.listed[key] = &entries[i]
		}
	}
	for _, src := range sources {
		im.total += src.size
	}
	im.committed.Store(time.Now().UnixNano())
	return im, nil
}

// importWorkers is how many sources are read at a time: reading and analysing
// are processor work, and more would only take memory.
const importWorkers = 2

func (im *importer) run(ctx context.Context, sources []importSource) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(importWorkers)
	for i, src := range sources {
		group.Go(func() error {
			if err := im.source(ctx, src, filepath.Join(im.dir, fmt.Sprint(i))); err != nil {
				return fmt.Errorf("%s: %w", src.name, err)
			}
			im.done.Add(1)
			im.bytes.Add(src.size)
			im.notify(src.name, true)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return errors.Join(err, im.w.Commit()) // what was read stays
	}
	return nil
}

// source imports one source, unless it is unchanged.
func (im *importer) source(ctx context.Context, src importSource, scratch string) error {
	note := importNote + src.name
	digest := ""
	if src.kind != kindFolder {
		var err error
		if digest, err = fileDigest(src.path); err != nil {
			return err
		}
		digest = importVersion + "-" + digest
		if im.w.Note(note) == digest {
			im.skipped.Add(1)
			return nil
		}
	}
	folder := src.folder
	if src.kind == kindArchive {
		if _, err := unpack(src.path, scratch); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(scratch) }() // swept at the next import
		folder = os.DirFS(scratch)
	}
	opts := publisher.Options{PDF: im.s.opts.PDF, Damaged: func(path string, err error) {
		im.damage.Add(1)
		im.s.opts.Log.Warn("government file could not be read", "source", src.name, "file", path, "error", err)
	}}
	err := publisher.Read(ctx, folder, opts, func(u publisher.Unit) error { return im.unit(ctx, src.name, &u) })
	if err != nil {
		return err
	}
	if digest != "" {
		im.w.SetNote(note, digest)
	}
	return im.w.Commit()
}

// unit puts one unit into the index.
func (im *importer) unit(ctx context.Context, source string, u *publisher.Unit) error {
	e := im.listed[u.Key]
	if e != nil {
		for _, key := range e.Keys {
			if key != u.Key {
				u.Aliases = append(u.Aliases, key)
			}
		}
	}
	d, err := toDoc(u)
	if err != nil {
		return err
	}
	changed, err := im.w.Add(ctx, d)
	if err != nil {
		return err
	}
	if e != nil && e.Keys[0] != u.Key {
		// The list knows it under another citation: that entry has served its time.
		if err := im.w.Retire(e.Keys[0], d.Version); err != nil {
			return err
		}
	}
	im.units.Add(1)
	if changed {
		im.changed.Add(1)
	}
	im.notify(source, false)
	return im.checkpoint()
}

// checkpointEvery is how much of an import a crash may cost.
const checkpointEvery = 20 * time.Second

// checkpoint commits what was read, if the last commit is a while ago.
func (im *importer) checkpoint() error {
	last := im.committed.Load()
	now := time.Now().UnixNano()
	if now-last < int64(checkpointEvery) || !im.committed.CompareAndSwap(last, now) {
		return nil
	}
	return im.w.Commit()
}

// notify reports progress, at most ten times a second unless asked to.
func (im *importer) notify(source string, always bool) {
	if im.tell == nil {
		return
	}
	if always {
		im.report <- struct{}{}
	} else {
		select {
		case im.report <- struct{}{}:
		default:
			return
		}
	}
	if always || time.Since(im.told) > 100*time.Millisecond {
		im.tell(im.progress(source))
		im.told = time.Now()
	}
	<-im.report
}

func (im *importer) progress(source string) Progress {
	return Progress{
		Source: source, Sources: im.sources, Done: int(im.done.Load()), Units: int(im.units.Load()), Changed: int(im.changed.Load()),
		Skipped: int(im.skipped.Load()), Damaged: int(im.damage.Load()), Bytes: im.bytes.Load(), Total: im.total,
	}
}
