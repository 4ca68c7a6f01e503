package flow

import "strings"

// IsMono tells by its name whether a font has letters of one width, which in an
// otherwise proportional text means code.
func IsMono(font string) bool {
	font = strings.ToLower(font)
	for _, part := range []string{"courier", "mono", "consolas", "menlo", "typewriter", "fixed", "lucida console",
		"andale", "inconsolata", "source code", "fira code", "cascadia", "terminal", "monaco"} {
		if strings.Contains(font, part) && !strings.Contains(font, "monotype") {
			return true
		}
	}
	return false
}

// AllMono tells whether all text is set in a fixed-width font, which is how
// people paste code. A link is a name of something, not code.
func AllMono(spans []Span) bool {
	found := false
	for _, s := range spans {
		blank := s.Node == nil && strings.TrimSpace(s.Text) == ""
		if s.Node != nil || s.Href != "" || s.Marks&Mono == 0 && !blank {
			return false
		}
		found = found || !blank
	}
	return found
}
