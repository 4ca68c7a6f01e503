package textdoc

import (
	"context"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/doctest"
)

func TestPlainText(t *testing.T) {
	doctest.Cases(t, func(ctx context.Context, in document.Input) (*document.Doc, error) {
		in.Name = "a.txt"
		return Read(ctx, in)
	})
}

const letter = "From: =?utf-8?q?M=C3=B6we?= <m@sea.test>\r\nTo: Ann <a@sea.test>\r\nSubject: Tide\r\n" +
	"Date: Wed, 01 May 2024 08:30:00 +0200\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
	"--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n" +
	"--c\r\nContent-Type: text/plain\r\n\r\nplain\r\n" +
	"--c\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>Gr=FC=DFe <b>now</b></p><script>x()</script>\r\n--c--\r\n" +
	"--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=\"map.pdf\"\r\n\r\nx\r\n" +
	"--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: Earlier\r\n\r\nOld text.\r\n--b--\r\n"

func TestTexts(t *testing.T) {
	for _, tc := range []struct {
		name, file, body string
		kind             document.Kind
		want             string
	}{
		{"JSON is indented", "a.json", `{"a":[1,2]}`, document.JSON,
			"<pre><code class=\"language-json\">{\n  &#34;a&#34;: [\n    1,\n    2\n  ]\n}</code></pre>\n"},
		{"broken JSON is shown as it is", "a.json", `{"a":`, document.JSON, "<pre><code class=\"language-json\">{&#34;a&#34;:</code></pre>\n"},
		{"XML is code", "a.xml", "<a><b/></a>", document.XML, "<pre><code class=\"language-xml\">&lt;a&gt;&lt;b/&gt;&lt;/a&gt;</code></pre>\n"},
		{"Markdown becomes what it stands for", "a.md", "# A\n\n- [x] b\n\n<script>x()</script>\n", document.Text,
			"<h1>A</h1>\n\n\n<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"/> b</li>\n</ul>\n\n\n\n\n"},
		{"Western text without a mark", "a.txt", "Gr\xfc\xdfe aus der gro\xdfen Stadt", document.Text, "<p>Grüße aus der großen Stadt</p>\n"},
		{"wide text", "a.txt", "\xff\xfeh\x00i\x00", document.Text, "<p>hi</p>\n"},
		{"mail", "a.eml", letter, document.EML, "<h1>Tide</h1>\n" +
			"<p><strong>From:</strong> Möwe &lt;m@sea.test&gt;<br/><strong>To:</strong> Ann &lt;a@sea.test&gt;<br/><strong>Date:</strong> Wed, 01 May 2024 08:30:00 +0200</p>\n" +
			"<p>Grüße <b>now</b></p>\n<blockquote><h1>Earlier</h1><p>Old text.</p></blockquote>\n<p>Attachments:</p>\n<ul><li>map.pdf</li></ul>\n"},
		{"mail with the line of a mailbox", "a.eml", "From a@sea.test Wed May  1 08:30:00 2024\r\nSubject: Tide\r\nFrom: a@sea.test\r\n\r\nText.", document.EML,
			"<h1>Tide</h1>\n<p><strong>From:</strong> a@sea.test</p>\n<p>Text.</p>\n"},
		{"mail that names its charset twice", "a.eml", "Subject: Tide\r\nContent-Type: text/html; charset=utf-8; charset=utf-8\r\n\r\n<p>Möwe</p>", document.EML,
			"<h1>Tide</h1>\n<p>Möwe</p>\n"},
		{"parts with a broken parameter beside the line between them", "a.eml", "Subject: Tide\r\nContent-Type: multipart/mixed; =x; boundary=\"b\"\r\n\r\n--b\r\n\r\nText.\r\n--b--\r\n", document.EML,
			"<h1>Tide</h1>\n<p>Text.</p>\n"},
		{"a part of a type that is none", "a.eml", "Subject: Tide\r\nContent-Type: text\r\n\r\nText.", document.EML, "<h1>Tide</h1>\n<p>Text.</p>\n"},
		{"a name for a file in parts and in another alphabet", "a.eml", "Subject: =?windows-1251?B?z/Do6+jiIQ==?=\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: image/png\r\n" +
			"Content-Disposition: attachment; filename*0*=utf-8''M%C3%B6; filename*1*=we.png\r\n\r\nx\r\n--b--\r\n", document.EML,
			"<h1>Прилив!</h1>\n<p>Attachments:</p>\n<ul><li>Möwe.png</li></ul>\n"},
		{"pictures that belong to the text are not attached", "a.eml", "Subject: Tide\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>See <img src=cid:1 alt=pier></p>\r\n" +
			"--b\r\nContent-Type: image/png; name=pier.png\r\nContent-Disposition: inline\r\nContent-ID: <1>\r\n\r\nx\r\n--b--\r\n", document.EML,
			"<h1>Tide</h1>\n<p>See <img src=\"cid:1\" alt=\"pier\"/></p>\n"},
		{"base64 cut off in the middle", "a.eml", "Subject: Tide\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nVGV4dC4gTW9y", document.EML,
			"<h1>Tide</h1>\n<p>Text. Mor</p>\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := Read(context.Background(), document.Input{Body: []byte(tc.body), Name: tc.file})
			if err != nil {
				t.Fatal(err)
			}
			if got := doctest.Render(doc.Root); got != tc.want || doc.Kind != tc.kind {
				t.Errorf("%s:\n%s\nwant %s:\n%s", doc.Kind, got, tc.kind, tc.want)
			}
		})
	}
}

func TestFrontMatterIsAboutTheText(t *testing.T) {
	doc, err := Read(context.Background(), document.Input{Body: []byte("---\ntitle: Tide\nauthor: Ann\n---\nText.\n"), Name: "a.md"})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Title != "Tide" || doc.Meta["author"] != "Ann" || !strings.HasPrefix(doctest.Render(doc.Root), "<p>Text.</p>") {
		t.Errorf("title %q, author %v, body %s", doc.Title, doc.Meta["author"], doctest.Render(doc.Root))
	}
}

func TestMessagesInsideMessagesEnd(t *testing.T) {
	body := "Subject: x\r\nFrom: a@b.test\r\nTo: a@b.test\r\n" + strings.Repeat("Content-Type: message/rfc822\r\n\r\nSubject: x\r\n", 50) + "\r\ntext"
	_, err := Read(context.Background(), document.Input{Body: []byte(body), Name: "a.eml"})
	if err == nil || !strings.Contains(err.Error(), "limit on parts") {
		t.Errorf("err = %v, want the limit on parts", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(letter), "a.eml")
	f.Add([]byte("# a\n\n| b |\n| - |\n| c |\n"), "a.md")
	f.Add([]byte(`{"a":1}`), "a.json")
	f.Add([]byte("a\n\nb"), "a.txt")
	f.Fuzz(func(t *testing.T, body []byte, name string) {
		if _, err := Read(context.Background(), document.Input{Body: body, Name: name}); err != nil && strings.Contains(err.Error(), "panic:") {
			t.Error(err)
		}
	})
}
