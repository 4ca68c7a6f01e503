package cite

import (
	"regexp"
	"strings"
	"testing"
)

func TestTableOfActsIsSound(t *testing.T) {
	place := regexp.MustCompile(`^\d+[a-z]?=(?:\d+/)?\d+[a-z]{0,3}(?:-\d+[a-z]?)?$`)
	for line := range strings.Lines(actTable) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) < 3 || cells[2] == "-" && len(cells) != 4 {
			t.Errorf("%.60q has %d cells", line, len(cells))
			continue
		}
		seen := map[string]bool{}
		for _, p := range strings.Fields(strings.Join(cells[3:], " ")) {
			section, _, _ := strings.Cut(p, "=")
			if !place.MatchString(p) || seen[section] {
				t.Errorf("%s: place %q is of another shape, or twice", cells[0], p)
			}
			seen[section] = true
		}
	}
	if n := len(readActs(actTable)); n < 50 {
		t.Errorf("%d acts", n)
	}
}
