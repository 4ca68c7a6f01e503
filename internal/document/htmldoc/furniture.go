package htmldoc

import "golang.org/x/net/html/atom"

// dropFurniture takes out what stands around the content on every page of a
// site, by what the elements say of themselves.
//
// Some names are believed as long as something is left without the element:
// nobody calls the text a footer. Others are used for all kinds of things, and
// an element that goes by them must also hold little of the text.
func (p *page) dropFurniture() {
	for at := 1; at < len(p.els); {
		e := &p.els[at]
		if e.gone || p.isFurniture(e) {
			p.drop(at, "furniture")
			at = e.end
			continue
		}
		at++
	}
}

const (
	certain  = sigNav | sigDialog | sigShare | sigSignup | sigRelated | sigComment // unless it holds half of the text
	doubtful = sigAside | sigAd | sigSearch | sigTool                              // only if it holds little
)

func (p *page) isFurniture(e *element) bool {
	if e.sig&sigHidden != 0 {
		return true
	}
	if e.node.DataAtom == atom.Noscript {
		return p.els[0].text > 2*e.text // it repeats what scripts show, unless it is all there is
	}
	if e.sig == 0 || isInline(e.node.DataAtom) || !p.canSpare(e) {
		return false
	}
	switch e.node.DataAtom {
	case atom.Html, atom.Body, atom.Main, atom.Article, atom.H1, atom.H2, atom.H3, atom.P, atom.Table, atom.Pre, atom.Code:
		return false
	case atom.Header:
		return e.prose == 0 && !p.holds(e, atom.H1) && !p.inside(e, atom.Article, atom.Main, atom.Section, atom.Li)
	case atom.Nav, atom.Footer:
		return true
	}
	if p.holds(e, atom.Main) || p.holds(e, atom.H1) || e.sig&sigNote != 0 && e.linkDensity() < 0.5 {
		return false
	}
	return p.isNamedFurniture(e)
}

// isNamedFurniture decides by the words in class and id.
func (p *page) isNamedFurniture(e *element) bool {
	sig := e.sig
	if p.kind == kindForum {
		sig &^= sigComment
	}
	if p.lists != "" && sig&sigRelated != 0 && e.text*5 > p.total.text {
		return false // on a page that lists others they are the content
	}
	switch {
	case sig&sigComment != 0, sig&sigCookie != 0, sig&sigFooter != 0 && sig&sigContent == 0:
		return true
	case sig&certain != 0:
		return e.prose*2 <= p.total.prose && (sig&sigContent == 0 || e.prose*8 <= p.total.prose)
	case sig&sigUser != 0 && p.kind == kindForum:
		return e.prose*20 <= p.total.prose
	}
	return sig&doubtful != 0 && e.prose*6 <= p.total.prose && e.text*5 < p.total.text
}

// canSpare reports whether there is text left without e.
func (p *page) canSpare(e *element) bool {
	rest := p.els[0].text - e.text
	return rest >= enough || p.size < 2*enough && rest*2 >= p.size
}

// enough is the number of characters below which a page is taken as empty.
const enough = 200

// holds reports whether an element of that name lies below e.
func (p *page) holds(e *element, name atom.Atom) bool {
	for i := e.at + 1; i < e.end; i++ {
		if p.els[i].node.DataAtom == name && !p.els[i].gone {
			return true
		}
	}
	return false
}
