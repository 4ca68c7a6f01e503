package htmltree

import (
	"strings"

	"golang.org/x/net/html"
)

// manyKeys is how many attributes are compared one by one before a set is made
// of their keys; without it a tag of a million attributes takes forever.
const manyKeys = 24

// readAttributes reads a start tag from behind its name to its '>'. It reports
// false if the page ends before.
func (s *scanner) readAttributes(i int) bool {
	s.attributes.begin()
	lastEnd := -1 // of the value read last
	for {
		i = skipSpace(s.src, i)
		if i == len(s.src) {
			return false
		}
		if s.src[i] == '>' {
			break
		}
		a := scanAttribute(s.src, i)
		i = a.next
		if a.key == a.keyEnd || i == len(s.src) {
			continue
		}
		key := s.src[a.key:a.keyEnd]
		if a.seen&irregular != 0 {
			key = lower(key)
		}
		if s.attributeKnown(key) {
			continue
		}
		s.attributes.add(key, s.attributeValue(a.value, a.valueEnd))
		lastEnd = a.valueEnd
	}
	s.tok.attributes = s.attributes.current()
	s.tok.selfClosing = s.src[i-1] == '/' && i != lastEnd
	s.pos = i + 1
	if s.nul {
		replaceKeys(s.tok.attributes)
	}
	return true
}

// skipAttributes is readAttributes for an end tag, which has no use for them.
func (s *scanner) skipAttributes(i int) bool {
	for {
		i = skipSpace(s.src, i)
		if i == len(s.src) {
			return false
		}
		if s.src[i] == '>' {
			s.pos = i + 1
			return true
		}
		i = scanAttribute(s.src, i).next
	}
}

// attributeSpan is where an attribute stands on the page.
type attributeSpan struct {
	key, keyEnd, value, valueEnd int
	next                         int
	seen                         charKind // all kinds of bytes in the key
}

// scanAttribute finds the ends of the attribute that begins at i. Its key may
// be empty: then it was a stray '/'.
func scanAttribute(src string, i int) attributeSpan {
	a := attributeSpan{key: i}
	if src[i] == '=' {
		i++ // a key may begin with what ends all others
	}
	for i < len(src) {
		k := charKinds[src[i]]
		if k&endsKey != 0 {
			break
		}
		a.seen |= k
		i++
	}
	a.keyEnd, a.value, a.valueEnd = i, i, i
	i = skipSpace(src, i)
	if i < len(src) && src[i] == '=' {
		a.scanValue(src, skipSpace(src, i+1))
		return a
	}
	if i < len(src) && src[i] == '/' {
		i++
	}
	a.next = i
	return a
}

// scanValue finds the end of the value that begins at i.
func (a *attributeSpan) scanValue(src string, i int) {
	a.next = i
	if i == len(src) {
		return
	}
	switch c := src[i]; c {
	case '>':
	case '"', '\'':
		a.value = i + 1
		length := strings.IndexByte(src[i+1:], c)
		if length < 0 {
			a.valueEnd, a.next = len(src), len(src)
			return
		}
		a.valueEnd = a.value + length
		a.next = a.valueEnd + 1
	default:
		a.value = i
		i++
		for i < len(src) && src[i] != '>' && charKinds[src[i]]&space == 0 {
			i++
		}
		a.valueEnd, a.next = i, i
	}
}

// attributeKnown reports whether the tag has such an attribute already: only
// the first counts.
func (s *scanner) attributeKnown(key string) bool {
	read := s.attributes.current()
	if len(read) < manyKeys {
		return hasKey(read, key)
	}
	if len(read) == manyKeys {
		s.keys = make(map[string]bool, 2*manyKeys)
		for i := range read {
			s.keys[read[i].Key] = true
		}
	}
	known := s.keys[key]
	s.keys[key] = true
	return known
}

func hasKey(attributes []html.Attribute, key string) bool {
	for i := range attributes {
		if attributes[i].Key == key {
			return true
		}
	}
	return false
}

func (s *scanner) attributeValue(start, end int) string {
	if s.nul || s.holdsAmp(start, end) {
		return s.references.unescape(replaceNUL(s.src[start:end]), inAttribute)
	}
	return s.src[start:end]
}

// replaceKeys replaces NULs in keys. It comes after keys were compared: one with
// a NUL is another than one with the replacement character.
func replaceKeys(attributes []html.Attribute) {
	for i := range attributes {
		attributes[i].Key = replaceNUL(attributes[i].Key)
	}
}
