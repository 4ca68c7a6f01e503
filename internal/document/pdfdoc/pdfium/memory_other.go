//go:build !unix

package pdfium

import "context"

// withMappedMemory leaves the memory of instances to Go's heap.
func withMappedMemory(ctx context.Context) context.Context { return ctx }
