package ppt

import "strings"

// linkRun is a stretch of characters that links somewhere.
type linkRun struct {
	from, to int
	href     string
}

const (
	maxLinks     = 10_000 // of a show
	maxTextLinks = 500    // of one text: each of its stretches is held against them
)

// readLinks reads the addresses that texts refer to by a number. Those of places
// in the show itself are left out.
func readLinks(show record) map[uint32]string {
	links := map[uint32]string{}
	list, ok := show.first(recObjects)
	if !ok {
		return links
	}
	for _, k := range list.kids() {
		if k.kind != recHyperlink || len(links) >= maxLinks {
			continue
		}
		id, known, target := uint32(0), false, ""
		for _, part := range k.kids() {
			switch {
			case part.kind == recHyperlinkID && len(part.data) >= 4:
				id, known = le.Uint32(part.data), true
			case part.kind == recString && part.instance == 1:
				target = strings.TrimSpace(wide(part.data))
			}
		}
		if known && isAddress(target) {
			links[id] = target
		}
	}
	return links
}

// isAddress tells an address from the number and title of a slide.
func isAddress(target string) bool {
	scheme, _, ok := strings.Cut(target, ":")
	return ok && scheme != "" && !strings.ContainsAny(scheme, " ,/")
}

// click reads which link a click leads to.
func click(rec record) (id uint32, ok bool) {
	for _, k := range rec.kids() {
		if k.kind == recClickInfo && len(k.data) >= 8 {
			return le.Uint32(k.data[4:]), true
		}
	}
	return 0, false
}

// cut ends a stretch where a link begins or ends, and says where it leads.
func (t text) cut(from, to int) (href string, end int) {
	for _, l := range t.links {
		switch {
		case l.from <= from && from < l.to:
			return l.href, min(to, l.to)
		case l.from > from:
			to = min(to, l.from)
		}
	}
	return "", to
}
