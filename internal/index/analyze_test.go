package index

import (
	"slices"
	"testing"
)

func TestAnalysisOfWords(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"The landlord's duties", []string{"landlord", "duti"}},
		{"42 U.S.C. § 1983", []string{"42", "usc", "1983"}},
		{"U.S. citizens", []string{"us", "citizen"}},
		{"2000e-2 and 273.9", []string{"2000e", "2", "273", "9"}},
		{"Café Résumé", []string{"cafe", "resum"}},
		{"don’t can't", []string{"dont", "cant"}},
		{"discharged discharging discharges", []string{"discharg", "discharg", "discharg"}},
		{"", nil},
		{"the of and", nil},
	} {
		if got := NewAnalyzer().Terms(tc.text); !slices.Equal(got, tc.want) {
			t.Errorf("Terms(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestStemsMeetAcrossEndings(t *testing.T) {
	for _, family := range [][]string{
		{"employ", "employed", "employs", "employing"},
		{"relate", "related", "relating", "relates"},
		{"nationalize", "nationalized", "nationalization"},
		{"conspiracies", "conspiracy"},
		{"hopping", "hopped", "hops"},
		{"agreed", "agree", "agrees"},
	} {
		for _, w := range family[1:] {
			if Stem(w) != Stem(family[0]) {
				t.Errorf("Stem(%s) = %s, Stem(%s) = %s", w, Stem(w), family[0], Stem(family[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"universe", "universal bank"}, {"sing", "s"}, {"26", "26a"}} {
		if Stem(pair[0]) == Stem(pair[1]) {
			t.Errorf("%s and %s have one stem", pair[0], pair[1])
		}
	}
}

func TestTokensSayWhereTheyStood(t *testing.T) {
	text := "Pay the café’s bill."
	for _, tok := range NewAnalyzer().Tokens(text) {
		if tok.Start < 0 || tok.End > len(text) || tok.Start >= tok.End {
			t.Errorf("token %+v outside its text", tok)
		}
	}
	if got := NewAnalyzer().Tokens(text)[1]; text[got.Start:got.End] != "café’s" || got.Pos != 2 {
		t.Errorf("second token = %+v", got)
	}
}

func FuzzAnalyzer(f *testing.F) {
	f.Add("42 U.S.C. § 1983’s \xff")
	f.Add("a.b.c.")
	f.Fuzz(func(t *testing.T, text string) {
		for _, tok := range NewAnalyzer().Tokens(text) {
			if tok.Term == "" || tok.Start >= tok.End || tok.End > len(text) {
				t.Fatalf("token %+v of %q", tok, text)
			}
		}
	})
}
