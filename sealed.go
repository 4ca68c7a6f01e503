package trawl

import (
	"bytes"
	"encoding/json"
	"maps"
)

// seal is the content of a document as JSON, without the braces around it. One
// document is often given to many callers; encoding it is most of the cost of
// an answer, so it is done once.
type seal struct {
	content []byte // every field but metadata
	page    []byte // what the page says of itself
}

// Seal encodes the content now. A document must not be changed afterwards,
// unless Unseal is called; its metadata, but for Metadata.Page, may.
func (d *Document) Seal() error {
	bare := struct {
		*Document
		Metadata *Metadata `json:"metadata,omitempty"` // stands in the way of the document's own
	}{Document: d}
	content, err := encode(bare)
	if err != nil {
		return err
	}
	page := maps.Clone(d.Metadata.Page)
	maps.DeleteFunc(page, func(name string, _ any) bool { return reservedMetadata[name] })
	said := []byte("{}")
	if len(page) > 0 {
		if said, err = encode(page); err != nil {
			return err
		}
	}
	d.seal = &seal{content: content[1 : len(content)-1], page: said[1 : len(said)-1]}
	return nil
}

// Unseal forgets the encoded content, because the document is about to be changed.
func (d *Document) Unseal() { d.seal, d.metadata = nil, nil }

// ContentJSON gives the document without its metadata, as JSON.
func (d *Document) ContentJSON() ([]byte, error) {
	if d.seal == nil {
		copied := *d
		if err := copied.Seal(); err != nil {
			return nil, err
		}
		d = &copied
	}
	return bytes.Join([][]byte{{'{'}, d.seal.content, {'}'}}, nil), nil
}

// MetadataJSON gives the metadata as JSON. It must not be changed afterwards.
func (d *Document) MetadataJSON() ([]byte, error) {
	if d.seal == nil {
		return json.Marshal(d.Metadata)
	}
	text, err := d.appendMetadata(nil)
	d.metadata = text
	return text, err
}

// AppendJSON appends the document as JSON, from its seal where it has one.
func (d *Document) AppendJSON(to []byte) ([]byte, error) {
	if d.seal == nil {
		text, err := encode(d)
		return append(to, text...), err
	}
	to = append(to, '{')
	if len(d.seal.content) > 0 {
		to = append(append(to, d.seal.content...), ',')
	}
	to = append(to, `"metadata":`...)
	if d.metadata != nil {
		return append(append(to, d.metadata...), '}'), nil
	}
	to, err := d.appendMetadata(to)
	return append(to, '}'), err
}

func (d *Document) appendMetadata(to []byte) ([]byte, error) {
	own, err := encode(d.Metadata.wire())
	if err != nil {
		return to, err
	}
	to = append(to, '{')
	if len(d.seal.page) > 0 {
		to = append(append(to, d.seal.page...), ',')
	}
	return append(to, own[1:]...), nil
}

// encode leaves <, > and & as they are: answers are full of markup.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
