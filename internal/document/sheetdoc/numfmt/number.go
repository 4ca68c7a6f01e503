package numfmt

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// number shows a number by the digits of the section.
func (s section) number(v float64) string {
	v *= math.Pow(100, float64(s.percent))
	v /= math.Pow(1000, float64(s.scale))
	switch {
	case s.has(slash):
		return s.fraction(v)
	case s.has(exponent):
		return s.scientific(v)
	}
	whole, decimals, hasDigits := s.places()
	if !hasDigits {
		return s.join("", "", v < 0 && s.cond.op == "") // words chosen by a condition say it themselves
	}
	text := strconv.FormatFloat(math.Abs(round(v, len(decimals))), 'f', len(decimals), 64)
	before, after, _ := strings.Cut(text, ".")
	return s.join(s.pad(before, whole), optional(after, decimals), v < 0 && strings.Trim(text, "0.") != "")
}

// round rounds half away from zero, as spreadsheets do, on the decimal form.
func round(v float64, places int) float64 {
	scale := math.Pow(10, float64(places))
	if scaled := v * scale; math.Abs(scaled) < 1e15 {
		return math.Round(math.Nextafter(scaled, math.Copysign(math.Inf(1), v))) / scale
	}
	return v
}

func (s section) has(kind tokenKind) bool {
	for _, t := range s.tokens {
		if t.kind == kind {
			return true
		}
	}
	return false
}

// places gives the digit signs before and after the point.
func (s section) places() (whole, decimals string, hasDigits bool) {
	after := false
	for _, t := range s.tokens {
		switch {
		case t.kind == point:
			after = true
		case t.kind == digit && after:
			decimals += t.text
		case t.kind == digit:
			whole += t.text
		}
	}
	return whole, decimals, whole+decimals != ""
}

// pad brings the digits before the point to the length asked for and groups
// them.
func (s section) pad(digits, signs string) string {
	if digits == "0" && strings.Trim(signs, "#?") == "" {
		digits = ""
	}
	if n := strings.Count(signs, "0"); len(digits) < n {
		digits = strings.Repeat("0", n-len(digits)) + digits
	}
	if !s.thousands {
		return digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// optional drops zeros at the end that the signs do not ask for.
func optional(digits, signs string) string {
	n := len(digits)
	for n > 0 && n <= len(signs) && digits[n-1] == '0' && signs[n-1] != '0' {
		n--
	}
	return digits[:n]
}

// join puts the digits where the signs are; literals keep their places.
func (s section) join(whole, decimals string, negative bool) string {
	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}
	pieces := s.pieces(whole)
	afterPoint := false
	for _, t := range s.tokens {
		switch {
		case t.kind == literal:
			b.WriteString(t.text)
		case t.kind == digit && !afterPoint:
			b.WriteString(pieces[0])
			pieces = pieces[1:]
		case t.kind == point && !afterPoint:
			afterPoint = true
			if len(pieces) > 0 { // no sign stands before the point
				b.WriteString(pieces[0])
			}
			if decimals != "" {
				b.WriteString("." + decimals)
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// pieces cuts the digits before the point into what stands at each sign. All of
// them stand at the first one, unless something is written between the signs, as
// in "(000) 000-0000": then each has its digit, and the first what is left.
func (s section) pieces(whole string) []string {
	signs, first, last, literals := 0, -1, -1, 0
	for i, t := range s.tokens {
		if t.kind == point {
			break
		}
		if t.kind == digit {
			if first < 0 {
				first = i
			}
			signs, last = signs+1, i
		}
	}
	for i := first + 1; i < last; i++ {
		if s.tokens[i].kind == literal {
			literals++
		}
	}
	pieces := make([]string, max(signs, 1))
	for i := signs - 1; i > 0 && literals > 0 && whole != ""; i-- {
		pieces[i] = whole[len(whole)-1:]
		whole = whole[:len(whole)-1]
	}
	pieces[0] = whole
	return pieces
}

// scientific shows a number with an exponent. Several signs before the point let
// the exponent move in steps of as many: "##0.0E+0" shows thousands.
func (s section) scientific(v float64) string {
	at := slices.IndexFunc(s.tokens, func(t token) bool { return t.kind == exponent })
	whole, decimals, _ := section{tokens: s.tokens[:at]}.places()
	power, _, _ := section{tokens: s.tokens[at:]}.places()
	digits, exp, _ := strings.Cut(strconv.FormatFloat(v, 'E', len(decimals), 64), "E")
	e, err := strconv.Atoi(exp)
	if err != nil { // no number
		return digits
	}
	if step := len(whole); step > 1 && v != 0 {
		e = int(math.Floor(math.Log10(math.Abs(v))/float64(step))) * step
		digits = strconv.FormatFloat(v/math.Pow(10, float64(e)), 'f', len(decimals), 64)
	}
	sign := ""
	if e < 0 {
		sign = "-"
	} else if s.tokens[at].text[1] == '+' {
		sign = "+"
	}
	exp = strconv.Itoa(max(e, -e))
	exp = strings.Repeat("0", max(len(power)-len(exp), 0)) + exp
	return strings.TrimSpace(s.literalPrefix() + digits + "E" + sign + exp + s.literalSuffix())
}

// fraction shows a number as a whole and a fraction with a denominator of as
// many digits as there are signs after the slash, or a fixed one.
func (s section) fraction(v float64) string {
	signs, fixed := "", ""
	after := false
	for _, t := range s.tokens {
		switch {
		case t.kind == slash:
			after = true
		case after && t.kind == digit:
			signs += t.text
		case after && t.kind == literal:
			fixed += strings.TrimSpace(t.text)
		}
	}
	limit := int(math.Pow(10, float64(min(len(signs), 4)))) - 1
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	whole, part := math.Modf(v)
	num, den := nearest(part, max(limit, 1))
	if d, err := strconv.Atoi(fixed); err == nil && d > 0 && signs == "" {
		num, den = int(math.Round(part*float64(d))), d
	}
	switch {
	case num == 0:
		return sign + strconv.FormatFloat(whole, 'f', 0, 64)
	case num == den:
		return sign + strconv.FormatFloat(whole+1, 'f', 0, 64)
	case whole == 0:
		return sign + strconv.Itoa(num) + "/" + strconv.Itoa(den)
	}
	return sign + strconv.FormatFloat(whole, 'f', 0, 64) + " " + strconv.Itoa(num) + "/" + strconv.Itoa(den)
}

func nearest(part float64, limit int) (num, den int) {
	best := math.Inf(1)
	for d := 1; d <= limit; d++ {
		n := math.Round(part * float64(d))
		if miss := math.Abs(part - n/float64(d)); miss < best-1e-12 {
			best, num, den = miss, int(n), d
		}
	}
	return num, max(den, 1)
}

// literalPrefix is the fixed text before the value.
func (s section) literalPrefix() string {
	if len(s.tokens) > 0 && s.tokens[0].kind == literal {
		return strings.TrimLeft(s.tokens[0].text, " ")
	}
	return ""
}

func (s section) literalSuffix() string {
	if n := len(s.tokens); n > 1 && s.tokens[n-1].kind == literal {
		return strings.TrimRight(s.tokens[n-1].text, " ")
	}
	return ""
}

// text shows a text where the section has its sign for it.
func (s section) text(text string) string {
	var b strings.Builder
	for _, t := range s.tokens {
		switch t.kind {
		case literal:
			b.WriteString(t.text)
		case textPart:
			b.WriteString(text)
		}
	}
	return strings.TrimSpace(b.String())
}
