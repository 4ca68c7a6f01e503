package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/trawlhq/trawl"
)

// noDocuments is where the documents of a status stand; in a string it would be escaped.
const noDocuments = `"data":[]`

// replyStatus writes a status with its documents as they are. They may be ten
// megabytes, are JSON already, and are asked for again and again: encoding them
// anew would cost more than all the rest of the answer.
func replyStatus(w http.ResponseWriter, answer *trawl.CrawlStatus) error {
	bare := *answer
	bare.Data = []trawl.WireDocument{}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(bare); err != nil {
		return err
	}
	w.Header().Add("Vary", "Accept-Encoding")
	head, tail, found := bytes.Cut(text.Bytes(), []byte(noDocuments))
	if !found || answer.Count() == 0 {
		return reply(w, answer)
	}
	head, tail = append(bytes.Clone(head), `"data":[`...), append([]byte{']'}, tail...)
	if answer.Packed != nil {
		w.Header().Set("Content-Encoding", "gzip")
		sendParts(w, gzipAround(head, answer.Packed, tail))
		return nil
	}
	parts := [][]byte{head}
	for i, doc := range answer.Data {
		if i > 0 {
			parts = append(parts, []byte{','})
		}
		parts = append(parts, doc)
	}
	sendParts(w, append(parts, tail))
	return nil
}

// sendParts writes one body from several pieces.
func sendParts(w http.ResponseWriter, parts [][]byte) {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(size))
	w.WriteHeader(http.StatusOK)
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return // the caller is gone; nobody is left to tell
		}
	}
}
