package field

import "testing"

func TestHyperlink(t *testing.T) {
	for _, tc := range []struct{ instr, want string }{
		{` HYPERLINK "https://a.test/" `, "https://a.test/"},
		{`hyperlink https://a.test/`, "https://a.test/"},
		{`HYPERLINK "https://a.test/" \l "part" \o "tip"`, "https://a.test/#part"},
		{`HYPERLINK \l "part"`, "#part"},
		{`PAGEREF part \h`, ""},
		{`HYPERLINK`, ""},
		{`HYPERLINK "unended`, "unended"},
		{``, ""},
	} {
		if got := Hyperlink(tc.instr); got != tc.want {
			t.Errorf("%s → %q, want %q", tc.instr, got, tc.want)
		}
	}
}
