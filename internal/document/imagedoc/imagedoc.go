// Package imagedoc reads pictures of text with tesseract, a program of its own.
//
// The picture is measured before any decoder sees it: a file of a few bytes can
// claim to be a hundred thousand pixels wide. The program gets the bytes on its
// input, runs on one core, and is killed when the caller's time is over. AVIF,
// which it does not know, goes through a second program first, where there is one.
package imagedoc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/kind"
)

const (
	what      = "picture"
	maxPixels = 100_000_000
	maxSide   = 32_000 // tesseract refuses more than 32,767
	waitDelay = time.Second
)

// Reader reads pictures.
type Reader struct {
	command   string
	languages string
	decoder   string // of AVIF; empty: there is none
}

// ErrNoEngine says that the program for reading pictures is not installed.
var ErrNoEngine = errors.New("tesseract is not installed")

// Open finds the program. Command is its name or path, "tesseract" if empty;
// languages are joined by "+", "eng" if empty.
func Open(command, languages string) (*Reader, error) {
	if command == "" {
		command = "tesseract"
	}
	if languages == "" {
		languages = "eng"
	}
	path, err := exec.LookPath(command)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", command, ErrNoEngine)
	}
	avifdec, err := exec.LookPath(decoder)
	if err != nil {
		avifdec = "" // AVIF is then refused, other pictures are read
	}
	return &Reader{command: path, languages: languages, decoder: avifdec}, nil
}

// Read reads the text in a picture.
func (r *Reader) Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	media := kind.ImageType(in.Body)
	if media == "" {
		return nil, trawl.Errorf(trawl.SiteFailed, "Pictures of this type are not supported.").
			WithCode("SCRAPE_UNSUPPORTED_FILE_ERROR")
	}
	width, height, ok := size(media, in.Body)
	if !ok {
		return nil, fault.Damaged(what, errors.New("no dimensions"))
	}
	if width > maxSide || height > maxSide || int64(width)*int64(height) > maxPixels {
		return nil, fault.Limit(what, "pixels")
	}
	body := in.Body
	if media == avif {
		if body, err = r.convert(ctx, body); err != nil {
			return nil, err
		}
	}
	page, err := r.recognize(ctx, body)
	if err != nil {
		return nil, err
	}
	return facts.Facts{}.Doc(document.Image, in, blocks(page)), nil
}

// recognize runs the program, which answers with a page of hOCR.
func (r *Reader) recognize(ctx context.Context, body []byte) ([]byte, error) {
	cmd := exec.CommandContext(ctx, r.command, "stdin", "stdout", "-l", r.languages, "hocr")
	cmd.Stdin = bytes.NewReader(body)
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1") // its own threads make it slower
	cmd.WaitDelay = waitDelay
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fault.Damaged(what, fmt.Errorf("run tesseract: %w: %.200s", err, complaint.String()))
	}
	return out, nil
}
