package gov

import (
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
	"github.com/trawlhq/trawl/internal/gov/publisher"
	"github.com/trawlhq/trawl/internal/index"
)

// A passage is about two paragraphs of print. Shorter ones say too little to be
// ranked on their own, longer ones drown what is telling, and a description of
// 500 characters is cut from one.
const (
	passageSize = 1000
	passageMax  = 1500
)

// cutPassages joins short paragraphs and cuts long ones.
func cutPassages(text string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	for _, para := range strings.Split(text, "\n") {
		for _, piece := range cutLong(para) {
			if b.Len() > 0 && b.Len()+len(piece) > passageSize {
				flush()
			}
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(piece)
		}
	}
	flush()
	return out
}

// cutLong cuts a paragraph that is too long for one passage at sentence ends.
func cutLong(para string) []string {
	var out []string
	for len(para) > passageMax {
		at := sentenceEnd(para[:passageSize])
		if at <= 0 {
			at = strings.LastIndexByte(para[:passageSize], ' ')
		}
		if at <= 0 {
			at = runeStart(para, passageSize)
		}
		out = append(out, strings.TrimSpace(para[:at]))
		para = strings.TrimSpace(para[at:])
	}
	if para != "" {
		out = append(out, para)
	}
	return out
}

// sentenceEnd gives the end of the last whole sentence in a text, or 0. A full
// stop after a short word ("U.S.", "No.") does not end one.
func sentenceEnd(text string) int {
	for i := len(text) - 2; i > len(text)/3; i-- {
		if (text[i] == '.' || text[i] == ';' || text[i] == '?') && text[i+1] == ' ' {
			word := text[strings.LastIndexByte(text[:i], ' ')+1 : i]
			if text[i] != '.' || len(word) > 4 {
				return i + 1
			}
		}
	}
	return 0
}

// runeStart moves i back to the beginning of a character.
func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && s[i]&0xC0 == 0x80 {
		i--
	}
	return i
}

// talksAboutOthers are the types whose sentences before a citation say what the
// cited law is about.
var talksAboutOthers = map[string]bool{"opinion": true, "agency-decision": true, "agency-guidance": true}

// aboutReach is how far before a citation its sentence is looked for.
const aboutReach = 360

// perTarget bounds how often one document may speak about another: a brief
// that cites one case forty times says little more than the first few times.
const perTarget = 4

// aboutOthers gives the words before each citation as passages about the law
// cited, as the text of a link describes the page it points to.
func aboutOthers(u *publisher.Unit, cites []cite.Cite) []index.Passage {
	var out []index.Passage
	times := make(map[string]int)
	for _, c := range cites {
		if c.Key == u.Key || times[c.Key] == perTarget || strings.HasPrefix(c.Key, "f2d/") || strings.HasPrefix(c.Key, "f3d/") {
			continue
		}
		words := sentenceBefore(u.Text, c)
		if len(words) < 40 {
			continue
		}
		times[c.Key]++
		out = append(out, index.Passage{Text: words, About: c.Key})
	}
	return out
}

// sentenceBefore gives the text that leads to a citation, and what stands in
// brackets right after it: "(holding that …)".
func sentenceBefore(text string, c cite.Cite) string {
	from := runeStart(text, max(0, c.Start-aboutReach))
	lead := text[from:c.Start]
	if i := strings.LastIndexByte(lead, '\n'); i >= 0 && len(lead)-i > 60 {
		lead = lead[i+1:]
	} else if i := strings.IndexByte(lead, ' '); i >= 0 && from > 0 {
		lead = lead[i+1:]
	}
	return strings.TrimSpace(strings.ReplaceAll(lead, "\n", " ") + " " + bracketAfter(text[c.End:]))
}

func bracketAfter(rest string) string {
	rest = rest[:min(len(rest), 300)]
	for range 2 {
		open := strings.IndexByte(rest, '(')
		if open < 0 || open > 20 {
			return ""
		}
		end := strings.IndexByte(rest[open:], ')')
		if end < 0 {
			return ""
		}
		if inside := rest[open+1 : open+end]; len(inside) > 25 {
			return inside
		}
		rest = rest[open+end+1:]
	}
	return ""
}
