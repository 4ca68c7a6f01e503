package numfmt

import "testing"

func TestNumbersAreShownByTheirCode(t *testing.T) {
	for _, tc := range []struct {
		code string
		v    float64
		want string
	}{
		{"General", 0.1 + 0.2, "0.3"},
		{"General", 1e-7, "0.0000001"},
		{"General", 12345678901234567890, "12345678901234600000"},
		{"0", 2.5, "3"},
		{"0.00", 1.005, "1.01"},
		{"0.00", -0.001, "0.00"},
		{"#,##0", 1234567, "1,234,567"},
		{"#,##0.00", -1234.5, "-1,234.50"},
		{"#,##0,", 1234567, "1,235"},
		{"0.0#", 1.5, "1.5"},
		{"0.0#", 1.25, "1.25"},
		{"#.##", 0.5, ".5"},
		{"00000", 42, "00042"},
		{"0%", 0.125, "13%"},
		{"0.0%", 0.125, "12.5%"},
		{`"$"#,##0.00`, 9.5, "$9.50"},
		{`#,##0.00" €"`, 1234.5, "1,234.50 €"},
		{"[$€-407] 0.00", 2, "€ 2.00"},
		{"0;(0);\"nil\"", -5, "(5)"},
		{"0;(0);\"nil\"", 0, "nil"},
		{"[Red]0.0;[Blue]-0.0", -1.25, "-1.3"},
		{"[<10]\"few\";[>=10]\"many\"", 12, "many"},
		{"0.00E+00", 12345, "1.23E+04"},
		{"# ?/?", 2.5, "2 1/2"},
		{"# ??/??", 0.3333, "1/3"},
		{"?/8", 0.25, "2/8"},
		{`_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)`, 0, "-"},
		{"@", 5, "5"},
		{"yyyy-mm-dd", 45351, "2024-02-29"},
		{"d mmm yyyy", 1, "1 Jan 1900"},
		{"dddd, mmmm d", 45351, "Thursday, February 29"},
		{"h:mm AM/PM", 0.75, "6:00 PM"},
		{"hh:mm:ss", 0.5, "12:00:00"},
		{"[h]:mm", 1.5, "36:00"},
		{"mm:ss.0", 0.00001, "00:00.9"},
		{"dd/mm/yy h:mm", 45351.25, "29/02/24 6:00"},
		{"yyyy", -1, "-1"},
	} {
		if got := Parse(tc.code).Number(tc.v, false); got != tc.want {
			t.Errorf("%v as %q = %q, want %q", tc.v, tc.code, got, tc.want)
		}
	}
}

func TestDaysMayBeCountedFrom1904(t *testing.T) {
	if got := Parse("yyyy-mm-dd").Number(0, true); got != "1904-01-01" {
		t.Errorf("day 0 = %s, want 1904-01-01", got)
	}
}

func FuzzNumber(f *testing.F) {
	f.Add("#,##0.00;[Red]-0", 1.5)
	f.Add("[h]:mm:ss.000 AM/PM", -1e300)
	f.Add("# ???/???", 0.3)
	f.Fuzz(func(t *testing.T, code string, v float64) {
		if len(code) < 1000 {
			Parse(code).Number(v, false)
			Parse(code).Text(code)
		}
	})
}
