// Package numfmt shows numbers the way a spreadsheet does: as a date, a
// percentage, with so many decimals, by a format code such as "#,##0.00".
package numfmt

import (
	"math"
	"strconv"
	"strings"
)

// Format is a format code, taken apart.
type Format struct {
	sections []section
	general  bool
}

// section is what holds for one kind of value: positive, negative, zero, text.
type section struct {
	tokens    []token
	isDate    bool
	isText    bool
	percent   int
	thousands bool
	scale     int // thousands divided off by trailing commas
	cond      condition
	general   bool
}

type condition struct {
	op    string // empty: none
	value float64
}

// Parse takes a format code apart. It accepts anything; what makes no sense is
// shown as General.
func Parse(code string) *Format {
	f := &Format{}
	for _, part := range splitSections(code) {
		f.sections = append(f.sections, parseSection(part))
	}
	f.general = len(f.sections) == 0 || len(f.sections) == 1 && f.sections[0].general && len(f.sections[0].tokens) == 1
	return f
}

// IsGeneral tells whether numbers are shown as they are.
func (f *Format) IsGeneral() bool { return f == nil || f.general }

// IsDate tells whether numbers are shown as a date or a time.
func (f *Format) IsDate() bool {
	return f != nil && len(f.sections) > 0 && f.sections[0].isDate
}

// Number shows a number. From1904 says that days are counted from 1904.
func (f *Format) Number(v float64, from1904 bool) string {
	if f.IsGeneral() {
		return General(v)
	}
	s, negated := f.pick(v)
	if negated {
		v = -v
	}
	switch {
	case s.general:
		return s.literalPrefix() + General(v) + s.literalSuffix()
	case s.isDate:
		return s.date(v, from1904)
	case s.isText:
		return s.text(General(v))
	}
	return s.number(v)
}

// Text shows a text.
func (f *Format) Text(text string) string {
	if f == nil {
		return text
	}
	for i, s := range f.sections {
		if s.isText && (i == 3 || i == len(f.sections)-1) {
			return s.text(text)
		}
	}
	return text
}

// pick finds the section for a value, and whether that section shows negative
// numbers without their sign.
func (f *Format) pick(v float64) (s section, negated bool) {
	n := len(f.sections)
	if n > 1 && f.sections[n-1].isText {
		n--
	}
	if f.conditional() {
		return f.pickByCondition(f.sections[:n], v), false
	}
	switch {
	case v < 0 && n > 1:
		return f.sections[1], true
	case v == 0 && n > 2:
		return f.sections[2], false
	}
	return f.sections[0], false
}

func (f *Format) conditional() bool {
	for _, s := range f.sections {
		if s.cond.op != "" {
			return true
		}
	}
	return false
}

// pickByCondition finds the first section whose condition holds. One without a
// condition is for what the others leave: the second of three for negative
// numbers, the last for everything.
func (f *Format) pickByCondition(sections []section, v float64) section {
	last := sections[len(sections)-1]
	for i, s := range sections {
		switch {
		case s.cond.op != "" && s.cond.holds(v):
			return s
		case s.cond.op == "" && i == 1 && len(sections) > 2 && v < 0:
			return s
		case s.cond.op == "" && i == len(sections)-1:
			return s
		}
	}
	return last
}

func (c condition) holds(v float64) bool {
	switch c.op {
	case "<":
		return v < c.value
	case "<=":
		return v <= c.value
	case ">":
		return v > c.value
	case ">=":
		return v >= c.value
	case "=":
		return v == c.value
	case "<>":
		return v != c.value
	}
	return false
}

// General shows a number with as many digits as it needs. Fifteen digits are
// what a spreadsheet keeps; beyond them is noise of the binary form.
func General(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	s := strconv.FormatFloat(v, 'g', 15, 64)
	if !strings.ContainsRune(s, 'e') {
		return s
	}
	if a := math.Abs(v); a >= 1e-9 && a < 1e21 {
		rounded, err := strconv.ParseFloat(s, 64)
		if err == nil {
			return strconv.FormatFloat(rounded, 'f', -1, 64)
		}
	}
	return strings.ToUpper(s)
}

// Builtin gives the code of a format that files name only by its number; "" for
// General and for numbers without a meaning of their own.
func Builtin(id int) string { return builtin[id] }

var builtin = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: `"$"#,##0_);("$"#,##0)`, 6: `"$"#,##0_);("$"#,##0)`,
	7: `"$"#,##0.00_);("$"#,##0.00)`, 8: `"$"#,##0.00_);("$"#,##0.00)`, 9: "0%", 10: "0.00%", 11: "0.00E+00",
	12: "# ?/?", 13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
	19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0_);(#,##0)",
	38: "#,##0_);(#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)",
	41: `_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)`, 42: `_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)`,
	43: `_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)`,
	44: `_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)`, 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
	48: "##0.0E+0", 49: "@",
}
