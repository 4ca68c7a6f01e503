// Package ocr reads text from pictures of pages with tesseract, which runs as a
// program of its own: one process for one picture.
package ocr

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// Engine is how to start tesseract. The zero value is no engine.
type Engine struct {
	Command   string // path of the program; empty: there is no OCR
	Languages string // as tesseract names them, joined by "+"; empty: "eng"
}

// Find looks for tesseract where programs are found.
func Find() Engine {
	path, err := exec.LookPath("tesseract")
	if err != nil {
		return Engine{}
	}
	return Engine{Command: path}
}

// Available says whether there is an engine.
func (e Engine) Available() bool { return e.Command != "" }

// Resolution is what pages are best drawn at, in dots per inch.
const Resolution = 200

// Blank says that there is next to nothing on a picture: an empty page, for which
// starting the engine is a waste.
func Blank(img *image.Gray) bool {
	dark := 0
	for _, v := range img.Pix {
		if v < 160 {
			dark++
		}
	}
	return dark*4000 < len(img.Pix)
}

// Glyphs reads a picture and gives its text as glyphs in points: each letter has
// an equal share of its word's width.
func (e Engine) Glyphs(ctx context.Context, img *image.Gray, dpi float64) ([]page.Glyph, error) {
	var picture bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&picture, img); err != nil {
		return nil, fmt.Errorf("encode page: %w", err)
	}
	languages := e.Languages
	if languages == "" {
		languages = "eng"
	}
	cmd := exec.CommandContext(ctx, e.Command, "stdin", "stdout",
		"-l", languages, "--dpi", strconv.Itoa(int(dpi)), "--psm", "1", "tsv")
	// With its own threads tesseract takes twice as long: pages run beside each
	// other instead.
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
	cmd.Stdin = &picture
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("run tesseract: %w: %s", err, firstLine(problems.String()))
	}
	return glyphsFromTSV(out.Bytes(), 72/dpi), nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// The columns of tesseract's table, and the level of its word rows.
const (
	tsvLevel, tsvBlock, tsvPar, tsvLine   = 0, 2, 3, 4
	tsvLeft, tsvTop, tsvWidth, tsvHeight  = 6, 7, 8, 9
	tsvConfidence, tsvText, tsvColumns    = 10, 11, 12
	lineLevel, wordLevel, leastConfidence = 4, 5, 25
)

// glyphsFromTSV reads tesseract's table of words.
func glyphsFromTSV(table []byte, scale float64) []page.Glyph {
	var glyphs []page.Glyph
	var line page.Rect
	lines := bufio.NewScanner(bytes.NewReader(table))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if len(f) < tsvColumns {
			continue
		}
		box, ok := tsvBox(f, scale)
		if !ok {
			continue
		}
		switch f[tsvLevel] {
		case strconv.Itoa(lineLevel):
			line = box
		case strconv.Itoa(wordLevel):
			if c, err := strconv.ParseFloat(f[tsvConfidence], 64); err == nil && c >= leastConfidence {
				glyphs = appendWord(glyphs, strings.TrimSpace(f[tsvText]), box, line)
			}
		}
	}
	return glyphs
}

func tsvBox(f []string, scale float64) (page.Rect, bool) {
	var v [4]float64
	for i, column := range []int{tsvLeft, tsvTop, tsvWidth, tsvHeight} {
		n, err := strconv.ParseFloat(f[column], 64)
		if err != nil {
			return page.Rect{}, false
		}
		v[i] = n * scale
	}
	return page.Rect{X0: v[0], Y0: v[1], X1: v[0] + v[2], Y1: v[1] + v[3]}, true
}

// appendWord spreads the letters of a word over its box. Size and base line are
// those of the printed line, so that a word without tall letters looks no smaller
// than its neighbours.
func appendWord(glyphs []page.Glyph, text string, box, line page.Rect) []page.Glyph {
	letters := []rune(text)
	if len(letters) == 0 {
		return glyphs
	}
	if line.Height() < box.Height() || line.Height() > 2.5*box.Height()+6 {
		line = box
	}
	size := float64(int(line.Height()/0.95*2+0.5)) / 2
	step := box.Width() / float64(len(letters))
	for i, r := range letters {
		x := box.X0 + float64(i)*step
		glyphs = append(glyphs, page.Glyph{
			Rune: r, Size: size, Base: line.Y1 - 0.2*size,
			Box: page.Rect{X0: x, X1: x + step, Y0: box.Y0, Y1: box.Y1},
		})
	}
	return append(glyphs, page.Glyph{Rune: ' ', Size: size, Base: line.Y1})
}
