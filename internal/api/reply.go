package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/trawlhq/trawl"
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
	defer putBack(b)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	send(w, status, b.Bytes())
	return nil
}

func putBack(b *bytes.Buffer) {
	if b.Cap() <= largestKept {
		buffers.Put(b)
	}
}

func send(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the caller is gone; nobody is left to tell
}

// bodies are the buffers of documents, reused like buffers.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// replyDocument writes a document, which has often been encoded before.
func replyDocument(w http.ResponseWriter, doc *trawl.Document) error {
	b := bodies.Get().(*[]byte)
	body, err := doc.AppendJSON(append((*b)[:0], `{"success":true,"data":`...))
	if err != nil {
		return err
	}
	body = append(body, '}', '\n')
	send(w, http.StatusOK, body)
	if *b = body; cap(body) <= largestKept {
		bodies.Put(b)
	}
	return nil
}
