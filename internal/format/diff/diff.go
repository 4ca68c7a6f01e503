// Package diff writes how one text became another: as a unified diff, and as
// the same diff taken apart.
package diff

import (
	"fmt"
	"strings"

	"znkr.io/diff"

	"github.com/trawlhq/trawl"
)

// contextLines stand around each change.
const contextLines = 3

// Lines compares two texts line by line.
func Lines(before, after string) trawl.Diff {
	hunks := diff.Hunks(strings.Split(before, "\n"), strings.Split(after, "\n"), diff.Context(contextLines))
	var text strings.Builder
	text.WriteString("--- previous\n+++ current\n")
	from, to := "previous", "current"
	file := trawl.DiffFile{From: &from, To: &to, Chunks: []trawl.DiffChunk{}}
	for _, h := range hunks {
		chunk := chunkOf(h)
		writeChunk(&text, chunk)
		file.Chunks = append(file.Chunks, chunk)
	}
	return trawl.Diff{Text: text.String(), JSON: trawl.DiffTree{Files: []trawl.DiffFile{file}}}
}

// chunkOf takes a hunk apart, with line numbers counted from 1.
func chunkOf(h diff.Hunk[string]) trawl.DiffChunk {
	chunk := trawl.DiffChunk{
		Content: fmt.Sprintf("@@ -%s +%s @@", span(h.PosX, h.EndX), span(h.PosY, h.EndY)),
		Changes: make([]trawl.DiffChange, 0, len(h.Edits)),
	}
	oldLine, newLine := h.PosX+1, h.PosY+1
	for _, e := range h.Edits {
		switch e.Op {
		case diff.Delete:
			chunk.Changes = append(chunk.Changes, trawl.DiffChange{Type: "del", Del: true, Line: oldLine, Content: "-" + e.X})
			oldLine++
		case diff.Insert:
			chunk.Changes = append(chunk.Changes, trawl.DiffChange{Type: "add", Add: true, Line: newLine, Content: "+" + e.Y})
			newLine++
		default:
			chunk.Changes = append(chunk.Changes, trawl.DiffChange{Type: "normal", Normal: true, OldLine: oldLine, NewLine: newLine, Content: " " + e.X})
			oldLine++
			newLine++
		}
	}
	return chunk
}

// span is the range of a hunk as unified diffs write it: an empty one names the line before it.
func span(start, end int) string {
	switch n := end - start; n {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	default:
		return fmt.Sprintf("%d,%d", start+1, n)
	}
}

func writeChunk(b *strings.Builder, chunk trawl.DiffChunk) {
	b.WriteString(chunk.Content + "\n")
	for _, change := range chunk.Changes {
		b.WriteString(change.Content + "\n")
	}
}
