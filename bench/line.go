package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/trawlhq/trawl/bench/suite"
)

// verdict is what the floors say of a number.
type verdict string

const (
	verdictFree    verdict = ""        // no floor
	verdictOK      verdict = "ok"      // as good as it must be
	verdictGoal    verdict = "goal"    // as good as it should become
	verdictBelow   verdict = "BELOW"   // not good enough
	verdictMissing verdict = "MISSING" // there is a floor, but no number
	verdictPart    verdict = "part"    // the score of a part, which says nothing about the whole
)

func (v verdict) isBad() bool { return v == verdictBelow || v == verdictMissing }

// line is a result as it is printed.
type line struct {
	name, value, unit, floor, note string
	verdict                        verdict
}

// judge holds a result against its floor. A quick run measures scores on a part
// of their set only; these are shown, not judged.
func judge(r suite.Result, floors floors, quick bool) line {
	l := line{name: r.Name, value: number(r.Value), unit: r.Unit, note: r.Note}
	limit, known := floors[r.Name]
	if !known {
		return l
	}
	sign := "≥ "
	if r.Lower {
		sign = "≤ "
	}
	l.floor = sign + number(limit.Floor)
	switch {
	case quick && isScore(r):
		l.verdict = verdictPart
	case !meets(r, limit.Floor):
		l.verdict = verdictBelow
	case limit.Goal != nil && meets(r, *limit.Goal):
		l.verdict = verdictGoal
	default:
		l.verdict = verdictOK
	}
	return l
}

// print writes the line in columns: name, value, unit, floor, verdict, note.
func (l line) print(w io.Writer) {
	text := fmt.Sprintf("  %-40s %10s %-10s %-9s %-7s %s", l.name, l.value, l.unit, l.floor, l.verdict, l.note)
	fmt.Fprintln(w, strings.TrimRight(text, " "))
}

// number writes small numbers with three decimals and large ones with none.
func number(v float64) string {
	switch {
	case math.Abs(v) >= 1000:
		return fmt.Sprintf("%.0f", v)
	case math.Abs(v) >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.3f", v)
	}
}
