package docx

import (
	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// notePart is a part with notes, read when the first one is needed.
type notePart struct {
	name  string
	read  bool
	notes map[string]*xmlpull.Node
	part  part
}

func (in *inline) noteRef(kind, element, id string) {
	np := in.parts[kind]
	if np == nil || id == "" {
		return
	}
	np.load(in.reader, element)
	note := np.notes[id]
	if note == nil {
		return
	}
	in.add(flow.Span{Node: in.notes.Ref(kind+id, func() []*html.Node { return in.note(np, note) })})
}

func (np *notePart) load(r *reader, element string) {
	if np.read {
		return
	}
	np.read = true
	np.notes = map[string]*xmlpull.Node{}
	for _, n := range r.pkg.Tree(np.name).All(element) {
		np.notes[n.Attr("w:id")] = n
	}
	np.part = part{rels: opc.ByID(r.pkg.Rels(np.name))}
}

// note reads what a note says, under the relationships of its own part.
func (in *inline) note(np *notePart, n *xmlpull.Node) []*html.Node {
	saved := in.reader.part
	in.reader.part = np.part
	w := flow.New()
	in.blocks(w, n)
	in.flushCarry(w)
	in.reader.part = saved
	return w.Nodes()
}
