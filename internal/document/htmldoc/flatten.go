package htmldoc

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// flattenBelow is the depth from which on tags are dropped. The parser adds
// elements of its own (tbody, reopened formatting), hence the distance to 512.
const flattenBelow = 200

// flatten rewrites a page so that no element lies deeper than flattenBelow.
// Tags past that depth vanish, their text stays.
func flatten(body []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(body))
	z := html.NewTokenizer(bytes.NewReader(body))
	var open []atom.Atom
	dropped := 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			return out.Bytes()
		case html.StartTagToken:
			raw := z.Raw()
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			if isVoid(tag) || isRawText(tag) {
				out.Write(raw)
				continue
			}
			if n := len(open); n > 0 && open[n-1] == tag && closesItself(tag) {
				open = open[:n-1]
			}
			if len(open) >= flattenBelow {
				dropped++
				out.WriteByte(' ')
				continue
			}
			open = append(open, tag)
			out.Write(raw)
		case html.EndTagToken:
			raw := z.Raw()
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			if dropped > 0 && !isRawText(tag) {
				dropped--
				out.WriteByte(' ')
				continue
			}
			open = closeTag(open, tag)
			out.Write(raw)
		default:
			out.Write(z.Raw())
		}
	}
}

// closeTag takes tag and what was left open inside it off the stack.
func closeTag(open []atom.Atom, tag atom.Atom) []atom.Atom {
	for i := len(open) - 1; i >= 0 && i >= len(open)-20; i-- {
		if open[i] == tag {
			return open[:i]
		}
	}
	return open
}

func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
		atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

func isRawText(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Noscript, atom.Iframe, atom.Xmp, atom.Noembed:
		return true
	}
	return false
}

// closesItself reports whether a second start tag ends the element before it.
func closesItself(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Li, atom.Dt, atom.Dd, atom.Tr, atom.Td, atom.Th, atom.Option:
		return true
	}
	return false
}
