package flow

import "strings"

// Symbol gives the Unicode character for a code of a symbol font. Codes may be
// shifted into the private area at U+F000. An unknown one gives "".
func Symbol(font string, code rune) string {
	if code >= 0xF000 && code <= 0xF0FF {
		code -= 0xF000
	}
	font = strings.ToLower(font)
	switch {
	case strings.Contains(font, "wingdings"):
		return wingdings[code]
	case strings.Contains(font, "symbol"):
		if s, ok := greek[code]; ok {
			return s
		}
	}
	if code < 0x20 || code >= 0xE000 && code <= 0xF8FF {
		return ""
	}
	return string(code)
}

var wingdings = map[rune]string{
	0x4A: "☺", 0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒", 0x76: "❖", 0xA7: "▪", 0xA8: "☐", 0xD8: "➢",
	0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}

// The Symbol font puts Greek letters and operators where Latin letters are.
var greek = map[rune]string{
	'A': "Α", 'B': "Β", 'C': "Χ", 'D': "Δ", 'E': "Ε", 'F': "Φ", 'G': "Γ", 'H': "Η", 'I': "Ι", 'K': "Κ", 'L': "Λ",
	'M': "Μ", 'N': "Ν", 'O': "Ο", 'P': "Π", 'Q': "Θ", 'R': "Ρ", 'S': "Σ", 'T': "Τ", 'U': "Υ", 'W': "Ω", 'X': "Ξ",
	'Y': "Ψ", 'Z': "Ζ", 'a': "α", 'b': "β", 'c': "χ", 'd': "δ", 'e': "ε", 'f': "φ", 'g': "γ", 'h': "η", 'i': "ι",
	'k': "κ", 'l': "λ", 'm': "μ", 'n': "ν", 'o': "ο", 'p': "π", 'q': "θ", 'r': "ρ", 's': "σ", 't': "τ", 'u': "υ",
	'w': "ω", 'x': "ξ", 'y': "ψ", 'z': "ζ", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→",
	0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xC5: "⊕",
	0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇", 0xD5: "∏", 0xD6: "√", 0xD7: "⋅",
	0xD8: "¬", 0xD9: "∧", 0xDA: "∨", 0xDE: "⇒", 0xDB: "⇔", 0xE5: "∑", 0xF2: "∫",
}
