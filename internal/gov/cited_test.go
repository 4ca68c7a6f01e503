package gov

import (
	"slices"
	"testing"

	"github.com/trawlhq/trawl/internal/gov/publisher"
)

func TestKeysTriedForACitation(t *testing.T) {
	for _, tc := range []struct {
		name, key string
		want      []string // the first of them
	}{
		{"section of the Code", "usc/42/1983", []string{"usc/42/1983"}},
		{"paragraph glued to its section", "usc/26/401k", []string{"usc/26/401k", "usc/26/401"}},
		{"range cut short", "usc/18/1961-68", []string{"usc/18/1961-68", "usc/18/1961"}},
		{"whole amendment", "const/us/amendment-14", []string{"const/us/amendment-14", "const/us/amendment-14-section-1"}},
		{"section of an amendment without sections", "const/us/amendment-4-section-1", []string{"const/us/amendment-4-section-1", "const/us/amendment-4"}},
		{"part of the CFR", "cfr-part/7/273", []string{"cfr-part/7/273", "cfr/7/273.1"}},
		{"acquisition regulation by its title", "cfr/48/252.204-7012", []string{"cfr/48/252.204-7012", "far/252.204-7012"}},
		{"Kansas without its comma", "ksa/79-32110", []string{"ksa/79-32110", "ksa/79-32,110"}},
		{"docket of an unnamed court", "docket/93-1234", []string{"docket/93-1234", "docket/first/93-1234"}},
		{"docket of a circuit", "docket/second/10-15", []string{"docket/second/10-15"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := citationKeys(tc.key)
			if len(got) < len(tc.want) || !slices.Equal(got[:len(tc.want)], tc.want) {
				t.Errorf("citationKeys(%s) = %v, want it to begin with %v", tc.key, got, tc.want)
			}
		})
	}
}

func TestASectionOfAnActIsFoundByTheNameOfTheAct(t *testing.T) {
	u := &publisher.Unit{Type: "statute-compilation", Citation: "Airship Safety Act of 1931 § 12A", Names: []string{"Airship Safety Act of 1931"}}
	if got, want := actKeys(u), []string{"act/airship safety act 1931/12a", "act/airship safety act/12a"}; !slices.Equal(got, want) {
		t.Errorf("actKeys = %v, want %v", got, want)
	}
	asked := &understood{names: []namedLaw{{name: "airship safety act"}}}
	asked.citeActs("what does section 12A of the Airship Safety Act say")
	if len(asked.cites) != 1 || asked.cites[0][0] != "act/airship safety act/12a" {
		t.Errorf("cites = %v", asked.cites)
	}
	asked.citeActs("the Airship Safety Act")
	if len(asked.cites) != 1 {
		t.Errorf("an act without a section was cited: %v", asked.cites)
	}
}
