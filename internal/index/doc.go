package index

import (
	"crypto/sha256"
	"encoding/binary"
)

// Doc is one document, as it is given to a Writer.
type Doc struct {
	// Key is the identity: a document added under a key replaces the one there.
	Key string
	// Version decides between two documents of one key: the greater one stays,
	// whichever came first. Equal versions are decided by content, so that the
	// outcome never depends on the order of arrival.
	Version string
	// Fields are the short texts named in the Schema.
	Fields []string
	// Passages are the body, cut into pieces of about a paragraph or two.
	Passages []Passage
	// Labels are looked up exactly, never as words.
	Labels []string
	// Meta is stored as it is and handed back with a hit.
	Meta []byte
}

// Passage is a piece of body text.
type Passage struct {
	Text string
	// About, where set, is the key of another document that this passage
	// describes. Its words then count for that document, as the text of a link
	// counts for the page it points to.
	About string
}

// hash is the content of the document in 16 bytes.
func (d *Doc) hash() [16]byte {
	h := sha256.New()
	var size [8]byte
	part := func(s string) {
		binary.LittleEndian.PutUint64(size[:], uint64(len(s)))
		h.Write(size[:])
		h.Write([]byte(s))
	}
	part(d.Key)
	part(d.Version)
	for _, list := range [][]string{d.Fields, d.Labels} {
		part("list")
		for _, s := range list {
			part(s)
		}
	}
	for _, p := range d.Passages {
		part(p.Text)
		part(p.About)
	}
	part(string(d.Meta))
	return [16]byte(h.Sum(nil)[:16])
}
