package pdfium

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// record is what the loop below writes down of one glyph: its character, its text
// object, whether it has a box, and the box.
type record []byte

const (
	recordSize  = 7 * 4
	gatherBatch = 512 // glyphs of one call
)

func (r record) word(i int) uint32   { return binary.LittleEndian.Uint32(r[4*i:]) }
func (r record) float(i int) float64 { return float64(math.Float32frombits(r.word(i))) }

func (r record) char() rune     { return rune(r.word(0)) }
func (r record) object() uint64 { return uint64(r.word(1)) } // zero: the engine made the glyph up
func (r record) placed() bool   { return r.word(2) != 0 }

// box is the glyph's box in the coordinates of the file.
func (r record) box() (left, top, right, bottom float64) {
	return r.float(3), r.float(4), r.float(5), r.float(6)
}

// gathering is a second module beside the engine's that has the loop over the
// glyphs of a page. A page has thousands, three questions each, and to step into
// WebAssembly costs as much as most answers: with the loop on that side it is one
// step for hundreds of glyphs.
func gathering() []byte {
	const i32, memory, function = 0x7f, 2, 0
	question := []byte{0x60, 2, i32, i32, 1, i32}         // (text, index) → word
	boxQuestion := []byte{0x60, 3, i32, i32, i32, 1, i32} // (text, index, where to) → word
	loopType := []byte{0x60, 4, i32, i32, i32, i32, 0}    // (text, index, end, where to)
	imported := func(name string, kind ...byte) []byte {
		return slices.Concat(named(engineName), named(name), kind)
	}
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"),
		section(1, question, boxQuestion, loopType),
		section(2,
			imported("memory", memory, 0, 0),
			imported("FPDFText_GetUnicode", function, 0),
			imported("FPDFText_GetTextObject", function, 0),
			imported("FPDFText_GetLooseCharBox", function, 1)),
		section(3, []byte{2}),
		section(7, slices.Concat(named("gather"), []byte{function, 3})),
		section(10, sized(gatherLoop())),
	)
}

// gatherLoop is the code of the loop. Its locals are the arguments: the text page,
// the index of a glyph, the index to stop at, and where the next record goes.
func gatherLoop() []byte {
	const (
		block, loop, end, br, brIf = 0x02, 0x03, 0x0b, 0x0c, 0x0d
		call, get, set             = 0x10, 0x20, 0x21
		store, constant, add, geS  = 0x36, 0x41, 0x6a, 0x4e
		empty                      = 0x40 // a block without a result
		text, index, stop, out     = 0, 1, 2, 3
		word                       = 2 // alignment: four bytes
	)
	return []byte{
		0, // no more locals
		block, empty, loop, empty,
		get, index, get, stop, geS, brIf, 1,
		get, out, get, text, get, index, call, 0, store, word, 0,
		get, out, get, text, get, index, call, 1, store, word, 4,
		get, out, get, text, get, index, get, out, constant, 12, add, call, 2, store, word, 8,
		get, index, constant, 1, add, set, index,
		get, out, constant, recordSize, add, set, out,
		br, 0, end, end, end,
	}
}

// engineName is what the loop calls the engine's module.
const engineName = "pdfium"

// section writes a section of a WebAssembly module: its number and its entries.
func section(number byte, entries ...[]byte) []byte {
	body := append([]byte{byte(len(entries))}, slices.Concat(entries...)...)
	return append([]byte{number}, sized(body)...)
}

func named(name string) []byte { return sized([]byte(name)) }

// sized puts the length before bytes.
func sized(b []byte) []byte { return append(binary.AppendUvarint(nil, uint64(len(b))), b...) }

// startGathering puts the loop beside an instance and finds room for its records.
func (e *Engine) startGathering(ctx context.Context, in *instance) error {
	ctx = experimental.WithImportResolver(ctx, func(string) api.Module { return in.module })
	mod, err := e.runtime.InstantiateModule(ctx, e.loop, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return fmt.Errorf("instantiate the loop over glyphs: %w", err)
	}
	in.loop, in.gather = mod, mod.ExportedFunction("gather")
	in.records = uint32(in.call(ctx, "malloc", gatherBatch*recordSize))
	return in.err
}

// gatherGlyphs asks for the glyphs of a text page from one index up to another. It
// gives fewer than that where they are more than fit, and none after a failure.
// They stay until the next call.
func (in *instance) gatherGlyphs(ctx context.Context, text uint64, from, to int) []byte {
	to = min(to, from+gatherBatch)
	in.invoke(ctx, in.gather, text, uint64(from), uint64(to), uint64(in.records))
	records, _ := in.memory.Read(in.records, uint32(to-from)*recordSize)
	if in.err != nil {
		return nil
	}
	return records
}
