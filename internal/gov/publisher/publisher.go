// Package publisher reads the law as its publishers print it: XML of the House
// and the printing office, the formats of state legislatures and cities, court
// opinions, agency guidance. Whatever the format, out come Units.
//
// A source is a folder (fs.FS). Read sorts its files by what their first bytes
// say they are, not by where they lie, so any other file of the same publisher
// is read the same way.
package publisher

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Unit is the smallest thing a lawyer would cite on its own: a section, an
// opinion with all its parts, a Federal Register document, a public law.
type Unit struct {
	Key          string   // citation in normal form, see package cite; identity of the unit
	Aliases      []string // further citations in normal form
	URL          string   // official address
	Citation     string   // as a lawyer writes it
	Heading      string   // section heading or case name
	Path         []string // headings above it, outermost first
	Names        []string // short titles and popular names
	Jurisdiction string   // "us", "us-md", "us-ca-san-francisco"
	Type         string   // "statute", "regulation", "opinion", …
	Date         string   // YYYY-MM-DD, of the text or of the decision; may be empty
	Edition      string   // of two units with one key the one with the greater edition stands
	Text         string   // paragraphs separated by line breaks
}

// Title is the unit as a lawyer would name it.
func (u *Unit) Title() string {
	switch {
	case u.Heading == "":
		return u.Citation
	case u.Citation == "":
		return u.Heading
	case u.Type == "opinion":
		return u.Heading + ", " + u.Citation
	case strings.Contains(u.Heading, u.Citation):
		return u.Heading
	}
	return u.Citation + " " + u.Heading
}

// Options are what reading needs from outside.
type Options struct {
	// PDF gives the text of a PDF file; nil: PDF files are left out and counted.
	PDF func(ctx context.Context, body []byte) (string, error)
	// Damaged is told of a file that could not be read; the others go on.
	Damaged func(path string, err error)
}

// Read reads all files of a folder and calls emit for every unit found. Files
// nobody knows are passed over.
func Read(ctx context.Context, fsys fs.FS, opts Options, emit func(Unit) error) error {
	jobs, err := sortFiles(fsys)
	if err != nil {
		return err
	}
	for i, f := range formats {
		if len(jobs[i]) == 0 {
			continue
		}
		s := &source{ctx: ctx, fsys: fsys, opts: opts, emit: emit}
		if err := f.read(s, jobs[i]); err != nil {
			return fmt.Errorf("read %s: %w", f.name, err)
		}
	}
	return nil
}

// format is one way of publishing.
type format struct {
	name  string
	match func(name, head string) bool
	read  func(s *source, files []string) error
}

// formats are tried in order; the first match reads the file.
var formats = []format{
	{"United States Code", matchUSLM("uscDoc"), eachFile(readUSCode)},
	{"United States Code, JSON lines", matchUSCodeLines, eachFile(readUSCodeLines)},
	{"Constitution", matchConstitution, eachFile(readConstitution)},
	{"eCFR", matchECFR, eachFile(readECFR)},
	{"annual CFR", matchAnnualCFR, eachFile(readAnnualCFR)},
	{"CFR in USLM", matchUSLM("cfrDoc"), eachFile(readUSLMCFR)},
	{"Federal Register issue", matchRoot("FEDREG"), eachFile(readRegisterIssue)},
	{"Federal Register issue in USLM", matchRegisterUSLM, eachFile(readRegisterUSLM)},
	{"Federal Register API", matchRegisterAPI, eachFile(readRegisterAPI)},
	{"public laws", matchUSLM("pLaw"), eachFile(readPublicLaw)},
	{"statute compilations", matchUSLM("statuteCompilation"), eachFile(readCompilation)},
	{"FAR", matchDITA, readFAR},
	{"D.C. Code", matchDC, readDC},
	{"Maryland Code", matchRoot("legisdoc"), eachFile(readMaryland)},
	{"Colorado Revised Statutes", matchRoot("CRS"), eachFile(readColorado)},
	{"Code of Alabama", matchAlabama, readAlabama},
	{"Hawaii Revised Statutes", matchHawaii, eachFile(readHawaii)},
	{"Kansas Statutes", matchKansas, eachFile(readKansas)},
	{"Rhode Island General Laws", matchRhodeIsland, eachFile(readRhodeIsland)},
	{"San Francisco codes", matchSanFrancisco, eachFile(readSanFrancisco)},
	{"San Francisco codes in rich text", matchRichText, eachFile(readRichText)},
	{"Spanish Fork code", matchSpanishFork, eachFile(readSpanishFork)},
	{"Supreme Court texts", matchSupremeCourt, readSupremeCourt},
	{"CourtListener", matchCourtListener, eachFile(readCourtListener)},
	{"CourtListener bulk table", matchOpinionTable, eachFile(readOpinionTable)},
	{"Caselaw Access Project", matchCaselaw, eachFile(readCaselaw)},
	{"Board of Veterans' Appeals", matchVeterans, eachFile(readVeterans)},
	{"OSCAL catalogues", matchOSCAL, eachFile(readOSCAL)},
	{"listed pages", matchListing, readListing},
	{"manifest", matchManifest, readManifest},
}

// source is one run of one format's reader.
type source struct {
	ctx  context.Context
	fsys fs.FS
	opts Options
	emit func(Unit) error
}

// headSize is how much of a file is looked at to tell its format. The long
// namespace lists of some publishers take up to two thousand bytes.
const headSize = 6 << 10

// sortFiles gives the files of each format, in order of their paths.
func sortFiles(fsys fs.FS) ([][]string, error) {
	jobs := make([][]string, len(formats))
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || hasExt(name, ".part", ".mark", ".tmp") { // downloads under way
			return err
		}
		head, err := readHead(fsys, name)
		if err != nil {
			return err
		}
		for i, f := range formats {
			if f.match(name, head) {
				jobs[i] = append(jobs[i], name)
				break
			}
		}
		return nil
	})
	for _, files := range jobs {
		slices.Sort(files)
	}
	return jobs, err
}

func readHead(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", fmt.Errorf("open file: %w", err)
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read file: %w", err)
	}
	return string(head[:n]), nil
}

// errStop carries an error of emit through readers that go on after a damaged file.
type errStop struct{ error }

func (e errStop) Unwrap() error { return e.error }

// put hands a unit on. A unit without text or address is not one.
func (s *source) put(u Unit) error {
	if err := s.ctx.Err(); err != nil {
		return errStop{err}
	}
	u.Text = strings.TrimSpace(u.Text)
	u.Heading = tidy(u.Heading)
	if u.Key == "" || u.URL == "" {
		return nil
	}
	if err := s.emit(u); err != nil {
		return errStop{err}
	}
	return nil
}

// eachFile makes a reader of many files from one that reads a single file. A
// damaged file is reported and the next one read.
func eachFile(read func(s *source, name string) error) func(s *source, files []string) error {
	return func(s *source, files []string) error {
		for _, name := range files {
			if err := s.survive(name, read(s, name)); err != nil {
				return err
			}
		}
		return nil
	}
}

// survive lets reading go on after an error that concerns one file only.
func (s *source) survive(name string, err error) error {
	var stop errStop
	if err == nil || errors.As(err, &stop) {
		return err
	}
	if s.opts.Damaged != nil {
		s.opts.Damaged(name, err)
	}
	return s.ctx.Err()
}

func matchRoot(root string) func(name, head string) bool {
	return func(_, head string) bool {
		return strings.Contains(head, "<"+root+">") || strings.Contains(head, "<"+root+" ")
	}
}

func matchUSLM(root string) func(name, head string) bool {
	plain := matchRoot(root)
	return func(name, head string) bool {
		return plain(name, head) || strings.Contains(head, ":"+root+" ")
	}
}

func hasExt(name string, exts ...string) bool {
	return slices.Contains(exts, strings.ToLower(path.Ext(name)))
}

// tidy puts a text on one line.
func tidy(s string) string { return strings.Join(strings.Fields(s), " ") }
