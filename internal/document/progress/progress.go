// Package progress lets whoever has a file read hear how far it is. The listener
// rides in the context, because between it and the reader lie parts that have
// nothing to do with it, a process border among them.
package progress

import "context"

// Listener hears how many pages are done, of how many in all. It is called from
// any goroutine, from one at a time, and must not take long.
type Listener func(done, all int)

type key struct{}

// With gives a context whose readers tell the listener.
func With(ctx context.Context, listen Listener) context.Context {
	return context.WithValue(ctx, key{}, listen)
}

// Of is the listener of a context; it is never nil.
func Of(ctx context.Context) Listener {
	if listen, ok := ctx.Value(key{}).(Listener); ok && listen != nil {
		return listen
	}
	return func(int, int) {}
}
