package htmldoc

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// isRemark reports whether a short line in an article speaks of the article
// and not of its subject: who wrote it, who took the picture, what to read next.
func (p *page) isRemark(e *element) bool {
	if e.text == 0 || e.text > 200 || isInline(e.node.DataAtom) {
		return false
	}
	switch {
	case e.sig&(sigByline|sigTags) != 0 && e.prose == 0 && e.node.DataAtom != atom.H1 && !p.holds(e, atom.H1):
		return true
	case e.node.DataAtom == atom.P && isPointer(e):
		return true
	}
	return e.text < 90 && e.links < 2 && isCredit(e)
}

// isPointer reports whether a paragraph only leads elsewhere: a few words, a
// colon, and a link that is the rest.
func isPointer(e *element) bool {
	if e.ownLink == 0 || e.ownLink*2 < e.own || e.own-e.ownLink > 40 {
		return false
	}
	before, after, ok := strings.Cut(collapse(textOf(e.node)), ":")
	return ok && !strings.HasPrefix(after, "//") && len(before) <= 40 && len(after) > 10 && e.own-e.ownLink <= len(before)+3
}

// isCredit reports whether a short line only says who made a picture, or that
// an advert follows.
func isCredit(e *element) bool {
	switch e.node.DataAtom {
	case atom.P, atom.Div, atom.Figcaption, atom.Li:
	default:
		return false
	}
	s := strings.ToLower(strings.Trim(collapse(textOf(e.node)), "([ "))
	for _, prefix := range creditPrefixes {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return strings.HasSuffix(s, "getty images") || strings.HasSuffix(s, "/getty")
}

var creditPrefixes = []string{
	"photo:", "photo by", "photos by", "photo credit", "photo ©", "photograph:", "photograph by", "picture:", "image:", "images:", "image credit",
	"image by", "image source", "credit:", "source:", "copyright", "©", "toggle caption", "hide caption", "enlarge this image",
	"image 1 of", "image 2 of", "image 3 of", "image 4 of", "image 5 of",
	"foto:", "fotos:", "foto ©", "foto de", "bild:", "bilder:", "bildquelle", "quelle:", "fuente:", "crédito", "crédit",
	"advertisement", "anzeige", "werbung", "publicidad", "publicidade",
}
