package xmlpull

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

// show writes the tokens of a document in a line.
func show(s *Scanner) string {
	var b strings.Builder
	for {
		switch s.Next() {
		case Start:
			b.WriteString("<" + s.Name())
			for _, a := range s.attrs {
				b.WriteString(" " + a.name + "=" + string(unescape(a.value)))
			}
			b.WriteString(">")
		case End:
			b.WriteString("</" + s.Name() + ">")
		case Text:
			b.WriteString(string(s.Text()))
		case EOF:
			return b.String()
		}
	}
}

func TestTokens(t *testing.T) {
	names := Names{"urn:one": "w", "urn:bare": ""}
	for _, tc := range []struct{ name, in, want string }{
		{"prefixes are renamed", `<x:a xmlns:x="urn:one" x:k="v"><x:b/></x:a>`, `<w:a w:k=v><w:b></w:b></w:a>`},
		{"the default namespace holds for elements only", `<a xmlns="urn:one" k="v"/>`, `<w:a k=v></w:a>`},
		{"a namespace may have no prefix here", `<y:a xmlns:y="urn:bare"/>`, `<a></a>`},
		{"inner declarations end with their element", `<a xmlns="urn:one"><b xmlns="urn:bare"/><c/></a>`, `<w:a><b></b><w:c></w:c></w:a>`},
		{"a declaration may follow its use in the tag", `<z:a z:k="v" xmlns:z="urn:one"/>`, `<w:a w:k=v></w:a>`},
		{"unknown prefixes stay", `<q:a/>`, `<q:a></q:a>`},
		{"references are resolved", `<a k="&lt;&#65;&#x42;">&amp;&nbsp;&unknown;</a>`, "<a k=<AB>&\u00a0&unknown;</a>"},
		{"comments, instructions and sections", `<?xml version="1.0"?><!-- < --><a><![CDATA[<b>]]></a>`, `<a><b></a>`},
		{"a missing end tag", `<a><b>x</a>y`, `<a><b>x</b></a>`},
		{"an end tag too many", `<a></b>x</a>`, `<a>x</a>`},
		{"a cut-off document", `<a><b k="v">x`, `<a><b k=v>x</b></a>`},
		{"signs in values", `<a k="x>y" l='"'/>`, `<a k=x>y l="></a>`},
		{"a document type without entities", `<!DOCTYPE a [<!ELEMENT a ANY>]><a/>`, `<a></a>`},
		{"UTF-16", "\xff\xfe<\x00a\x00>\x00\xfc\x00<\x00/\x00a\x00>\x00", `<a>ü</a>`},
		{"a declared encoding", "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a>\xfc</a>", `<a>ü</a>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := show(New(strings.NewReader(tc.in), names)); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			if got := show(New(iotest.OneByteReader(strings.NewReader(tc.in)), names)); got != tc.want {
				t.Errorf("byte by byte: got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestHostileDocumentsAreRefused(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     error
	}{
		{"entities", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, ErrEntities},
		{"depth", strings.Repeat("<a>", maxDepth+1), ErrDepth},
		{"a tag without an end", "<a " + strings.Repeat("x", maxToken+2*window), ErrToken},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := New(strings.NewReader(tc.in), nil)
			show(s)
			if !errors.Is(s.Err(), tc.want) {
				t.Errorf("err = %v, want %v", s.Err(), tc.want)
			}
		})
	}
}

func TestTree(t *testing.T) {
	root := New(strings.NewReader(`<a><b k="1">x<c>y</c></b><b k="2"/></a>`), nil).Root()
	if got := root.Child("b", "c").Content(); got != "y" {
		t.Errorf("a/b/c = %q, want y", got)
	}
	if got := len(root.All("b")); got != 2 {
		t.Errorf("%d children b, want 2", got)
	}
	if got := root.Content(); got != "xy" {
		t.Errorf("content = %q, want xy", got)
	}
	var none *Node
	if none.Child("x").Attr("y") != "" || none.All("x") != nil || none.Content() != "" {
		t.Error("a missing node has something")
	}
}

func FuzzScanner(f *testing.F) {
	f.Add([]byte(`<a xmlns:b="c"><b:d e="&#x41;">f</b:d><![CDATA[g]]></a>`))
	f.Add([]byte(`<!DOCTYPE a [ <!ELEMENT`))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := New(strings.NewReader(string(in)), Names{"c": "d"})
		open := 0
		for tok := s.Next(); tok != EOF; tok = s.Next() {
			switch tok {
			case Start:
				open++
			case End:
				open--
			}
		}
		if open != 0 {
			t.Errorf("%d elements left open", open)
		}
	})
}
