package ocr

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stand-in for tesseract: it checks what it is given and prints a table.
const script = `#!/bin/sh
test "$OMP_THREAD_LIMIT" = 1 || exit 3
head -c 4 | tail -c 3 | grep -q PNG || exit 4
cat <<'END'
level	page_num	block_num	par_num	line_num	word_num	left	top	width	height	conf	text
4	1	1	1	1	0	100	200	400	40	-1	
5	1	1	1	1	1	100	200	180	40	96	Hello
5	1	1	1	1	2	320	200	180	40	91	there
5	1	1	1	1	3	520	200	10	40	3	noise
END
`

func command(t *testing.T, text string) Engine {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tesseract")
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return Engine{Command: path}
}

func TestWordsBecomeGlyphs(t *testing.T) {
	glyphs, err := command(t, script).Glyphs(t.Context(), image.NewGray(image.Rect(0, 0, 20, 20)), 200)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, g := range glyphs {
		text.WriteRune(g.Rune)
	}
	if text.String() != "Hello there " {
		t.Errorf("text = %q, want the words without the noise", text.String())
	}
	// 100 pixels at 200 dpi are 36 points; the fifth letter ends with the word.
	if g := glyphs[4]; glyphs[0].Box.X0 != 36 || g.Box.X1 < 100.7 || g.Box.X1 > 100.9 {
		t.Errorf("word from %g to %g, want 36 to 100.8", glyphs[0].Box.X0, g.Box.X1)
	}
}

func TestBlankPagesAreTold(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 1000, 1000))
	for i := range img.Pix {
		img.Pix[i] = 250
	}
	if !Blank(img) {
		t.Error("a white page is not blank")
	}
	for i := range 1000 {
		img.Pix[500_000+i] = 0
	}
	if Blank(img) {
		t.Error("a page with a line on it is blank")
	}
}

func TestFailureNamesItsReason(t *testing.T) {
	_, err := command(t, "#!/bin/sh\necho 'no such language' >&2\nexit 1\n").Glyphs(t.Context(), image.NewGray(image.Rect(0, 0, 2, 2)), 200)
	if err == nil || !strings.Contains(err.Error(), "no such language") {
		t.Errorf("error = %v, want what the program said", err)
	}
}

func TestEndedContextEndsTheProgram(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := command(t, "#!/bin/sh\nexec sleep 60\n").Glyphs(ctx, image.NewGray(image.Rect(0, 0, 2, 2)), 200)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context canceled", err)
	}
}

func TestZeroEngineIsNotAvailable(t *testing.T) {
	if (Engine{}).Available() {
		t.Error("an engine without a command is available")
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte(script))
	f.Add([]byte("5\t1\t1\t1\t1\t1\t-5\tNaN\t1e300\t0\t99\tx\n"))
	f.Fuzz(func(t *testing.T, table []byte) {
		for _, g := range glyphsFromTSV(table, 0.36) {
			if g.Rune == 0 {
				t.Fatal("a glyph without a character")
			}
		}
	})
}
