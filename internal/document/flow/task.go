package flow

import (
	"strings"

	"golang.org/x/net/html"
)

const blanks = " \t\u00a0"

// task turns the box that people draw before an item into one that can be
// ticked: "☐ mend the net" is a task, "☒ mend the net" one that is done. Spans
// of other items are given back as they are.
func task(spans []Span) []Span {
	if len(spans) == 0 || spans[0].Node != nil {
		return spans
	}
	first := spans[0]
	for _, box := range []string{"☐", "☑", "☒"} {
		text, ok := strings.CutPrefix(strings.TrimLeft(first.Text, " \t"), box)
		if !ok || strings.TrimSpace(PlainText(spans)) == box {
			continue
		}
		first.Text = strings.TrimLeft(text, blanks)
		rest := append([]Span{first}, spans[1:]...)
		if first.Text == "" && len(rest) > 1 {
			rest[1].Text = strings.TrimLeft(rest[1].Text, blanks)
		}
		return append([]Span{{Node: checkbox(box != "☐")}, {Text: " "}}, rest...)
	}
	return spans
}

func checkbox(checked bool) *html.Node {
	n := Element("input")
	SetAttr(n, "type", "checkbox")
	if checked {
		n.Attr = append(n.Attr, html.Attribute{Key: "checked"})
	}
	n.Attr = append(n.Attr, html.Attribute{Key: "disabled"})
	return n
}
