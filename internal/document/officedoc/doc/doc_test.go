package doc

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/doctest"
)

// letter.doc was written with an office program from a text of our own.
func letter(t testing.TB) []byte {
	t.Helper()
	body, err := os.ReadFile("testdata/letter.doc")
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func read(body []byte) (*document.Doc, error) {
	return Read(context.Background(), document.Input{Body: body, Name: "a.doc"})
}

func TestLetterKeepsItsStructure(t *testing.T) {
	doc, err := read(letter(t))
	if err != nil {
		t.Fatal(err)
	}
	got := doctest.Render(doc.Root)
	for _, want := range []string{
		`<h1>Harbour rules</h1>`,
		`<strong>before noon</strong> and leave <em>with the tide</em>. See the <a href="https://tides.test/tables">tide tables</a>.`,
		`<ol><li>Ring the bell<ul><li>twice at dawn</li><li>once at dusk</li></ul></li><li>Light the lamp</li></ol>`,
		`<tr><th>Berth</th><th>Depth</th></tr><tr><td>North</td><td>4 m</td></tr><tr><td colspan="2">closed in winter</td></tr>`,
		"<pre><code>if fog:\n    ring()</code></pre>",
		`<p>Grüße aus Łódź — 100 € für „Möwe“.</p>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %s in\n%s", want, got)
		}
	}
	if doc.Title != "The harbour master" || doc.Meta["author"] != "A. Meer" {
		t.Errorf("title %q, author %v", doc.Title, doc.Meta["author"])
	}
}

func TestEncryptedLetterIsNamedAsSuch(t *testing.T) {
	body := letter(t)
	at := strings.Index(string(body), "\xec\xa5") // the header of the text stream
	body[at+11] |= flagLocked >> 8
	if _, err := read(body); err == nil || !strings.Contains(err.Error(), "password-protected") {
		t.Errorf("err = %v, want one that names the password", err)
	}
}

func TestReadingStopsWithItsContext(t *testing.T) { doctest.Cancelled(t, Read, letter(t)) }

func TestEveryCutOfTheLetterEndsWell(t *testing.T) { doctest.Cuts(t, Read, letter(t), 251) }

func FuzzRead(f *testing.F) { doctest.Fuzz(f, Read, letter(f)) }
