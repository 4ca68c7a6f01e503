package markdown

import (
	"strings"
	"unicode/utf8"
)

// escape appends s[i:j], a word, with a backslash before each character that a
// reader of Markdown would take for a mark here. Many such characters are
// harmless where they stand (snake_case, [1], 3 < 4), and those are left alone.
func (r *inline) escape(buf []byte, s string, i, j int) []byte {
	if !needsLook(s[i:j]) {
		return append(buf, s[i:j]...)
	}
	for k := i; k < j; k++ {
		if r.isMark(buf, s, k) {
			buf = append(buf, '\\')
		}
		buf = append(buf, s[k])
	}
	return buf
}

// needsLook reports whether a word has any character that may be a mark.
func needsLook(word string) bool {
	for i := 0; i < len(word); i++ {
		switch word[i] {
		case '\\', '`', '*', '_', '[', ']', '<', '&', '~', '|', '!', '$':
			return true
		}
	}
	return false
}

// isMark reports whether s[k] would be read as a mark.
func (r *inline) isMark(buf []byte, s string, k int) bool {
	next := byte('x') // what follows this text is not known: be careful
	if k+1 < len(s) {
		next = s[k+1]
	}
	switch s[k] {
	case '`':
		return true
	case '\\':
		return isASCIIPunct(next) || k+1 == len(s)
	case '*':
		return !isSpace(next) || !afterSpace(buf)
	case '_':
		return !(wordBefore(buf) && wordAt(s, k+1)) && (!isSpace(next) || !afterSpace(buf))
	case '[':
		return r.label > 0 || next == '^' || taskBox(s[k:])
	case ']':
		return r.label > 0 || next == '(' || next == ':' || k+1 == len(s)
	case '<':
		return isLetter(next) || next == '/' || next == '!' || next == '?'
	case '&':
		return isEntity(s[k:])
	case '~':
		return next == '~' || !afterSpace(buf)
	case '|':
		return r.cell
	case '!':
		return k+1 == len(s) || next == '['
	}
	return false
}

// escapeLineStart guards a line of text against being read as the beginning of
// another kind of block.
func escapeLineStart(line string) string {
	if line == "" {
		return line
	}
	switch line[0] {
	case '#':
		if rest := strings.TrimLeft(line, "#"); len(line)-len(rest) <= 6 && (rest == "" || rest[0] == ' ') {
			return `\` + line
		}
	case '>':
		return `\` + line
	case '-', '+':
		if len(line) == 1 || line[1] == ' ' || isRule(line, line[0]) {
			return `\` + line
		}
	case '=':
		if strings.Trim(line, "=") == "" {
			return `\` + line
		}
	case '*':
		if len(line) > 1 && line[1] == ' ' || isRule(line, '*') {
			return `\` + line
		}
	case '_':
		if isRule(line, '_') {
			return `\` + line
		}
	case '~':
		if strings.HasPrefix(line, "~~~") {
			return `\` + line
		}
	}
	if n := orderedMarker(line); n > 0 {
		return line[:n] + `\` + line[n:]
	}
	return line
}

// isRule reports whether the line is a thematic break or a setext underline.
func isRule(line string, mark byte) bool {
	for i := 0; i < len(line); i++ {
		if line[i] != mark && line[i] != ' ' {
			return false
		}
	}
	return true
}

// orderedMarker is the number of digits before the dot of a line such as
// "2019. A year", which would be read as an item.
func orderedMarker(line string) int {
	n := 0
	for n < len(line) && n < 9 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n == 0 || n == len(line) || line[n] != '.' && line[n] != ')' {
		return 0
	}
	if n+1 < len(line) && line[n+1] != ' ' {
		return 0
	}
	return n
}

func headingLine(level int, text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if trimmed := strings.TrimRight(text, "#"); trimmed != text && (trimmed == "" || trimmed[len(trimmed)-1] == ' ') {
		text = trimmed + `\` + text[len(trimmed):]
	}
	return strings.TrimRight(strings.Repeat("#", level)+" "+text, " ")
}

// taskBox reports whether s begins as a task item does.
func taskBox(s string) bool {
	return len(s) >= 3 && s[2] == ']' && (s[1] == ' ' || s[1] == 'x' || s[1] == 'X')
}

// isEntity reports whether s, which begins with "&", would be decoded.
func isEntity(s string) bool {
	end := strings.IndexByte(s[:min(len(s), 34)], ';')
	if end < 2 {
		return false
	}
	for i := 1; i < end; i++ {
		if ch := s[i]; !isLetter(ch) && (ch < '0' || ch > '9') && !(i == 1 && ch == '#') {
			return false
		}
	}
	return true
}

func afterSpace(buf []byte) bool {
	return len(buf) == 0 || isSpace(buf[len(buf)-1])
}

func wordBefore(buf []byte) bool {
	ch, size := utf8.DecodeLastRune(buf)
	return size > 0 && isWord(ch)
}

func wordAt(s string, k int) bool {
	ch, size := utf8.DecodeRuneInString(s[k:])
	return size > 0 && (ch == '_' || isWord(ch))
}

func isLetter(ch byte) bool { return ch|0x20 >= 'a' && ch|0x20 <= 'z' }

func isASCIIPunct(ch byte) bool {
	return ch >= '!' && ch <= '/' || ch >= ':' && ch <= '@' || ch >= '[' && ch <= '`' || ch >= '{' && ch <= '~'
}
