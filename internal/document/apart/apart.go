// Package apart reads files in a process apart.
//
// Readers of foreign formats meet bytes that were made to break them. They run
// in a child process of the same program, which has limits on memory, processor
// time and wall-clock time. What a child dies of costs the document it was
// reading and nothing else: the next one gets a new child. Children that behave
// are used again, because starting one takes a moment.
package apart

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/fault"
)

// Options say how children are started and what each may take.
type Options struct {
	Program string        // to start; it must call Serve
	Args    []string      // for the program
	Env     []string      // beside the usual; may be nil
	Workers int           // children at once; 0: two
	Memory  int64         // bytes one child and its helpers may take; 0: 1 GiB
	CPU     time.Duration // processor time for one document; 0: two minutes
	Wall    time.Duration // for one document whose context has no deadline; 0: five minutes
	Log     *slog.Logger
}

// Pool hands files to children.
type Pool struct {
	options Options
	places  chan struct{} // one per child that may run
	mu      sync.Mutex
	idle    []*child
	closed  bool
}

// When a child is not used again.
const (
	retireAfter  = 200       // documents
	retireMemory = 300 << 20 // bytes it holds when it is done
	idleTime     = time.Minute
)

// New makes a pool. Nothing is started.
func New(o Options) *Pool {
	if o.Workers <= 0 {
		o.Workers = 2
	}
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	if o.CPU <= 0 {
		o.CPU = 2 * time.Minute
	}
	if o.Wall <= 0 {
		o.Wall = 5 * time.Minute
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Pool{options: o, places: make(chan struct{}, o.Workers)}
}

// Read has a file read apart. It fits document.Readers.
func (p *Pool) Read(ctx context.Context, in document.Input) (*document.Doc, error) {
	ctx, cancel := context.WithTimeout(ctx, p.options.Wall)
	defer cancel()
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c, err := p.take()
	if err != nil {
		return nil, err
	}
	deadline, _ := ctx.Deadline() // there is one: see above
	doc, err := c.ask(ctx, question{Input: in, CPU: p.options.CPU, Deadline: deadline}, p.options.Memory)
	var refused *failure
	if errors.As(err, &refused) {
		p.giveBack(c)
		return nil, refused.refusal()
	}
	if err != nil {
		p.options.Log.WarnContext(ctx, "reader lost", "pid", c.pid(), "err", err)
		c.kill()
		return nil, lost(ctx, err)
	}
	p.giveBack(c)
	return doc, nil
}

// lost says what became of a document whose child is gone.
func lost(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errMemory):
		return fault.Limit("file", "memory")
	case errors.Is(err, errCPU):
		return fault.Limit("file", "processor time")
	case errors.Is(err, errLarge), errors.Is(err, errFrameSize):
		return fault.Limit("file", "size of the document")
	default:
		return fault.Damaged("file", err)
	}
}

// take gives an idle child, or a new one.
func (p *Pool) take() (*child, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errors.New("read a file: the pool is closed")
	}
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		c.expiry.Stop()
		return c, nil
	}
	p.mu.Unlock()
	return start(p.options)
}

// giveBack keeps a child for the next document, unless it has grown too much.
func (p *Pool) giveBack(c *child) {
	c.served++
	used, err := c.memory()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil || p.closed || c.served >= retireAfter || used > min(retireMemory, p.options.Memory/2) {
		go c.stop()
		return
	}
	c.expiry = time.AfterFunc(idleTime, func() { p.retire(c) })
	p.idle = append(p.idle, c)
}

// retire stops a child that nobody has needed for a while.
func (p *Pool) retire(c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, other := range p.idle {
		if other == c {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			go c.stop()
			return
		}
	}
}

// Close stops all idle children; those at work are stopped as they finish.
func (p *Pool) Close() error {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, c := range idle {
		c.expiry.Stop()
		c.stop()
	}
	return nil
}
