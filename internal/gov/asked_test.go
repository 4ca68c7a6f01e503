package gov

import (
	"testing"

	"github.com/trawlhq/trawl/internal/gov/finding"
	"github.com/trawlhq/trawl/internal/index"
)

func TestAProvisionIsAskedForInItsEverydayWords(t *testing.T) {
	k := newAsked([]finding.Entry{
		{Keys: []string{"phone"}, Words: []string{"can police search my phone", "cops looked through my texts"}},
		{Keys: []string{"house"}, Words: []string{"agents entered a house at night without knocking"}},
	})
	for _, tc := range []struct {
		name, query string
		want        map[string]bool
	}{
		{"the very words", "can the police search my phone", map[string]bool{"phone": true}},
		{"other forms of them, and one more", "police searching a phone without warrant", map[string]bool{"phone": true}},
		{"half of them is not enough", "police uniforms and their cost", nil},
		{"one word in common is not enough", "phone", nil},
		{"a long question that only touches them", "may a school search the phone of a student who broke its rules about lunch", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := k.like(index.NewAnalyzer(), tc.query)
			for key := range got {
				if !tc.want[key] {
					t.Errorf("%s is taken for what was asked for (%.2f)", key, got[key])
				}
			}
			for key := range tc.want {
				if got[key] == 0 {
					t.Errorf("%s is not found: %v", key, got)
				}
			}
		})
	}
}
