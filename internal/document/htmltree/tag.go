package htmltree

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// tag is all the parser knows about a name.
type tag struct {
	name  string
	atom  atom.Atom
	class class
	start startRule
	end   endRule
}

// ordinary is a name without any rules of its own.
var ordinary tag

// tags holds every name with rules of its own, and slots where each is found:
// a hash table with linear probing, whose hash is summed up as a name is read.
var tags, slots = buildTags()

const (
	hashSeed    = 2166136261
	hashPrime   = 16777619
	slotCount   = 1024
	longestAtom = 32 // no name that has an atom is longer
)

func hashStep(hash uint32, c byte) uint32 {
	return (hash ^ uint32(c|0x20)) * hashPrime // 0x20 makes capitals small
}

func slotOf(hash uint32) uint32 {
	return (hash ^ hash>>15) % slotCount
}

// findTag gives the rules for a name of that hash, or nil. The name may be in
// capitals.
func findTag(name string, hash uint32) *tag {
	for slot := slotOf(hash); ; slot = (slot + 1) % slotCount {
		i := slots[slot]
		if i == 0 {
			return nil
		}
		if t := &tags[i]; len(t.name) == len(name) && (t.name == name || lowersTo(name, t.name)) {
			return t
		}
	}
}

// tagOf gives the rules for a name.
func tagOf(name atom.Atom) *tag {
	s := name.String()
	hash := uint32(hashSeed)
	for i := range len(s) {
		hash = hashStep(hash, s[i])
	}
	if t := findTag(s, hash); t != nil {
		return t
	}
	return &ordinary
}

// buildTags turns the lists of rules.go around: from a rule's names to a name's
// rules.
func buildTags() ([]tag, *[slotCount]uint8) {
	table := make([]tag, 1, 200) // the first is none, so that an empty slot is a zero
	at := map[string]int{}
	each := func(names string, change func(*tag)) {
		for name := range strings.FieldsSeq(names) {
			if at[name] == 0 {
				at[name] = len(table)
				table = append(table, tag{name: name, atom: atom.Lookup([]byte(name))})
			}
			change(&table[at[name]])
		}
	}
	for class, names := range classes {
		each(names, func(t *tag) { t.class |= class })
	}
	for rule, names := range startRules {
		each(names, func(t *tag) { t.start = startRule(rule) })
	}
	for rule, names := range endRules {
		each(names, func(t *tag) { t.end = endRule(rule) })
	}
	each(ordinaryNames, func(*tag) {})
	return table, placeTags(table)
}

func placeTags(table []tag) *[slotCount]uint8 {
	var slots [slotCount]uint8
	for i := 1; i < len(table); i++ {
		hash := uint32(hashSeed)
		for j := range len(table[i].name) {
			hash = hashStep(hash, table[i].name[j])
		}
		slot := slotOf(hash)
		for slots[slot] != 0 {
			slot = (slot + 1) % slotCount
		}
		slots[slot] = uint8(i)
	}
	return &slots
}
