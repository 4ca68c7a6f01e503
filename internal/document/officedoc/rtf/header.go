package rtf

import (
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// inTable carries out a command inside one of the tables of the header.
func (r *reader) inTable(t token) {
	switch r.state.dest {
	case destFonts:
		r.fontCommand(t)
	case destStyles:
		switch t.word {
		case "s":
			r.state.style = t.number
			r.tables.text = ""
		case "outlinelevel":
			def := r.tables.styles[r.state.style]
			def.outline = t.number + 1
			r.tables.styles[r.state.style] = def
		case "cs", "ds", "ts":
			r.state.style = -1
			r.tables.text = ""
		}
	case destInfo:
		r.infoCommand(t)
	case destLists, destLevelText:
		r.listCommand(t)
	case destOverrides:
		switch t.word {
		case "listid":
			r.tables.currentID = t.number
		case "ls":
			r.tables.overrides[t.number] = r.tables.currentID
		}
	}
}

func (r *reader) fontCommand(t token) {
	f := r.tables.fonts[r.tables.fontNow]
	switch t.word {
	case "f":
		r.tables.fontNow = t.number
		r.tables.text = ""
		return
	case "fcharset":
		f.charset = t.number
		f.symbol = t.number == 2
	case "fmodern":
		f.mono = true
	case "panose", "falt":
		r.state.dest = destNowhere
		return
	}
	r.tables.fonts[r.tables.fontNow] = f
}

func (r *reader) listCommand(t token) {
	switch t.word {
	case "list":
		r.tables.current = &listDef{}
	case "listid":
		if r.tables.current != nil {
			r.tables.lists[t.number] = r.tables.current
		}
	case "listlevel":
		if l := r.tables.current; l != nil && len(l.levels) < 9 {
			l.levels = append(l.levels, levelDef{start: 1})
		}
	case "levelnfc", "levelnfcn":
		r.lastLevel(func(l *levelDef) { l.format = t.number })
	case "levelstartat":
		r.lastLevel(func(l *levelDef) { l.start = t.number })
	case "listname", "liststylename":
		r.state.dest = destNowhere
	}
}

func (r *reader) lastLevel(change func(*levelDef)) {
	if l := r.tables.current; l != nil && len(l.levels) > 0 {
		change(&l.levels[len(l.levels)-1])
	}
}

func (r *reader) infoCommand(t token) {
	switch t.word {
	case "title", "author", "subject", "keywords", "doccomm", "creatim", "revtim":
		r.state.infoKey = t.word
		r.tables.text = ""
	case "yr":
		r.tables.text = fmt.Sprintf("%04d", t.number)
	case "mo", "dy":
		r.tables.text += fmt.Sprintf("-%02d", t.number)
	case "hr":
		r.tables.text += fmt.Sprintf("T%02d", t.number)
	case "min":
		r.tables.text += fmt.Sprintf(":%02d", t.number)
	}
}

// endEntry keeps an entry of a table: a font or a style ends with a semicolon or
// with its group.
func (r *reader) endEntry() {
	name := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(r.tables.text), ";"))
	switch r.state.dest {
	case destFonts:
		f := r.tables.fonts[r.tables.fontNow]
		if name != "" {
			f.name = name
			f.mono = f.mono || flow.IsMono(name)
			f.symbol = f.symbol || strings.Contains(strings.ToLower(name), "wingdings") || strings.EqualFold(name, "symbol")
			r.tables.fonts[r.tables.fontNow] = f
		}
	case destStyles:
		if def := r.tables.styles[r.state.style]; name != "" && r.state.style >= 0 {
			def.name = strings.ToLower(name)
			r.tables.styles[r.state.style] = def
		}
	case destInfo:
		r.setFact(name)
	default:
		return
	}
	r.tables.text = ""
}

func (r *reader) setFact(value string) {
	switch r.state.infoKey {
	case "title":
		r.about.Title = value
	case "author":
		r.about.Author = value
	case "subject":
		r.about.Subject = value
	case "keywords":
		r.about.Keywords = value
	case "doccomm":
		r.about.Description = value
	case "creatim":
		r.about.Created = moment(value)
	case "revtim":
		r.about.Modified = moment(value)
	}
}

// moment completes a time that was put together from its parts.
func moment(s string) string {
	if len(s) < len("2006-01-02") {
		return ""
	}
	date, clock, _ := strings.Cut(s, "T")
	if len(clock) != len("15:04") {
		clock = "00:00"
	}
	return date + "T" + clock + ":00Z"
}
