// Package archive opens the zip files that office formats are made of, under
// limits that a hostile one meets before the machine does.
//
// The sizes a zip declares are never believed: bytes are counted as they come
// out, over all entries together. Nothing is ever written to disk, so names are
// only names; still, one that climbs out of the archive is not found here.
package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/trawlhq/trawl/internal/document/fault"
)

// Limits of one archive.
type Limits struct {
	Entries int   // files in it; zero: 20,000
	Bytes   int64 // decompressed, all entries that are read together; zero: 256 MiB
	Whole   int64 // decompressed, one entry that is read whole; zero: 96 MiB
	Ratio   int64 // decompressed to compressed, once 16 MiB have come out of an entry; zero: 500
}

const ratioFrom = 16 << 20

// Archive is an opened zip file.
type Archive struct {
	files  map[string]*zip.File
	names  []string
	limits Limits
	read   int64 // bytes that have come out so far
}

// Open reads the directory of a zip file. A file whose directory is lost is
// searched for the entries themselves.
func Open(body []byte, limits Limits) (*Archive, error) {
	if limits.Entries == 0 {
		limits.Entries = 20_000
	}
	if limits.Bytes == 0 {
		limits.Bytes = 256 << 20
	}
	if limits.Whole == 0 {
		limits.Whole = 96 << 20
	}
	if limits.Ratio == 0 {
		limits.Ratio = 500
	}
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return salvage(body, limits, err)
	}
	if len(r.File) > limits.Entries {
		return nil, fault.Limit("file", "archive entries")
	}
	a := newArchive(limits)
	for _, f := range r.File {
		a.add(f.Name, f)
	}
	return a, nil
}

func newArchive(limits Limits) *Archive {
	return &Archive{files: map[string]*zip.File{}, limits: limits}
}

func (a *Archive) add(name string, f *zip.File) {
	key := clean(name)
	if key == "" || strings.HasSuffix(name, "/") {
		return
	}
	if _, twice := a.files[key]; !twice {
		a.files[key] = f
		a.names = append(a.names, key)
	}
}

// clean gives a name the form it is looked up by: relative, forward slashes,
// lower case (writers disagree on case); "" for one that leaves the archive.
func clean(name string) string {
	name = path.Clean(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
	if name == "." || name == ".." || strings.HasPrefix(name, "../") {
		return ""
	}
	return strings.ToLower(name)
}

// Has tells whether there is a file of that name.
func (a *Archive) Has(name string) bool {
	_, ok := a.files[clean(name)]
	return ok
}

// Names lists the files in their order, in lower case.
func (a *Archive) Names() []string { return a.names }

// Open gives a file as a stream. The error is fs.ErrNotExist if there is none.
func (a *Archive) Open(name string) (io.ReadCloser, error) {
	f, ok := a.files[clean(name)]
	if !ok {
		return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	if f.Flags&1 != 0 {
		return nil, fault.Protected("file")
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return &counted{ReadCloser: r, archive: a, packed: int64(f.CompressedSize64)}, nil
}

// Read gives a file whole. Of one that is cut off or has a wrong checksum it
// gives what there is, without an error: half a letter is better than none.
func (a *Archive) Read(name string) ([]byte, error) {
	r, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(r, a.limits.Whole+1))
	_ = r.Close() // read-only
	if int64(len(body)) > a.limits.Whole {
		return nil, fault.Limit("file", "size of a part")
	}
	if err != nil && isRefusal(err) {
		return nil, err
	}
	if err != nil && len(body) == 0 {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return body, nil
}

// counted watches what comes out of one entry.
type counted struct {
	io.ReadCloser
	archive *Archive
	packed  int64
	out     int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.out += int64(n)
	c.archive.read += int64(n)
	switch {
	case c.archive.read > c.archive.limits.Bytes:
		return n, fault.Limit("file", "decompressed size")
	case c.out > ratioFrom && c.out/max(c.packed, 1) > c.archive.limits.Ratio:
		return n, fault.Limit("file", "compression ratio")
	}
	return n, err
}
