package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// lazySources are the attributes in which scripts keep the address of an image
// that is to be loaded later.
var lazySources = []string{"data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-image", "data-full-src", "data-url"}

// imageAttributes settles which picture an <img> shows: the largest of those
// offered, with an absolute address. Not ok: it shows none.
func (c *copier) imageAttributes(n *html.Node) ([]html.Attribute, bool) {
	src := c.source(n)
	if src == "" || isPixel(n) {
		return nil, false
	}
	attrs := []html.Attribute{{Key: "src", Val: src}}
	for _, a := range n.Attr {
		switch a.Key {
		case "alt", "title", "width", "height", "class", "id":
			attrs = append(attrs, a)
		}
	}
	return attrs, true
}

func (c *copier) source(n *html.Node) string {
	src := strings.TrimSpace(attr(n, "src"))
	if set := largest(attr(n, "srcset")); set != "" {
		return absolute(c.base, set)
	}
	if isPlaceholder(src) {
		for _, key := range []string{"data-srcset", "data-lazy-srcset"} {
			if set := largest(attr(n, key)); set != "" {
				return absolute(c.base, set)
			}
		}
		for _, key := range lazySources {
			if v := strings.TrimSpace(attr(n, key)); v != "" && !strings.HasPrefix(v, "{") {
				return absolute(c.base, v)
			}
		}
		if set := pictureSource(n); set != "" {
			return absolute(c.base, set)
		}
	}
	if src == "" {
		return ""
	}
	return absolute(c.base, src)
}

// pictureSource is what a <picture> around the image offers.
func pictureSource(n *html.Node) string {
	if n.Parent == nil || n.Parent.DataAtom != atom.Picture {
		return ""
	}
	for s := range n.Parent.ChildNodes() {
		if s.DataAtom != atom.Source {
			continue
		}
		for _, key := range []string{"srcset", "data-srcset"} {
			if set := largest(attr(s, key)); set != "" {
				return set
			}
		}
	}
	return ""
}

// isPlaceholder reports whether an address stands for a picture to come.
func isPlaceholder(src string) bool {
	if src == "" || strings.HasPrefix(src, "data:") || src == "#" || src == "about:blank" {
		return true
	}
	name := strings.ToLower(src[strings.LastIndexByte(src, '/')+1:])
	for _, word := range []string{"placeholder", "blank.", "spacer.", "transparent", "pixel.", "1x1", "lazy", "loading"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// isPixel reports whether an image is there to count visits.
func isPixel(n *html.Node) bool {
	return tiny(attr(n, "width")) && tiny(attr(n, "height"))
}

func tiny(s string) bool { return s == "0" || s == "1" || s == "2" }

// largest picks the widest candidate of a srcset.
func largest(set string) string {
	best, bestSize := "", -1.0
	for set != "" {
		set = strings.TrimLeft(set, " \t\r\n,")
		end := strings.IndexAny(set, " \t\r\n")
		if end < 0 {
			end = len(set)
		}
		candidate := set[:end]
		rest := set[end:]
		descriptor := ""
		if trimmed := strings.TrimRight(candidate, ","); trimmed != candidate {
			candidate = trimmed
		} else {
			descriptor, rest, _ = strings.Cut(rest, ",")
		}
		if size := candidateSize(strings.TrimSpace(descriptor)); candidate != "" && size > bestSize && !strings.HasPrefix(candidate, "data:") {
			best, bestSize = candidate, size
		}
		set = rest
	}
	return best
}

func candidateSize(descriptor string) float64 {
	if descriptor == "" {
		return 1
	}
	v, err := strconv.ParseFloat(strings.TrimRight(strings.Fields(descriptor)[0], "wxh"), 64)
	if err != nil {
		return 0
	}
	return v
}
