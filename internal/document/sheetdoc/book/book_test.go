package book

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
)

func TestWhatExceedsTheBudgetIsLeftOutWithAWarning(t *testing.T) {
	for _, tc := range []struct {
		name     string
		cells    int
		warnings int
	}{
		{"as many as allowed", 3, 0},
		{"one more", 4, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sheet := &grid.Sheet{Name: "S", Budget: grid.NewBudget(3)}
			for i := range tc.cells {
				sheet.Add(i, 0, "x")
			}
			doc := Doc(document.XLSX, document.Input{}, facts.Facts{}, []*grid.Sheet{sheet})
			if len(doc.Warnings) != tc.warnings {
				t.Errorf("warnings = %q, want %d", doc.Warnings, tc.warnings)
			}
			if tc.warnings > 0 && !strings.Contains(doc.Warnings[0], "left out") {
				t.Errorf("warning %q does not say what happened", doc.Warnings[0])
			}
		})
	}
}

func TestNumbersAsWritten(t *testing.T) {
	s := NewStyles([]int{0, 2, 164}, map[int]string{164: "yyyy"})
	for _, tc := range []struct {
		raw   string
		style int
		want  string
	}{
		{"12", 0, "12"},
		{"1E3", 0, "1000"},
		{"0.30000000000000004", 0, "0.3"},
		{"3", 1, "3.00"},
		{"45351", 2, "2024"},
		{"no number", 1, "no number"},
		{"7", 99, "7"},
	} {
		if got := s.Written([]byte(tc.raw), tc.style); got != tc.want {
			t.Errorf("%q in style %d = %q, want %q", tc.raw, tc.style, got, tc.want)
		}
	}
}
