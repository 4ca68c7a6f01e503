package gov

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/internal/index"
)

func TestPlacesInQueries(t *testing.T) {
	for _, tc := range []struct {
		query string
		want  []string
	}{
		{"tenant rights in Washington, D.C.", []string{"us-dc"}},
		{"tenant rights in DC", []string{"us-dc"}},
		{"drinking age in the District", []string{"us-dc"}},
		{"review by the district court", nil},
		{"the district attorney refused", nil},
		{"D.C. Circuit review of agency action", nil},
		{"speed limit West Virginia", []string{"us-wv"}},
		{"Maryland and Colorado compared", []string{"us-co", "us-md"}},
		{"parking in SF", []string{"us-ca-san-francisco"}},
		{"New York Times v. Sullivan", nil},
		{"Maryland v. Wilson", nil},
		{"Hollingsworth v. Virginia", nil},
		{"dogs in Spanish Fork, Utah", []string{"us-ut-spanish-fork"}},
	} {
		got := findPlaces(tc.query).codes
		slices.Sort(got)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%q names %v, want %v", tc.query, got, tc.want)
		}
	}
}

func TestQuestionsAreToldFromDescriptions(t *testing.T) {
	for query, want := range map[string]bool{
		"can my landlord keep my deposit":                    true,
		"how long does a copyright last":                     true,
		"is it legal to record calls?":                       true,
		"officer searched a car after an arrest":             false,
		"negligent infliction of emotional distress":         false,
		"pupils suspended for wearing buttons at graduation": false,
	} {
		if got := isQuestion(query); got != want {
			t.Errorf("isQuestion(%q) = %v", query, got)
		}
	}
}

func TestBridgeLeadsFromEverydayWordsToLegalOnes(t *testing.T) {
	b, err := newBridge()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ query, want string }{
		{"my boss fired me", "employer"},
		{"Fired!", "discharge"},
		{"food stamps for students", "supplemental nutrition assistance program"},
		{"two cars", "vehicle"},
	} {
		found := false
		for _, alts := range b.expand(tc.query) {
			found = found || slices.ContainsFunc(alts, func(a alternative) bool { return a.text == tc.want })
		}
		if !found {
			t.Errorf("%q does not lead to %q", tc.query, tc.want)
		}
	}
	if got := b.expand("certiorari"); len(got) != 0 {
		t.Errorf("certiorari leads to %v", got)
	}
}

func TestSnippetShowsTheAnswer(t *testing.T) {
	filler := strings.Repeat("This sentence is here to fill the page. ", 40)
	text := filler + "A kite may be flown at two hundred feet. " + filler
	terms := map[string]float64{index.Stem("kite"): 1, index.Stem("feet"): 1}
	got := snippet(index.NewAnalyzer(), terms, text)
	if !strings.Contains(got, "A kite may be flown at two hundred feet.") || !strings.HasPrefix(got, "… ") || !strings.HasSuffix(got, " …") {
		t.Errorf("snippet = %q", got)
	}
	for _, long := range []string{strings.Repeat("é", 2000), strings.Repeat("word ", 400), "short"} {
		if s := snippet(index.NewAnalyzer(), terms, long); utf8.RuneCountInString(s) > snippetSize || !utf8.ValidString(s) {
			t.Errorf("snippet of %d characters", utf8.RuneCountInString(s))
		}
	}
}

func TestPassagesKeepAllWords(t *testing.T) {
	text := strings.Repeat("A sentence of some length about kites and strings. ", 100) + "\n" + strings.Repeat("x", 4000) + "\nshort\n\nlast"
	var joined strings.Builder
	for _, p := range cutPassages(text) {
		if len(p) > passageMax+passageSize {
			t.Errorf("passage of %d bytes", len(p))
		}
		joined.WriteString(p)
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if squeeze(joined.String()) != squeeze(text) {
		t.Error("words were lost between passages")
	}
}

func FuzzSearchNeverFails(f *testing.F) {
	s := openService(f, f.TempDir())
	for _, seed := range []string{"42 USC 1983", "can police search my phone", "Miranda v. Arizona", "§ é \xff", "in D.C. 'the'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		for _, r := range search(t, s, query) {
			if !utf8.ValidString(r.Description) || utf8.RuneCountInString(r.Description) > snippetSize {
				t.Errorf("%q: description %q", query, r.Description)
			}
		}
	})
}
