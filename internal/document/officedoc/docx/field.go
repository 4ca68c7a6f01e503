package docx

import "github.com/trawlhq/trawl/internal/document/officedoc/field"

// openField is a field that is open: first its instruction is read, then the
// result that Word computed and shows.
type openField struct {
	instr  string
	result bool
}

const maxInstruction = 8192 // bytes

func (in *inline) fieldChar(kind string) {
	fields := in.reader.part.fields
	switch kind {
	case "begin":
		in.reader.part.fields = append(fields, openField{})
	case "separate":
		if n := len(fields); n > 0 {
			fields[n-1].result = true
		}
	case "end":
		in.endField()
	}
}

func (in *inline) endField() {
	fields := in.reader.part.fields
	n := len(fields)
	if n == 0 {
		return
	}
	ended := fields[n-1]
	in.reader.part.fields = fields[:n-1]
	if text := field.Ruby(ended.instr); text != "" && !ended.result {
		in.text(text, 0)
	}
}

func (in *inline) instruction(s string) {
	fields := in.reader.part.fields
	if n := len(fields); n > 0 && !fields[n-1].result && len(fields[n-1].instr) < maxInstruction {
		fields[n-1].instr += s
	}
}

// inInstruction tells whether text belongs to an instruction, own or around.
func (in *inline) inInstruction() bool {
	for _, f := range in.reader.part.fields {
		if !f.result {
			return true
		}
	}
	return false
}

// link is the address that text links to at this point.
func (in *inline) link() string {
	if in.href != "" {
		return in.href
	}
	fields := in.reader.part.fields
	for i := len(fields) - 1; i >= 0; i-- {
		if href := field.Hyperlink(fields[i].instr); href != "" {
			return href
		}
	}
	return ""
}
