package imagedoc

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/fault"
)

const avif = "image/avif"

// decoder is the program that turns AVIF, which tesseract does not know, into
// PNG. It comes with libavif.
const decoder = "avifdec"

// convert turns an AVIF picture into PNG. The program works on files only.
func (r *Reader) convert(ctx context.Context, body []byte) (png []byte, err error) {
	if r.decoder == "" {
		return nil, trawl.Errorf(trawl.SiteFailed, "Pictures of type AVIF are not supported: %s is not installed.", decoder).
			WithCode("SCRAPE_UNSUPPORTED_FILE_ERROR")
	}
	dir, err := os.MkdirTemp("", "trawl-avif")
	if err != nil {
		return nil, fmt.Errorf("make room for a picture: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what stays is swept with the temporary folder
	from, to := filepath.Join(dir, "in.avif"), filepath.Join(dir, "out.png")
	if err := os.WriteFile(from, body, 0o600); err != nil {
		return nil, fmt.Errorf("hand a picture over: %w", err)
	}
	cmd := exec.CommandContext(ctx, r.decoder, "--jobs", "1", "--size-limit", strconv.Itoa(maxPixels), from, to)
	cmd.WaitDelay = waitDelay
	complaint, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fault.Damaged(what, fmt.Errorf("run %s: %w: %.200s", decoder, err, complaint))
	}
	png, err = os.ReadFile(to)
	if err != nil {
		return nil, fault.Damaged(what, fmt.Errorf("run %s: %w", decoder, err))
	}
	return png, nil
}

const avifHead = 64 << 10 // properties stand before the picture itself

// sizeAVIF reads the properties called ispe and gives the largest: one made of
// tiles, or with transparency, has several.
func sizeAVIF(b []byte) (width, height int, ok bool) {
	head := b[:min(len(b), avifHead)]
	for {
		i := bytes.Index(head, []byte("ispe"))
		if i < 0 || i+16 > len(head) {
			return width, height, width > 0 && height > 0
		}
		width = max(width, int(binary.BigEndian.Uint32(head[i+8:])))
		height = max(height, int(binary.BigEndian.Uint32(head[i+12:])))
		head = head[i+16:]
	}
}
