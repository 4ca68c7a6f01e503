package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/bench/suite"
)

// floor is how good a number must be, and how good it should become. Where less
// is better both are ceilings.
type floor struct {
	Floor float64  `json:"floor"`
	Goal  *float64 `json:"goal,omitempty"`
}

// floors are all of them, by the name of the result.
type floors map[string]floor

// readFloors reads the file; one that is not there has no floors.
func readFloors(file string) (floors, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return floors{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read floors: %w", err)
	}
	read := floors{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return nil, fmt.Errorf("read floors in %s: %w", file, err)
	}
	return read, nil
}

// write keeps one floor a line, in the order of their names, so that a change
// of one is a change of one line.
func (f floors) write(file string) error {
	var b bytes.Buffer
	b.WriteString("{\n")
	for i, name := range slices.Sorted(maps.Keys(f)) {
		if i > 0 {
			b.WriteString(",\n")
		}
		key, err := json.Marshal(name)
		if err != nil {
			return fmt.Errorf("write floor %s: %w", name, err)
		}
		value, err := json.Marshal(f[name])
		if err != nil {
			return fmt.Errorf("write floor %s: %w", name, err)
		}
		fmt.Fprintf(&b, "  %s: %s", key, value)
	}
	b.WriteString("\n}\n")
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// meets tells whether a number is good enough. One that is no number is not.
func meets(r suite.Result, limit float64) bool {
	if r.Lower {
		return r.Value <= limit
	}
	return r.Value >= limit
}

// scoreUnits are the units of quality: the same code gives the same number on
// every machine. Everything else is measured in time or memory.
var scoreUnits = []string{"F", "F1", "score", "share", "similarity", "nDCG@10", "Hit@10", "MRR@10", "R@1"}

func isScore(r suite.Result) bool { return slices.Contains(scoreUnits, r.Unit) }

// margin is how far a floor stays behind the score that set it, so that a
// change which moves single words of single pages need not be argued about.
const margin = 0.002

// rounding keeps a number that is a thousandth but for the last bits from losing one.
const rounding = 1e-6

// raise sets the floors of scores that have become better and tells which.
// Floors of time and memory are decisions, not measurements: they stay.
func (f floors) raise(measured []suite.Result) (changes []string) {
	for _, r := range measured {
		if !isScore(r) || math.IsNaN(r.Value) {
			continue
		}
		old, known := f[r.Name]
		raised := behind(r)
		if known && (raised == old.Floor || r.Lower == (raised > old.Floor)) {
			continue
		}
		f[r.Name] = floor{Floor: raised, Goal: old.Goal}
		before := "none"
		if known {
			before = fmt.Sprint(old.Floor)
		}
		changes = append(changes, fmt.Sprintf("%s: floor %s, now %v", r.Name, before, raised))
	}
	return changes
}

// behind is the floor a score sets: the margin away from it, in thousandths, and
// perfection where it is perfect.
func behind(r suite.Result) float64 {
	switch {
	case r.Lower && r.Value == 0, !r.Lower && r.Value == 1:
		return r.Value
	case r.Lower:
		return math.Ceil((r.Value+margin)*1000-rounding) / 1000
	default:
		return math.Max(0, math.Floor((r.Value-margin)*1000+rounding)/1000)
	}
}

// unmet names the floors of a suite for which it brought no result. A
// measurement that has gone missing must not look like one that was passed.
func (f floors) unmet(name string, results []suite.Result) []string {
	var missing []string
	for _, key := range slices.Sorted(maps.Keys(f)) {
		brought := slices.ContainsFunc(results, func(r suite.Result) bool { return r.Name == key })
		if strings.HasPrefix(key, name+".") && !brought {
			missing = append(missing, key)
		}
	}
	return missing
}
