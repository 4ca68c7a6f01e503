package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
)

// reply writes an answer. Every success is a 200.
func reply(w http.ResponseWriter, v any) error {
	return writeJSON(w, http.StatusOK, v)
}

// buffers are reused from answer to answer; one that a huge page has blown up is left to the collector.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const largestKept = 1 << 20

// writeJSON writes any answer. A value that cannot be written is found out
// before the status line is sent, so the caller still gets an error. <, > and &
// stay as they are: answers are full of markup, and nobody puts them into a
// script element.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if b.Cap() <= largestKept {
			buffers.Put(b)
		}
	}()
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // an error means that the caller is gone; nobody is left to tell
	return nil
}
