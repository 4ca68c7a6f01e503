package api

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

// FuzzReadForm: whatever is sent, it is a whole form or the caller's mistake.
func FuzzReadForm(f *testing.F) {
	f.Add("--x\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n{}\r\n"+
		"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n--x--\r\n", "x")
	f.Add("--x\r\n\r\n--x--", "x")
	f.Add("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=zz\r\n--x--", "x")
	s := &Server{Options: Options{BodyLimit: 1 << 10, SpoolDir: f.TempDir()}}
	f.Fuzz(func(t *testing.T, body, boundary string) {
		form, err := s.readForm(strings.NewReader(body), boundary)
		var own *trawl.Error
		switch {
		case err != nil && (!errors.As(err, &own) || own.Kind != trawl.Invalid && own.Kind != trawl.TooLarge):
			t.Errorf("%v", err)
		case err == nil:
			defer form.close()
			if data, err := io.ReadAll(form.file); err != nil || int64(len(data)) != form.file.Size || form.name == "" {
				t.Errorf("%d bytes of %d, name %q, %v", len(data), form.file.Size, form.name, err)
			}
		}
	})
}
