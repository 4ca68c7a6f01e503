package textdoc

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/fragment"
	"github.com/trawlhq/trawl/internal/document/plain"
)

const (
	maxParts = 500 // of a message, those of messages inside it included
	maxDepth = 10  // parts inside parts
)

// message is the state of reading one message.
type message struct {
	ctx         context.Context // checked between parts
	parts       int
	attachments []string
}

// readMail reads a message: its subject as the heading, who wrote to whom, the
// text (the formatted one where there are both), and the names of what is
// attached.
func readMail(ctx context.Context, in document.Input) (*document.Doc, error) {
	msg, err := mail.ReadMessage(bytes.NewReader(withoutEnvelope(in.Body)))
	if err != nil {
		return nil, fault.Damaged("message", err)
	}
	m := &message{ctx: ctx}
	about, blocks := head(msg.Header)
	body, err := m.part(header(msg.Header), msg.Body, 0)
	if err != nil {
		return nil, fault.As("message", err)
	}
	blocks = append(blocks, body...)
	if len(m.attachments) > 0 {
		list := flow.Element("ul")
		for _, name := range m.attachments {
			list.AppendChild(flow.Wrap("li", []*html.Node{flow.Text(name)}))
		}
		blocks = append(blocks, flow.Wrap("p", []*html.Node{flow.Text("Attachments:")}), list)
	}
	return about.Doc(document.EML, in, blocks), nil
}

// head reads the lines before the text that people care about.
func head(h mail.Header) (facts.Facts, []*html.Node) {
	subject := decodeWord(h.Get("Subject"))
	about := facts.Facts{Title: subject, Author: decodeWord(h.Get("From")), Language: h.Get("Content-Language")}
	if date, err := h.Date(); err == nil {
		about.Created = facts.Time(date)
	}
	var blocks []*html.Node
	if subject != "" {
		blocks = append(blocks, flow.Wrap("h1", []*html.Node{flow.Text(subject)}))
	}
	var spans []flow.Span
	for _, name := range []string{"From", "To", "Cc", "Date"} {
		value := decodeWord(h.Get(name))
		if value == "" {
			continue
		}
		if len(spans) > 0 {
			spans = append(spans, flow.Span{Text: "\n"})
		}
		spans = append(spans, flow.Span{Text: name + ":", Marks: flow.Bold}, flow.Span{Text: " " + value})
	}
	if nodes := flow.Inline(spans); len(nodes) > 0 {
		blocks = append(blocks, flow.Wrap("p", nodes))
	}
	return about, blocks
}

func decodeWord(s string) string {
	dec := mime.WordDecoder{CharsetReader: func(label string, r io.Reader) (io.Reader, error) {
		return charset.NewReaderLabel(label, r)
	}}
	if text, err := dec.DecodeHeader(s); err == nil {
		s = text
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}

// header is what a message and a part have in common.
type header map[string][]string

func (h header) get(name string) string {
	if v := h[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// part reads a message or a part of one.
func (m *message) part(h header, body io.Reader, depth int) ([]*html.Node, error) {
	if m.parts++; m.parts > maxParts || depth > maxDepth {
		return nil, fault.Limit("message", "parts")
	}
	if err := m.ctx.Err(); err != nil {
		return nil, err
	}
	kind, params := mediaType(h.get("Content-Type"))
	disposition, more, _ := mime.ParseMediaType(h.get("Content-Disposition"))
	name := decodeWord(more["filename"])
	if name == "" {
		name = decodeWord(params["name"])
	}
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		return m.multi(kind, params["boundary"], body, depth)
	case kind == "message/rfc822":
		return m.forwarded(decodeTransfer(h, body), depth)
	case disposition == "attachment" || !strings.HasPrefix(kind, "text/"):
		if name != "" && disposition != "inline" {
			m.attachments = append(m.attachments, name)
		}
		return nil, nil
	}
	raw, err := io.ReadAll(decodeTransfer(h, body))
	if err != nil && len(raw) == 0 {
		return nil, fmt.Errorf("decode part: %w", err)
	}
	text := plain.Decode(raw, h.get("Content-Type"))
	if kind == "text/html" {
		return fragment.Parse(text)
	}
	return paragraphs(text), nil
}

func decodeTransfer(h header, body io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(h.get("Content-Transfer-Encoding"))) {
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	}
	return body
}

// multi reads parts. Of alternatives the last that has text is the best one.
func (m *message) multi(kind, boundary string, body io.Reader, depth int) ([]*html.Node, error) {
	if boundary == "" {
		return nil, nil
	}
	var all, best []*html.Node
	for r := multipart.NewReader(body, boundary); ; {
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) || err != nil && len(all) > 0 {
			break // what was cut off is lost
		}
		if err != nil {
			return nil, fmt.Errorf("read part: %w", err)
		}
		blocks, err := m.part(header(p.Header), p, depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, blocks...)
		if len(blocks) > 0 {
			best = blocks
		}
	}
	if kind == "multipart/alternative" {
		return best, nil
	}
	return all, nil
}

// forwarded reads a message inside a message.
func (m *message) forwarded(body io.Reader, depth int) ([]*html.Node, error) {
	msg, err := mail.ReadMessage(body)
	if err != nil {
		return nil, nil // not readable: the message around it still is
	}
	_, blocks := head(msg.Header)
	inner, err := m.part(header(msg.Header), msg.Body, depth+1)
	if err != nil {
		return nil, err
	}
	quote := flow.Wrap("blockquote", append(blocks, inner...))
	return []*html.Node{quote}, nil
}
