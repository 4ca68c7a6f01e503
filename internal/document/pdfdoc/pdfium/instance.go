package pdfium

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/tetratelabs/wazero/api"
)

// instance is one running copy of the module. It belongs to one goroutine at a
// time. Its first failed call sticks in err, and every later call does nothing:
// after a trap the memory of the module cannot be trusted.
type instance struct {
	module    api.Module
	memory    api.Memory
	functions map[string]api.Function
	stack     [12]uint64
	scratch   uint32 // where functions leave what they give by pointer
	err       error

	loop    api.Module   // runs over the glyphs of a page; it shares our memory
	gather  api.Function // of loop
	records uint32       // where gather writes
}

// close ends the instance.
func (in *instance) close(ctx context.Context) error {
	var err error
	if in.loop != nil {
		err = in.loop.Close(ctx)
	}
	return errors.Join(err, in.module.Close(ctx))
}

// scratchSize is enough for a transformation matrix, and for most strings.
const scratchSize = 8 << 10

// function finds an exported function once.
func (in *instance) function(name string) api.Function {
	fn, ok := in.functions[name]
	if !ok {
		fn = in.module.ExportedFunction(name)
		in.functions[name] = fn
	}
	return fn
}

// call calls an exported function by name.
func (in *instance) call(ctx context.Context, name string, args ...uint64) uint64 {
	fn := in.function(name)
	if fn == nil {
		in.fail(fmt.Errorf("pdfium has no function %s", name))
		return 0
	}
	return in.invoke(ctx, fn, args...)
}

// invoke is call for a function already found, for the loops over glyphs.
func (in *instance) invoke(ctx context.Context, fn api.Function, args ...uint64) uint64 {
	if in.err != nil {
		return 0
	}
	copy(in.stack[:], args)
	if err := fn.CallWithStack(ctx, in.stack[:]); err != nil {
		in.fail(err)
		return 0
	}
	return in.stack[0]
}

func (in *instance) fail(err error) {
	if in.err == nil {
		in.err = err
	}
}

// double reads the i-th float64 from the scratch space.
func (in *instance) double(i uint32) float64 {
	v, _ := in.memory.ReadFloat64Le(in.scratch + 8*i)
	return v
}

// float reads the i-th float32 from the scratch space.
func (in *instance) float(i uint32) float64 {
	v, _ := in.memory.ReadFloat32Le(in.scratch + 4*i)
	return float64(v)
}

// word reads the i-th uint32 from the scratch space.
func (in *instance) word(i uint32) uint32 {
	v, _ := in.memory.ReadUint32Le(in.scratch + 4*i)
	return v
}

// read copies n bytes.
func (in *instance) read(from uint32, n uint64) []byte {
	b, ok := in.memory.Read(from, uint32(n))
	if !ok {
		return nil
	}
	return append([]byte(nil), b...)
}

// text calls a function that writes UTF-16 to the buffer given by its last two
// arguments and answers with the number of bytes it has.
func (in *instance) text(ctx context.Context, name string, args ...uint64) string {
	n := in.call(ctx, name, append(args, uint64(in.scratch), scratchSize)...)
	if n < 2 || n > scratchSize {
		return ""
	}
	return decodeUTF16(in.read(in.scratch, n))
}

func decodeUTF16(raw []byte) string {
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		u := binary.LittleEndian.Uint16(raw[i:])
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units))
}

// cstring calls a function that writes a C string of bytes in the same way.
func (in *instance) cstring(ctx context.Context, name string, args ...uint64) string {
	n := in.call(ctx, name, append(args, uint64(in.scratch), scratchSize)...)
	if n < 2 || n > scratchSize {
		return ""
	}
	raw := in.read(in.scratch, n)
	if i := bytes.IndexByte(raw, 0); i >= 0 {
		raw = raw[:i]
	}
	return strings.ToValidUTF8(string(raw), "")
}

// at is the address of the i-th float64 in the scratch space, as an argument.
func (in *instance) at(i uint32) uint64 { return uint64(in.scratch + 8*i) }

func asFloat(v uint64) float64  { return float64(math.Float32frombits(uint32(v))) }
func asDouble(v uint64) float64 { return math.Float64frombits(v) }
