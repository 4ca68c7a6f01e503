// Package pdfium is the PDF engine: PDFium as a WebAssembly module that runs
// inside this process, in memory of its own.
//
// An Engine holds the compiled module, an instance is one running copy of it,
// and a Document is one file opened in one instance. A Page answers with what
// stands on it and where (glyphs, rules, images, links), in points from the top
// left corner of the page as a reader sees it. What it means is for the layout
// package to say.
//
// The module is driven through its C functions rather than through go-pdfium's
// Go API: that API names every page object by a random id and allocates for
// every number it returns, which by its source is too slow for rules and glyphs.
package pdfium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	_ "unsafe" // for the link to the embedded module below

	_ "github.com/klippa-app/go-pdfium/webassembly" // embeds the module
	"github.com/klippa-app/go-pdfium/webassembly/imports"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// module is the compiled PDFium that go-pdfium embeds and does not export. If a
// new version renames it, the program no longer links.
//
//go:linkname module github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var module []byte

// Options shape an engine.
type Options struct {
	// CacheDir keeps the machine code made from the module. Starting takes
	// seconds without it and a fraction of one with it. Empty: kept nowhere.
	CacheDir string
	// Instances is how many documents may be open at once. Zero: one.
	Instances int
	// MemoryLimit is what one instance may use, in bytes. Zero: 768 MiB.
	MemoryLimit int64
}

const (
	defaultMemoryLimit = 768 << 20
	wasmPage           = 64 << 10
)

// Engine is the compiled module and the instances made from it.
type Engine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	loop     wazero.CompiledModule // see gathering
	cache    wazero.CompilationCache
	slots    chan struct{} // one token per instance in use

	mu     sync.Mutex
	idle   []*instance
	closed bool
}

// Open compiles the module, or takes it from the cache.
func Open(ctx context.Context, opts Options) (*Engine, error) {
	limit := opts.MemoryLimit
	if limit <= 0 {
		limit = defaultMemoryLimit
	}
	// PDFium's setjmp needs exception handling. A running call is not ended with
	// its context: with the checks for that a set of 36 files took three times as
	// long (4.7-6.5 s against 1.2-1.9 s). Who has
	// to end one runs the engine in a process of its own.
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(uint32(limit / wasmPage))

	e := &Engine{slots: make(chan struct{}, max(1, opts.Instances))}
	if opts.CacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(opts.CacheDir)
		if err != nil {
			return nil, fmt.Errorf("open compilation cache: %w", err)
		}
		e.cache = cache
		config = config.WithCompilationCache(cache)
	}
	e.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if err := e.compile(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) compile(ctx context.Context) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, e.runtime); err != nil {
		return fmt.Errorf("instantiate wasi: %w", err)
	}
	compiled, err := e.runtime.CompileModule(ctx, module)
	if err != nil {
		return fmt.Errorf("compile pdfium: %w", err)
	}
	e.compiled = compiled
	if e.loop, err = e.runtime.CompileModule(ctx, gathering()); err != nil {
		return fmt.Errorf("compile the loop over glyphs: %w", err)
	}
	if _, err := imports.Instantiate(ctx, e.runtime, compiled); err != nil {
		return fmt.Errorf("instantiate imports: %w", err)
	}
	return nil
}

// Close waits until every document is closed, ends the instances and gives the
// machine code back.
func (e *Engine) Close() error {
	for range cap(e.slots) {
		e.slots <- struct{}{}
	}
	e.mu.Lock()
	e.closed, e.idle = true, nil
	e.mu.Unlock()
	err := e.runtime.Close(context.Background())
	if e.cache != nil {
		err = errors.Join(err, e.cache.Close(context.Background()))
	}
	return err
}

// take waits for a free slot and gives an instance: an idle one, or a new one.
func (e *Engine) take(ctx context.Context) (*instance, error) {
	e.mu.Lock()
	closed := e.closed
	e.mu.Unlock()
	if closed {
		return nil, errors.New("pdf engine is closed")
	}
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	e.mu.Lock()
	if n := len(e.idle); n > 0 {
		in := e.idle[n-1]
		e.idle = e.idle[:n-1]
		e.mu.Unlock()
		return in, nil
	}
	e.mu.Unlock()
	in, err := e.start(ctx)
	if err != nil {
		<-e.slots
		return nil, err
	}
	return in, nil
}

// give returns an instance. One that failed or grew large is ended instead:
// WebAssembly memory never shrinks.
func (e *Engine) give(in *instance) {
	defer func() { <-e.slots }()
	e.mu.Lock()
	if in.err == nil && in.memory.Size() < retireAbove {
		e.idle = append(e.idle, in)
		e.mu.Unlock()
		return
	}
	e.mu.Unlock()
	_ = in.close(context.Background()) // its memory is dropped either way
}

// retireAbove is the memory beyond which an instance is not used again. A fresh
// one costs about 3 ms.
const retireAbove = 96 << 20

// start makes an instance. It sees no files, no environment and no clock of
// ours, and what it prints goes nowhere.
func (e *Engine) start(ctx context.Context) (in *instance, err error) {
	defer recoverAs(&err)
	config := wazero.NewModuleConfig().
		WithName("").
		WithStartFunctions("_initialize").
		WithStdout(io.Discard).
		WithStderr(io.Discard)
	mod, err := e.runtime.InstantiateModule(withMappedMemory(ctx), e.compiled, config)
	if err != nil {
		return nil, fmt.Errorf("instantiate pdfium: %w", err)
	}
	in = &instance{module: mod, memory: mod.Memory(), functions: map[string]api.Function{}}
	in.call(ctx, "FPDF_InitLibrary")
	in.scratch = uint32(in.call(ctx, "malloc", scratchSize))
	if err := e.startGathering(ctx, in); err != nil {
		return nil, errors.Join(err, in.close(ctx))
	}
	return in, nil
}
