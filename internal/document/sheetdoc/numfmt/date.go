package numfmt

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const maxDay = 2958466 // the day after 9999-12-31

// Moment gives the time that a day number stands for. Day 60 of the system from
// 1900 is a 29 February that never was, so days before it are one off.
func Moment(v float64, from1904 bool) (time.Time, bool) {
	if v < 0 || v >= maxDay || math.IsNaN(v) {
		return time.Time{}, false
	}
	days, part := math.Modf(v)
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case from1904:
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		epoch = epoch.AddDate(0, 0, 1)
	}
	t := epoch.AddDate(0, 0, int(days))
	return t.Add(time.Duration(math.Round(part*86400*1000)) * time.Millisecond), true
}

// date shows a day number as a date or a time.
func (s section) date(v float64, from1904 bool) string {
	t, ok := Moment(v, from1904)
	if !ok {
		return General(v)
	}
	t = t.Round(time.Second / time.Duration(math.Pow10(s.fractionPlaces())))
	half := s.hasHalves()
	var b strings.Builder
	for i, tok := range s.tokens {
		switch tok.kind {
		case datePart:
			b.WriteString(s.datePart(i, t, v, half))
		case literal, slash, point:
			b.WriteString(tok.text)
		case digit:
			if tok.text == "0" { // fractions of a second
				b.WriteString(fractionDigit(t, s.fractionPlace(i)))
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// fractionPlaces counts the digits that are shown of fractions of a second.
func (s section) fractionPlaces() int {
	n := 0
	for _, t := range s.tokens {
		if t.kind == digit && t.text == "0" {
			n++
		}
	}
	return min(n, 9)
}

// fractionPlace counts which of the zeros after the seconds a token is.
func (s section) fractionPlace(i int) int {
	place := 0
	for j := i; j >= 0 && s.tokens[j].kind == digit; j-- {
		place++
	}
	return place
}

func fractionDigit(t time.Time, place int) string {
	digits := fmt.Sprintf("%09d", t.Nanosecond())
	return string(digits[min(place, 9)-1])
}

func (s section) hasHalves() bool {
	for _, t := range s.tokens {
		if t.kind == datePart && (t.text == "am/pm" || t.text == "a/p") {
			return true
		}
	}
	return false
}

// datePart shows one part. An m next to hours or seconds means minutes.
func (s section) datePart(i int, t time.Time, v float64, half bool) string {
	text := s.tokens[i].text
	switch text {
	case "am/pm":
		return t.Format("PM")
	case "a/p":
		return t.Format("PM")[:1]
	}
	if text[0] == '[' {
		return elapsed(text, v)
	}
	switch text[0] {
	case 'y':
		if len(text) <= 2 {
			return t.Format("06")
		}
		return t.Format("2006")
	case 'd':
		return day(text, t)
	case 'h':
		hour := t.Hour()
		if half {
			hour = (hour+11)%12 + 1
		}
		return padded(hour, text)
	case 's':
		return padded(t.Second(), text)
	}
	if s.isMinute(i) {
		return padded(t.Minute(), text)
	}
	return month(text, t)
}

func (s section) isMinute(i int) bool {
	if len(s.tokens[i].text) > 2 {
		return false
	}
	for j := i - 1; j >= 0; j-- {
		if s.tokens[j].kind == datePart {
			if c := strings.Trim(s.tokens[j].text, "[]")[0]; c == 'h' {
				return true
			}
			break
		}
	}
	for j := i + 1; j < len(s.tokens); j++ {
		if s.tokens[j].kind == datePart {
			return strings.Trim(s.tokens[j].text, "[]")[0] == 's'
		}
	}
	return false
}

func day(text string, t time.Time) string {
	switch len(text) {
	case 1, 2:
		return padded(t.Day(), text)
	case 3:
		return t.Format("Mon")
	}
	return t.Format("Monday")
}

func month(text string, t time.Time) string {
	switch len(text) {
	case 1, 2:
		return padded(int(t.Month()), text)
	case 3:
		return t.Format("Jan")
	case 5:
		return t.Format("Jan")[:1]
	}
	return t.Format("January")
}

// elapsed shows hours, minutes or seconds beyond a day.
func elapsed(text string, v float64) string {
	seconds := int64(math.Round(v * 86400))
	switch text[1] {
	case 'h':
		seconds /= 3600
	case 'm':
		seconds /= 60
	}
	return padded(int(seconds), strings.Trim(text, "[]"))
}

func padded(n int, text string) string {
	if len(text) >= 2 {
		return fmt.Sprintf("%02d", n)
	}
	return strconv.Itoa(n)
}
