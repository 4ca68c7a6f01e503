package testsite

import "sync"

// counter counts under names, for many goroutines at once.
type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func newCounter() *counter { return &counter{n: map[string]int{}} }

// add counts one more and gives the new count.
func (c *counter) add(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[name]++
	return c.n[name]
}

func (c *counter) get(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n[name]
}
