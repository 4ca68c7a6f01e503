package htmltree

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

const whitespace = " \t\r\n\f"

// insertDoctype adds the doctype of the token and finds out whether the page is
// in quirks mode, in which a table may stand in a paragraph.
func (p *parser) insertDoctype() {
	n := p.nodes.take()
	n.Type = html.DoctypeNode
	appendChild(p.doc, n)

	name, rest := p.tok.text, ""
	if i := strings.IndexAny(name, whitespace); i >= 0 {
		name, rest = name[:i], strings.TrimLeft(name[i:], whitespace)
	}
	n.Data = strings.ToLower(name)
	ids, complete := doctypeIDs(rest)
	n.Attr = ids
	p.quirks = name != "html" || !complete || quirky(ids)
}

// doctypeIDs reads the identifiers after the name. It reports whether nothing
// else stands there.
func doctypeIDs(s string) (ids []html.Attribute, complete bool) {
	if len(s) < len("public") {
		return nil, s == ""
	}
	key := strings.ToLower(s[:len("public")])
	s = s[len("public"):]
	for key == "public" || key == "system" {
		s = strings.TrimLeft(s, whitespace)
		if s == "" || s[0] != '"' && s[0] != '\'' {
			break
		}
		id, rest, _ := strings.Cut(s[1:], s[:1])
		s = rest
		ids = append(ids, html.Attribute{Key: key, Val: id})
		if key == "system" {
			key = ""
		} else {
			key = "system"
		}
	}
	return ids, key == "" && s == ""
}

// quirky reports whether a doctype is one of a time before standards.
func quirky(ids []html.Attribute) bool {
	if len(ids) == 0 {
		return false
	}
	if last := ids[len(ids)-1]; last.Key == "system" && strings.EqualFold(last.Val, quirkySystemID) {
		return true
	}
	if ids[0].Key != "public" {
		return false
	}
	public := strings.ToLower(ids[0].Val)
	begins := func(prefix string) bool { return strings.HasPrefix(public, prefix) }
	return slices.Contains(quirkyIDs, public) || slices.ContainsFunc(quirkyPrefixes, begins) ||
		len(ids) == 1 && slices.ContainsFunc(quirkyWithoutSystem, begins)
}

const quirkySystemID = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"

var quirkyIDs = []string{"-//w3o//dtd w3 html strict 3.0//en//", "-/w3d/dtd html 4.0 transitional/en", "html"}

var quirkyWithoutSystem = []string{"-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"}

// quirkyPrefixes is the list of the standard (section 13.2.6.4.1).
var quirkyPrefixes = []string{
	"+//silmaril//dtd html pro v0r11 19970101//",
	"-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
	"-//as//dtd html 3.0 aswedit + extensions//",
	"-//ietf//dtd html 2.0 level 1//",
	"-//ietf//dtd html 2.0 level 2//",
	"-//ietf//dtd html 2.0 strict level 1//",
	"-//ietf//dtd html 2.0 strict level 2//",
	"-//ietf//dtd html 2.0 strict//",
	"-//ietf//dtd html 2.0//",
	"-//ietf//dtd html 2.1e//",
	"-//ietf//dtd html 3.0//",
	"-//ietf//dtd html 3.2 final//",
	"-//ietf//dtd html 3.2//",
	"-//ietf//dtd html 3//",
	"-//ietf//dtd html level 0//",
	"-//ietf//dtd html level 1//",
	"-//ietf//dtd html level 2//",
	"-//ietf//dtd html level 3//",
	"-//ietf//dtd html strict level 0//",
	"-//ietf//dtd html strict level 1//",
	"-//ietf//dtd html strict level 2//",
	"-//ietf//dtd html strict level 3//",
	"-//ietf//dtd html strict//",
	"-//ietf//dtd html//",
	"-//metrius//dtd metrius presentational//",
	"-//microsoft//dtd internet explorer 2.0 html strict//",
	"-//microsoft//dtd internet explorer 2.0 html//",
	"-//microsoft//dtd internet explorer 2.0 tables//",
	"-//microsoft//dtd internet explorer 3.0 html strict//",
	"-//microsoft//dtd internet explorer 3.0 html//",
	"-//microsoft//dtd internet explorer 3.0 tables//",
	"-//netscape comm. corp.//dtd html//",
	"-//netscape comm. corp.//dtd strict html//",
	"-//o'reilly and associates//dtd html 2.0//",
	"-//o'reilly and associates//dtd html extended 1.0//",
	"-//o'reilly and associates//dtd html extended relaxed 1.0//",
	"-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
	"-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
	"-//spyglass//dtd html 2.0 extended//",
	"-//sq//dtd html 2.0 hotmetal + extensions//",
	"-//sun microsystems corp.//dtd hotjava html//",
	"-//sun microsystems corp.//dtd hotjava strict html//",
	"-//w3c//dtd html 3 1995-03-24//",
	"-//w3c//dtd html 3.2 draft//",
	"-//w3c//dtd html 3.2 final//",
	"-//w3c//dtd html 3.2//",
	"-//w3c//dtd html 3.2s draft//",
	"-//w3c//dtd html 4.0 frameset//",
	"-//w3c//dtd html 4.0 transitional//",
	"-//w3c//dtd html experimental 19960712//",
	"-//w3c//dtd html experimental 970421//",
	"-//w3c//dtd w3 html//",
	"-//w3o//dtd w3 html 3.0//",
	"-//webtechs//dtd mozilla html 2.0//",
	"-//webtechs//dtd mozilla html//",
}
