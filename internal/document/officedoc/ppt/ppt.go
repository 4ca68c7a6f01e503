// Package ppt reads PowerPoint presentations from before 2007.
//
// The file is a stream of records inside records. A directory says where the
// current version of each slide is, because saving only adds at the end. Text
// is either on the slide, in the shape that shows it, or in an outline of the
// whole show that the shape refers to.
//
// A slide is read from top to bottom, and what stands beside each other from
// left to right. The order in the file is that in which shapes were drawn over
// each other; programs of that time gave authors no other order to keep.
package ppt

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/cfb"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/flow"
)

const what = "presentation"

var le = binary.LittleEndian

// reader is the state of reading one presentation.
type reader struct {
	stream []byte
	places map[uint32]uint32 // where the current version of a part is
	notes  map[uint32]record // the speaker's notes, by their id
	links  map[uint32]string // addresses that texts refer to
	w      *flow.Writer
}

// Read reads a presentation.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	file, err := cfb.Open(in.Body)
	if err != nil {
		return nil, fault.Damaged(what, err)
	}
	r := &reader{places: map[uint32]uint32{}, notes: map[uint32]record{}, w: flow.New()}
	if r.stream, err = file.Stream("PowerPoint Document"); err != nil {
		return nil, fault.Damaged(what, err)
	}
	user, err := file.Stream("Current User")
	if err != nil {
		user = nil // the slides can be found without it
	}
	show, err := r.open(user)
	if err != nil {
		return nil, err
	}
	r.links = readLinks(show)
	slides := 0
	for _, s := range r.slides(show) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r.slide(s) {
			slides++
		}
	}
	if slides == 0 && len(r.stream) < recordHead {
		return nil, fault.Damaged(what, fmt.Errorf("no slides"))
	}
	about := facts.Compound(file)
	about.Slides = slides
	return about.Doc(document.PPT, in, r.w.Nodes()), nil
}

const (
	lockedToken = 0xF3D1C4DF // in the stream "Current User" of an encrypted file
	maxEdits    = 1000
)

// open reads the directory, newest version first, and gives the document.
func (r *reader) open(user []byte) (record, error) {
	if len(user) >= 20 && le.Uint32(user[12:]) == lockedToken {
		return record{}, fault.Protected(what)
	}
	var show uint32
	at := uint32(0)
	if len(user) >= 20 {
		at = le.Uint32(user[16:])
	}
	for n := 0; n < maxEdits; n++ {
		edit, ok := r.at(at)
		if !ok || edit.kind != recUserEdit || len(edit.data) < 20 {
			break
		}
		if len(edit.data) >= 32 && le.Uint32(edit.data[28:]) != 0 {
			return record{}, fault.Protected(what)
		}
		if n == 0 {
			show = le.Uint32(edit.data[16:])
		}
		if dir, ok := r.at(le.Uint32(edit.data[12:])); ok && dir.kind == recDirectory {
			r.directory(dir.data)
		}
		previous := le.Uint32(edit.data[8:])
		if previous == 0 || previous >= at {
			break
		}
		at = previous
	}
	if doc, ok := r.at(r.places[show]); ok && doc.kind == recDocument {
		return doc, nil
	}
	return r.find(recDocument), nil
}

// directory reads runs of numbers and places. A number that is known already
// has a newer place.
func (r *reader) directory(b []byte) {
	for len(b) >= 4 {
		head := le.Uint32(b)
		b = b[4:]
		first, count := head&0xFFFFF, head>>20
		for i := range count {
			if len(b) < 4 {
				return
			}
			if _, newer := r.places[first+i]; !newer {
				r.places[first+i] = le.Uint32(b)
			}
			b = b[4:]
		}
	}
}

// find gives the first record of a kind at the top of the stream.
func (r *reader) find(kind uint16) record {
	for _, rec := range children(r.stream) {
		if rec.kind == kind {
			return rec
		}
	}
	return record{}
}
