// Package telemetry is how trawl is watched: request ids that ride in the
// context, log lines that bear them, and the registry of metrics.
package telemetry

import (
	"context"
	"io"
	"log/slog"

	"github.com/google/uuid"
)

type requestIDKey struct{}

// WithRequestID puts the id of a request into ctx.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID gives the id of the request ctx belongs to; empty where there is none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// maxRequestID is how long a request id of a caller may be.
const maxRequestID = 128

// SaneRequestID gives the caller's id back when it is short printable ASCII, and a fresh one otherwise.
func SaneRequestID(sent string) string {
	if sent == "" || len(sent) > maxRequestID {
		return uuid.NewString()
	}
	for i := range len(sent) {
		if sent[i] < 0x20 || sent[i] > 0x7e {
			return uuid.NewString()
		}
	}
	return sent
}

// NewLogger writes log lines as text for a person or as JSON for a machine.
func NewLogger(w io.Writer, format string, level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if format == "json" {
		return slog.New(withRequest{slog.NewJSONHandler(w, options)})
	}
	return slog.New(withRequest{slog.NewTextHandler(w, options)})
}

// withRequest adds the request id to every line that has one.
type withRequest struct{ slog.Handler }

// Handle implements slog.Handler.
func (h withRequest) Handle(ctx context.Context, r slog.Record) error {
	if id := RequestID(ctx); id != "" {
		r.AddAttrs(slog.String("request", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h withRequest) WithAttrs(attrs []slog.Attr) slog.Handler {
	return withRequest{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h withRequest) WithGroup(name string) slog.Handler {
	return withRequest{h.Handler.WithGroup(name)}
}
