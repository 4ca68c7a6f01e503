package gov

import (
	"strings"

	"github.com/trawlhq/trawl/internal/index"
)

// snippetSize is the longest description, in characters.
const snippetSize = 500

// describe gives the part of a document that answers: the best window of its
// best passage, or its beginning where the words of the query do not occur.
func describe(rd *index.Reader, a *index.Analyzer, u *understood, c *scored) (string, error) {
	var text string
	var err error
	if len(c.Passages) > 0 {
		text, err = rd.PassageText(c.Passages[0])
	} else {
		text, _, err = rd.Text(c.Hit, 0)
	}
	if err != nil {
		return "", err
	}
	if text == "" {
		text = c.Title
	}
	return snippet(a, u.terms, text), nil
}

// snippet cuts the window with most of the wanted words out of a text.
func snippet(a *index.Analyzer, terms map[string]float64, text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len([]rune(text)) <= snippetSize {
		return text
	}
	start := bestWindow(a, terms, text)
	return cutWindow(text, start)
}

// bestWindow gives where the best window begins: at the start of the sentence
// that opens it, if that is near.
func bestWindow(a *index.Analyzer, terms map[string]float64, text string) int {
	const window = snippetSize - 20
	var hits []index.Token
	for _, t := range a.Tokens(text) {
		if terms[t.Term] > 0 {
			hits = append(hits, t)
		}
	}
	best, bestStart := 0.0, 0
	for i := range hits {
		seen := make(map[string]bool)
		score := 0.0
		for _, t := range hits[i:] {
			if t.End > hits[i].Start+window {
				break
			}
			if !seen[t.Term] {
				seen[t.Term] = true
				score += terms[t.Term]
			} else {
				score += terms[t.Term] / 10
			}
		}
		if score > best {
			best, bestStart = score, hits[i].Start
		}
	}
	return sentenceStart(text, bestStart)
}

// sentenceStart moves back to the beginning of the sentence around i if it is
// within a third of the window, otherwise to the beginning of a word.
func sentenceStart(text string, i int) int {
	from := max(0, i-snippetSize/3)
	if from == 0 {
		return 0
	}
	if at := strings.LastIndex(text[from:i], ". "); at >= 0 {
		return from + at + 2
	}
	if at := strings.LastIndex(text[from:i], "; "); at >= 0 {
		return from + at + 2
	}
	if at := strings.IndexByte(text[from:i], ' '); at >= 0 {
		return from + at + 1
	}
	return i
}

// cutWindow cuts at word boundaries and marks what was left out.
func cutWindow(text string, start int) string {
	start = runeStart(text, start)
	runes := []rune(text[start:])
	room := snippetSize
	lead := ""
	if start > 0 {
		lead = "… "
		room -= 2
	}
	if len(runes) <= room {
		return lead + string(runes)
	}
	cut := string(runes[:room-2])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return lead + strings.TrimRight(cut, " ,;") + " …"
}
