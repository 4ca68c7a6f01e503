package finding

import (
	"strings"
	"testing"
)

func TestListIsSound(t *testing.T) {
	entries, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) < 1500 {
		t.Fatalf("list has %d entries, want at least 1,500", len(entries))
	}
	seen := make(map[string]string)
	for _, e := range entries {
		if first, dup := seen[e.Keys[0]]; dup {
			t.Errorf("%s is in the list twice, as %q and %q", e.Keys[0], first, e.Citations[0])
		}
		seen[e.Keys[0]] = e.Citations[0]
		for _, item := range append(append([]string{}, e.Names...), e.Words...) {
			if strings.Contains(item, "|") {
				t.Errorf("%s: %q holds a bar; separate items with space bar space", e.Citations[0], item)
			}
		}
	}
}

func TestBrokenLinesAreNamed(t *testing.T) {
	good := "42 U.S.C. § 1983\t\tCivil action for deprivation of rights\tSection 1983\tsue the police\t" +
		"Lets a person sue officials who violate federal rights while acting under state law.\tus\tstatute"
	for _, tc := range []struct{ name, line, want string }{
		{"too few cells", "42 U.S.C. § 1983\t\tHeading", "has 3 cells"},
		{"no heading", strings.Replace(good, "Civil action for deprivation of rights", "", 1), "no heading"},
		{"unknown type", strings.Replace(good, "\tstatute", "\tlaw", 1), `type "law"`},
		{"abstract too short", strings.Replace(good, "Lets a person sue officials who violate federal rights while acting under state law.", "Short.", 1), "6 characters"},
		{"jurisdiction of no shape", strings.Replace(good, "\tus\t", "\tUSA\t", 1), `jurisdiction "USA"`},
		{"citation nobody can read", strings.Replace(good, "42 U.S.C. § 1983", "Lex Julia", 1), "cannot be read"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Read(header + "\n" + tc.line + "\n")
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Read = %v, want an error with %q", err, tc.want)
			}
		})
	}
	if _, err := Read(header + "\n# a comment\n\n" + good + "\n"); err != nil {
		t.Errorf("good line refused: %v", err)
	}
}

func TestCapitalsOfSectionNumbersSurviveInTheAddress(t *testing.T) {
	e, err := readLine("26 U.S.C. § 25D\t\tResidential clean energy credit\t\tsolar panels\t" +
		"Gives homeowners an income tax credit for part of the cost of solar and similar equipment.\tus\tstatute")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(e.URL, "title26-section25D&") || e.Keys[0] != "usc/26/25d" {
		t.Errorf("address %s, key %s", e.URL, e.Keys[0])
	}
}

func FuzzRead(f *testing.F) {
	f.Add(header + "\n42 U.S.C. § 1983\t\ta\tb\tc\td\tus\tstatute\n")
	f.Add(header)
	f.Fuzz(func(t *testing.T, body string) {
		entries, err := Read(body)
		for _, e := range entries {
			if err == nil && len(e.Keys) == 0 {
				t.Errorf("entry without a key: %+v", e)
			}
		}
	})
}
