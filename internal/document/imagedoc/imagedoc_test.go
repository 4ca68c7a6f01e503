package imagedoc

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/doctest"
)

// engine makes a program that answers as tesseract does.
func engine(t *testing.T, script string) *Reader {
	t.Helper()
	path := filepath.Join(t.TempDir(), "engine")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path, "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func picture(t testing.TB, width, height int) []byte {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const page = `cat > /dev/null; cat <<'END'
<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><div class="ocr_page"><p class="ocr_par"><span class="ocr_line"><span class="ocrx_word">The</span> <span class="ocrx_word">har-</span></span><span class="ocr_line"><span class="ocrx_word">bour</span> <span class="ocrx_word">&amp;</span></span><span class="ocr_line"><span class="ocrx_word">sea</span></span></p><p class="ocr_par"> </p><p class="ocr_par"><span class="ocr_line"><span class="ocrx_word">End</span></span></p></div></body></html>
END
`

func TestParagraphsComeFromThePage(t *testing.T) {
	doc, err := engine(t, page).Read(context.Background(), document.Input{Body: picture(t, 10, 10)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := doctest.Render(doc.Root), "<p>The harbour &amp; sea</p>\n<p>End</p>\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPicturesAreMeasuredBeforeTheyAreDecoded(t *testing.T) {
	huge := picture(t, 1, 1)
	copy(huge[16:], []byte{0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0}) // claims 100,000 × 100,000
	binary := append([]byte("BM"), append(make([]byte, 12), 40, 0, 0, 0, 0xA0, 0x86, 1, 0, 0xA0, 0x86, 1, 0)...)
	for _, tc := range []struct {
		name string
		body []byte
		want string
	}{
		{"a BMP a hundred thousand pixels wide", binary, "limit on pixels"},
		{"a PNG whose checksum does not hold", huge, "damaged"},
		{"a cut-off one", huge[:12], "damaged"},
		{"no picture", []byte("text"), "not supported"},
		{"an AVIF without its size", []byte("\x00\x00\x00\x1cftypavif"), "damaged"},
		{"an AVIF a hundred thousand pixels wide", []byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x01\x86\xa0\x00\x01\x86\xa0"), "limit on pixels"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := engine(t, "exit 1").Read(context.Background(), document.Input{Body: tc.body})
			var own *trawl.Error
			if !errors.As(err, &own) || !strings.Contains(own.Message, tc.want) {
				t.Errorf("err = %v, want one that says %q", err, tc.want)
			}
		})
	}
}

func TestAnEngineThatFailsOrHangsIsTheEndOfThePictureOnly(t *testing.T) {
	in := document.Input{Body: picture(t, 5, 5)}
	if _, err := engine(t, "echo broken >&2; exit 1").Read(context.Background(), in); err == nil ||
		!strings.Contains(err.Error(), "broken") {
		t.Errorf("err = %v, want the engine's own words", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := engine(t, "exec sleep 60").Read(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}

// small is what the head of an AVIF picture of 64 × 24 pixels looks like.
const small = "\x00\x00\x00\x1cftypavif\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00\x18"

func TestAVIFIsConvertedFirst(t *testing.T) {
	converter := func(t *testing.T, script string) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "avifdec")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// The arguments end with the names of both files. What is written reaches the
	// engine, which answers with what it got.
	const copies = `for name; do from=$to; to=$name; done; cp "$from" "$to"`
	const echoes = `printf '<body><p class="ocr_par"><span class="ocr_line"><span class="ocrx_word">'; tail -c 4 | od -An -tx1 | tr -d ' \n'; printf '</span></span></p></body>'`
	for _, tc := range []struct{ name, converter, want string }{
		{"converted", copies, "<p>00000018</p>\n"},
		{"broken", "echo no AV1 here; exit 1", "no AV1 here"},
		{"nothing written", "exit 0", "damaged"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := engine(t, echoes)
			r.decoder = converter(t, tc.converter)
			got := ""
			doc, err := r.Read(context.Background(), document.Input{Body: []byte(small)})
			if err != nil {
				got = err.Error()
			} else {
				got = doctest.Render(doc.Root)
			}
			if !strings.Contains(got, tc.want) {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestAVIFIsRefusedByNameWithoutItsConverter(t *testing.T) {
	r := engine(t, "exit 1")
	r.decoder = ""
	_, err := r.Read(context.Background(), document.Input{Body: []byte(small)})
	var own *trawl.Error
	if !errors.As(err, &own) || own.Code != "SCRAPE_UNSUPPORTED_FILE_ERROR" || !strings.Contains(own.Message, "avifdec") {
		t.Errorf("err = %v, want SCRAPE_UNSUPPORTED_FILE_ERROR that names avifdec", err)
	}
}

func TestWithoutAnEngineThereIsNoReader(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none"), ""); !errors.Is(err, ErrNoEngine) {
		t.Errorf("err = %v, want ErrNoEngine", err)
	}
}

func TestSizes(t *testing.T) {
	for _, tc := range []struct {
		name, media, head string
		width, height     int
	}{
		{"TIFF", "image/tiff", "II*\x00\x08\x00\x00\x00\x02\x00\x00\x01\x03\x00\x01\x00\x00\x00\x40\x00\x00\x00\x01\x01\x04\x00\x01\x00\x00\x00\x30\x00\x00\x00\x00\x00\x00\x00", 64, 48},
		{"large WebP", "image/webp", "RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\xff\x01\x00\x0f\x00\x00", 512, 16},
		{"AVIF of two tiles", "image/avif", "\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x00\x20\x00\x00\x00\x18\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00\x18", 64, 24},
		{"JPEG 2000", "image/jp2", "\x00\x00\x00\x0cjP  \r\n\x87\n\x00\x00\x00\x16ihdr\x00\x00\x00\x10\x00\x00\x00\x20", 32, 16},
	} {
		if w, h, ok := size(tc.media, []byte(tc.head)); !ok || w != tc.width || h != tc.height {
			t.Errorf("%s: %d × %d (%v), want %d × %d", tc.name, w, h, ok, tc.width, tc.height)
		}
	}
}

func FuzzSize(f *testing.F) {
	f.Add("image/png", picture(f, 3, 3))
	f.Add("image/tiff", []byte("II*\x00\x08\x00\x00\x00"))
	f.Add("image/avif", []byte(small))
	f.Add("image/webp", []byte("RIFF\x00\x00\x00\x00WEBPVP8 "))
	f.Fuzz(func(_ *testing.T, media string, body []byte) {
		size(media, body)
		blocks(body)
	})
}
