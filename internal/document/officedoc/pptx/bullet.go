package pptx

import (
	"strconv"

	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// bullet is what stands before a paragraph.
type bullet struct {
	known   bool // something was said about it
	shown   bool
	ordered bool
	start   int
}

// readBullet reads what one set of paragraph properties says.
func readBullet(props *xmlpull.Node) bullet {
	if props == nil {
		return bullet{}
	}
	for _, k := range props.Kids {
		switch k.Name {
		case "a:buNone":
			return bullet{known: true}
		case "a:buChar", "a:buBlip":
			return bullet{known: true, shown: true}
		case "a:buAutoNum":
			start, err := strconv.Atoi(k.Attr("startAt"))
			if err != nil {
				start = 1
			}
			return bullet{known: true, shown: true, ordered: true, start: start}
		}
	}
	return bullet{}
}

// model is a layout or a master: what its placeholders say about bullets.
type model struct {
	shapes []*xmlpull.Node // with a placeholder each
	body   *xmlpull.Node   // a master's own style for text
	master string          // of a layout: the part of its master
}

const maxPlaceholders = 200 // real layouts have about ten

// inheritance is where a slide takes from what it does not say itself.
type inheritance struct{ layout, master *model }

func (r *reader) inherit(rels []opc.Rel) inheritance {
	var in inheritance
	if rel, ok := opc.First(rels, "slideLayout"); ok && !rel.External {
		in.layout = r.model(rel.Target)
		if in.layout.master != "" {
			in.master = r.model(in.layout.master)
		}
	}
	return in
}

func (r *reader) model(part string) *model {
	if m, ok := r.models[part]; ok {
		return m
	}
	root := r.pkg.Tree(part)
	m := &model{body: root.Child("p:txStyles", "p:bodyStyle")}
	root.Child("p:cSld", "p:spTree").FindAll("p:sp", func(sp *xmlpull.Node) {
		if placeholder(sp) != nil && len(m.shapes) < maxPlaceholders {
			m.shapes = append(m.shapes, sp)
		}
	})
	if rel, ok := opc.First(r.pkg.Rels(part), "slideMaster"); ok && !rel.External {
		m.master = rel.Target
	}
	r.models[part] = m
	return m
}

// of decides what stands before a paragraph: it may say so itself, otherwise
// its shape, the same placeholder of the layout, of the master, or the master's
// style for text. A shape that is no placeholder has no bullets of its own.
func (in inheritance) of(shape, para *xmlpull.Node, level int) bullet {
	if b := readBullet(para.Child("a:pPr")); b.known {
		return b
	}
	style := "a:lvl" + strconv.Itoa(level+1) + "pPr"
	if b := readBullet(shape.Child("p:txBody", "a:lstStyle", style)); b.known {
		return b
	}
	ph := placeholder(shape)
	if ph == nil {
		return bullet{}
	}
	for _, m := range []*model{in.layout, in.master} {
		if b := readBullet(m.find(ph).Child("p:txBody", "a:lstStyle", style)); b.known {
			return b
		}
	}
	if kind := ph.Attr("type"); in.master != nil && (kind == "" || kind == "body" || kind == "obj") {
		return readBullet(in.master.body.Child(style))
	}
	return bullet{}
}

// find gives the placeholder that another one takes after: the same number, or
// else the same type.
func (m *model) find(ph *xmlpull.Node) *xmlpull.Node {
	if m == nil {
		return nil
	}
	for _, name := range []string{"idx", "type"} {
		want := ph.Attr(name)
		if name == "type" && (want == "" || want == "obj") {
			want = "body"
		}
		for _, sp := range m.shapes {
			if want != "" && placeholder(sp).Attr(name) == want {
				return sp
			}
		}
	}
	return nil
}
