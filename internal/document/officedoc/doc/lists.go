package doc

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// lists is what the document says about numbering.
type lists struct {
	defs   map[int32][]listLevel
	uses   []listUse
	counts map[string]int // numbers given, by definition and level
}

type listLevel struct {
	start  int
	format byte // 23: bullet, 255: nothing, others: numbers
	text   string
}

// listUse is one use of a definition, with what it changes.
type listUse struct {
	def    int32
	starts map[int]int
}

const (
	listSize  = 28
	levelSize = 28
	useSize   = 16
)

// readLists reads the definitions and their uses. The levels of the definitions
// follow the list of them, outside of the length that the header gives.
func readLists(r *reader) *lists {
	l := &lists{defs: map[int32][]listLevel{}, counts: map[string]int{}}
	b := r.table(fcLists)
	at := fcBase + 8*fcLists
	if len(b) < 2 || at+8 > len(r.main) {
		return l
	}
	count := min(int(le.Uint16(b)), (len(b)-2)/listSize)
	offset := int64(le.Uint32(r.main[at:])) + int64(le.Uint32(r.main[at+4:]))
	levels := slice(r.tables, offset, int64(len(r.tables)))
	for i := range count {
		def := b[2+listSize*i:]
		id, simple := int32(le.Uint32(def)), def[26]&1 != 0
		n := 9
		if simple {
			n = 1
		}
		for range n {
			var lv listLevel
			var ok bool
			if lv, levels, ok = readLevel(levels); !ok {
				break
			}
			l.defs[id] = append(l.defs[id], lv)
		}
	}
	l.uses = readUses(r.table(fcListUses))
	return l
}

// readLevel reads one level and gives what follows it.
func readLevel(b []byte) (lv listLevel, rest []byte, ok bool) {
	if len(b) < levelSize {
		return lv, nil, false
	}
	lv.start, lv.format = int(int32(le.Uint32(b))), b[4]
	skip := levelSize + int(b[24]) + int(b[25])
	if skip+2 > len(b) {
		return lv, nil, false
	}
	size := int(le.Uint16(b[skip:]))
	text := slice(b, int64(skip+2), int64(2*size))
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = le.Uint16(text[2*i:])
	}
	lv.text = string(utf16.Decode(units))
	return lv, b[min(skip+2+2*size, len(b)):], true
}

func readUses(b []byte) []listUse {
	if len(b) < 4 {
		return nil
	}
	count := min(int(le.Uint32(b)), (len(b)-4)/useSize)
	var uses []listUse
	changes := b[4+useSize*count:]
	for i := range count {
		use := b[4+useSize*i:]
		u := listUse{def: int32(le.Uint32(use)), starts: map[int]int{}}
		if len(changes) >= 4 {
			changes = changes[4:]
		}
		for range int(use[12]) {
			if len(changes) < 8 {
				break
			}
			start, flags := int(int32(le.Uint32(changes))), le.Uint32(changes[4:])
			changes = changes[8:]
			if flags&0x10 != 0 {
				u.starts[int(flags&0xF)] = start
			}
			if flags&0x20 != 0 {
				lv, rest, ok := readLevel(changes)
				if !ok {
					break
				}
				changes = rest
				if flags&0x10 != 0 {
					u.starts[int(flags&0xF)] = lv.start
				}
			}
		}
		uses = append(uses, u)
	}
	return uses
}

// item gives a paragraph its place in a list; false if it is in none.
func (l *lists) item(p paraProps) (flow.Para, bool) {
	if p.list < 1 || p.list > len(l.uses) {
		return flow.Para{}, false
	}
	use := &l.uses[p.list-1]
	levels := l.defs[use.def]
	if p.level >= len(levels) {
		return flow.Para{}, false
	}
	lv := levels[p.level]
	if lv.format == 255 || strings.TrimSpace(lv.text) == "" {
		return flow.Para{Form: flow.More, Level: p.level}, true
	}
	key := strconv.Itoa(int(use.def))
	out := flow.Para{Form: flow.Item, Level: p.level, List: key}
	if lv.format != 23 {
		out.Ordered = true
		out.Number = l.count(use, key, p.level, lv.start)
	}
	return out, true
}

// count gives the next number. Uses of one definition count on together, unless
// a use starts anew.
func (l *lists) count(use *listUse, def string, level, start int) int {
	key := def + "/" + strconv.Itoa(level)
	n, counted := l.counts[key]
	if from, anew := use.starts[level]; anew {
		delete(use.starts, level)
		n = from - 1
	} else if !counted {
		n = start - 1
	}
	l.counts[key] = n + 1
	for deeper := level + 1; deeper <= 8; deeper++ {
		delete(l.counts, def+"/"+strconv.Itoa(deeper))
	}
	return n + 1
}
