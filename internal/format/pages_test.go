package format

import "testing"

func TestFragmentsAreFoundInOrderAndInUTF16(t *testing.T) {
	p := placer{text: "# Größe 🙂\n\nsame\n\nsame"}
	for _, tc := range []struct {
		fragment string
		want     *[2]int
	}{
		{"# Größe 🙂", &[2]int{0, 10}},
		{"same", &[2]int{12, 16}},
		{"rewritten", nil},
		{"same", &[2]int{18, 22}},
		{"same", nil},
		{"", nil},
	} {
		got := p.find(tc.fragment)
		if (got == nil) != (tc.want == nil) || got != nil && *got != *tc.want {
			t.Errorf("%q: %v, want %v", tc.fragment, got, tc.want)
		}
	}
}
