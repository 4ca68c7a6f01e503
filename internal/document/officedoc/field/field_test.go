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

func TestRuby(t *testing.T) {
	for _, tc := range []struct{ instr, want string }{
		{`EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 9(とう),東)`, "東"},
		{` eq \o\al(\s\up 11(top);base) `, "base"},
		{`EQ \f(1,2)`, ""},
		{`EQ \o\al(\s\up 11(top)`, ""},
		{`EQUAL \o(\up,x)`, ""},
		{`HYPERLINK "https://a.test/\o\up,x)"`, ""},
		{``, ""},
	} {
		if got := Ruby(tc.instr); got != tc.want {
			t.Errorf("%s → %q, want %q", tc.instr, got, tc.want)
		}
	}
}

func FuzzInstruction(f *testing.F) {
	f.Add(`HYPERLINK "https://a.test/" \l "part" \o "tip"`)
	f.Add(`EQ \o\al(\s\up 11(top),base)`)
	f.Fuzz(func(_ *testing.T, instr string) {
		Hyperlink(instr)
		Ruby(instr)
	})
}
