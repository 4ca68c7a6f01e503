//go:build unix

package pdfium

import (
	"context"
	"fmt"
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// withMappedMemory has instances keep their memory outside of Go's heap: a range
// of addresses is set aside once, and the system fills it with memory as it is
// used. Growing then copies nothing, and a closed instance gives everything back
// at once.
func withMappedMemory(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(newMapped))
}

// mapped is the memory of one instance.
type mapped struct{ space []byte }

func newMapped(_, limit uint64) experimental.LinearMemory {
	space, err := syscall.Mmap(-1, 0, int(limit), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		// The interface has no place for an error; start recovers this panic.
		panic(fmt.Errorf("reserve memory for an instance: %w", err))
	}
	return &mapped{space: space}
}

// Reallocate makes the first size bytes usable; nil: that is too much.
func (m *mapped) Reallocate(size uint64) []byte {
	if size > uint64(len(m.space)) {
		return nil
	}
	return m.space[:size]
}

// Free gives the memory back.
func (m *mapped) Free() {
	_ = syscall.Munmap(m.space) // nothing can be done about it here
	m.space = nil
}
