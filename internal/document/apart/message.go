package apart

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"time"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
)

// question is what a child is asked. The body of the file follows it.
type question struct {
	Input    document.Input
	Wanted   []byte // Input.Wanted as JSON; empty: nil
	CPU      time.Duration
	Deadline time.Time // when the answer will not be waited for any more
}

// The longest messages. The file itself has the limit of those who send files.
const (
	maxQuestion  = 1 << 20
	maxBody      = 1 << 30
	maxAnswer    = 16 << 20 // without trees: metadata, warnings, the texts of blocks
	maxMade      = 96 << 20
	progressSize = 8
)

func writeQuestion(w io.Writer, q question) error {
	body := q.Input.Body
	if q.Input.Wanted != nil {
		var err error
		if q.Wanted, err = json.Marshal(q.Input.Wanted); err != nil {
			return fmt.Errorf("pack what is wanted: %w", err)
		}
	}
	q.Input.Body, q.Input.Wanted = nil, nil
	if err := writeGob(w, frameQuestion, q); err != nil {
		return err
	}
	return writeFrame(w, frameBody, body)
}

func readQuestion(r io.Reader) (q question, err error) {
	if err := readGob(r, frameQuestion, maxQuestion, &q); err != nil {
		return q, err
	}
	if len(q.Wanted) > 0 {
		if err := json.Unmarshal(q.Wanted, &q.Input.Wanted); err != nil {
			return q, fmt.Errorf("unpack what is wanted: %w", err)
		}
	}
	q.Input.Body, err = readFrame(r, frameBody, maxBody)
	return q, whole(err)
}

// answer is a Doc on its way between processes, without its trees: they follow.
// What may be of any type is JSON.
type answer struct {
	Kind       document.Kind
	Base       string
	Title      string
	Meta       []byte
	Pages      []int // their numbers; a tree follows for each
	NumPages   int
	TotalPages int
	Warnings   []string
	Layout     []document.PageLayout
	Drawn      []bool // for each block of Layout in order: a tree follows
	Made       bool   // instead of trees, formats follow
	Failure    *failure
}

// writeDoc packs what a reader gave. Nothing is written before it is clear that
// all of it may be handed over.
func writeDoc(w io.Writer, doc *document.Doc) error {
	a, nodes, err := answerOf(doc)
	if err != nil {
		return err
	}
	kind, parts := frameTree, make([][]byte, len(nodes))
	left := allowance{nodes: maxNodes, bytes: maxBytes}
	for i, n := range nodes {
		if parts[i], err = left.appendTree(nil, n); err != nil {
			return err
		}
	}
	if a.Made {
		kind, parts = frameMade, make([][]byte, 1)
		if parts[0], err = json.Marshal(doc.Made); err != nil {
			return fmt.Errorf("pack formats: %w", err)
		}
	}
	payload, err := packed(a)
	if err != nil {
		return err
	}
	if len(payload) > maxAnswer || a.Made && len(parts[0]) > maxMade {
		return errLarge
	}
	if err := writeFrame(w, frameAnswer, payload); err != nil {
		return err
	}
	for i, part := range parts {
		parts[i] = nil
		if err := writeFrame(w, kind, part); err != nil {
			return err
		}
	}
	return nil
}

// answerOf gives the answer and the trees that follow it.
func answerOf(doc *document.Doc) (answer, []*html.Node, error) {
	a := answer{Kind: doc.Kind, Title: doc.Title, NumPages: doc.NumPages, TotalPages: doc.TotalPages, Warnings: doc.Warnings}
	if doc.Base != nil {
		a.Base = doc.Base.String()
	}
	var err error
	if a.Meta, err = json.Marshal(doc.Meta); err != nil {
		return a, nil, fmt.Errorf("pack metadata: %w", err)
	}
	if a.Made = doc.Made != nil; a.Made {
		return a, nil, nil
	}
	trees := []*html.Node{doc.Root}
	for _, page := range doc.Pages {
		a.Pages = append(a.Pages, page.Number)
		trees = append(trees, page.Root)
	}
	for _, page := range doc.Layout {
		items := make([]document.PageBlock, len(page.Items))
		copy(items, page.Items)
		for i := range items {
			a.Drawn = append(a.Drawn, items[i].Node != nil)
			if items[i].Node != nil {
				trees = append(trees, items[i].Node)
				items[i].Node = nil
			}
		}
		page.Items = items
		a.Layout = append(a.Layout, page)
	}
	return a, trees, nil
}

// readDoc unpacks an answer, telling listen of the pages that are done until then.
func readDoc(r io.Reader, listen func(done, all int)) (*document.Doc, error) {
	a, err := readAnswer(r, listen)
	if err != nil {
		return nil, err
	}
	if a.Failure != nil {
		return nil, a.Failure
	}
	base, err := url.Parse(a.Base)
	if err != nil {
		return nil, fmt.Errorf("unpack base address: %w", err)
	}
	doc := &document.Doc{
		Kind: a.Kind, Base: base, Title: a.Title, NumPages: a.NumPages, TotalPages: a.TotalPages, Warnings: a.Warnings, Layout: a.Layout,
	}
	if err := json.Unmarshal(a.Meta, &doc.Meta); err != nil {
		return nil, fmt.Errorf("unpack metadata: %w", err)
	}
	if a.Made {
		return doc, readMade(r, doc)
	}
	return doc, a.readTrees(r, doc)
}

// readMade reads the formats that follow an answer.
func readMade(r io.Reader, doc *document.Doc) error {
	payload, err := readFrame(r, frameMade, maxMade)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(payload, &doc.Made); err != nil {
		return fmt.Errorf("unpack formats: %w", err)
	}
	if doc.Made == nil {
		return fmt.Errorf("unpack formats: %w", errFrame)
	}
	return nil
}

// readAnswer waits for the answer.
func readAnswer(r io.Reader, listen func(done, all int)) (a answer, err error) {
	for {
		kind, size, err := readHeader(r, maxAnswer)
		if err != nil {
			return a, err
		}
		payload := make([]byte, size)
		if _, err := io.ReadFull(r, payload); err != nil {
			return a, whole(err)
		}
		switch {
		case kind == frameProgress && size == progressSize:
			listen(int(binary.BigEndian.Uint32(payload)), int(binary.BigEndian.Uint32(payload[4:])))
		case kind == frameAnswer:
			return a, gob.NewDecoder(bytes.NewReader(payload)).Decode(&a)
		default:
			return a, fmt.Errorf("read %q instead of an answer: %w", kind, errFrame)
		}
	}
}

// readTrees reads the trees that follow an answer and puts each where it belongs.
func (a answer) readTrees(r io.Reader, doc *document.Doc) (err error) {
	left := allowance{nodes: maxNodes, bytes: maxBytes}
	next := func() (*html.Node, error) {
		text, err := readText(r, frameTree, left.bytes)
		if err != nil {
			return nil, err
		}
		return left.tree(text)
	}
	if doc.Root, err = next(); err != nil {
		return err
	}
	for _, number := range a.Pages {
		root, err := next()
		if err != nil {
			return fmt.Errorf("unpack page %d: %w", number, err)
		}
		doc.Pages = append(doc.Pages, document.Page{Number: number, Root: root})
	}
	at := 0
	for _, page := range doc.Layout {
		for i := range page.Items {
			if at >= len(a.Drawn) {
				return fmt.Errorf("unpack layout: %w", errFrame)
			}
			if a.Drawn[at] {
				if page.Items[i].Node, err = next(); err != nil {
					return fmt.Errorf("unpack block %s: %w", page.Items[i].ID, err)
				}
			}
			at++
		}
	}
	return nil
}

func writeProgress(w io.Writer, done, all int) error {
	payload := binary.BigEndian.AppendUint32(nil, uint32(done))
	return writeFrame(w, frameProgress, binary.BigEndian.AppendUint32(payload, uint32(all)))
}

func packed(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return nil, fmt.Errorf("pack %T: %w", v, err)
	}
	return b.Bytes(), nil
}

func writeGob(w io.Writer, kind frameKind, v any) error {
	payload, err := packed(v)
	if err != nil {
		return err
	}
	return writeFrame(w, kind, payload)
}

func readGob(r io.Reader, kind frameKind, limit int64, v any) error {
	payload, err := readFrame(r, kind, limit)
	if err != nil {
		return err
	}
	return gob.NewDecoder(bytes.NewReader(payload)).Decode(v)
}
