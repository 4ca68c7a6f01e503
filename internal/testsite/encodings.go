package testsite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// encodingPages are compressed: rightly, wrongly, and as bombs.
func encodingPages() []Page {
	pages := []Page{
		{Path: "/encoded/gzip-truncated", About: "gzip that stops in the middle", serve: damaged(func(b []byte) []byte { return b[:len(b)/2] })},
		{Path: "/encoded/gzip-corrupt", About: "gzip whose checksum is wrong", serve: damaged(func(b []byte) []byte { b[len(b)-8] ^= 0xff; return b })},
		{Path: "/encoded/gzip-not", About: "called gzip, is not compressed", serve: labelled("gzip", []byte(document("Not compressed", "<p>plain after all</p>")))},
		{Path: "/encoded/unknown", About: "a coding nobody knows", serve: labelled("rot13", []byte("<uryyb>"))},
		{Path: "/encoded/twice", About: "gzip inside gzip, both declared", serve: twice},
	}
	for _, coding := range []string{"gzip", "br", "zstd", "deflate"} {
		pages = append(pages,
			Page{Path: "/encoded/" + coding, About: "compressed with " + coding, serve: compressed(coding)},
			Page{Path: "/bomb/" + coding + "?mib=512", About: coding + " bomb: mib says how much it inflates to", serve: bomb(coding)})
	}
	return pages
}

// encoder opens the writer of a content coding, at a level that makes bombs cheap.
func encoder(coding string, w io.Writer) (io.WriteCloser, error) {
	switch coding {
	case "gzip":
		return gzip.NewWriterLevel(w, gzip.BestSpeed)
	case "deflate":
		return zlib.NewWriterLevel(w, zlib.BestSpeed)
	case "br":
		return brotli.NewWriterLevel(w, brotli.BestSpeed), nil
	case "zstd":
		return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	}
	return nil, fmt.Errorf("no encoder for %q", coding)
}

func compress(coding string, content []byte) ([]byte, error) {
	var buf bytes.Buffer
	enc, err := encoder(coding, &buf)
	if err != nil {
		return nil, err
	}
	if _, err := enc.Write(content); err != nil {
		return nil, fmt.Errorf("compress with %s: %w", coding, err)
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("finish %s: %w", coding, err)
	}
	return buf.Bytes(), nil
}

func labelled(coding string, content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", coding)
		body("text/html; charset=utf-8", content)(w, nil)
	}
}

func compressed(coding string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		content, err := compress(coding, []byte(document("Compressed", "<h1>Compressed</h1><p>It was "+coding+" on the way.</p>")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		labelled(coding, content)(w, nil)
	}
}

// damaged serves a gzip page after harm was done to its bytes.
func damaged(harm func([]byte) []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		content, err := compress("gzip", bytes.Repeat([]byte("<p>Text that was whole once.</p>\n"), 200))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		labelled("gzip", harm(content))(w, nil)
	}
}

func twice(w http.ResponseWriter, _ *http.Request) {
	inner, err := compress("gzip", []byte(document("Twice", "<p>unpacked two times</p>")))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	outer, err := compress("gzip", inner)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	labelled("gzip, gzip", outer)(w, nil)
}

// bomb streams a page that is small on the wire and huge once unpacked. It is
// made while it is sent, so a reader who stops early also stops the work.
func bomb(coding string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Encoding", coding)
		enc, err := encoder(coding, w)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		inflate(r.Context(), enc, number(r, "mib", 512))
		_ = enc.Close() // the reader has usually left by now
	}
}

func inflate(ctx context.Context, enc io.Writer, mib int) {
	_, _ = io.WriteString(enc, "<!DOCTYPE html><title>Bomb</title><p>")
	chunk := bytes.Repeat([]byte("boom "), 1<<20/5)
	for i := 0; i < mib && ctx.Err() == nil; i++ {
		if _, err := enc.Write(chunk); err != nil {
			return
		}
	}
}
