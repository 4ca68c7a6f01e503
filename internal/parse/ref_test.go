package parse

import (
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func TestReferences(t *testing.T) {
	s := signer{[]byte("secret")}
	good, err := s.sign(claim{"slot", "team", noon.Add(time.Minute).UnixMilli()})
	if err != nil {
		t.Fatal(err)
	}
	text, mac, _ := strings.Cut(good, ".")
	other, err := s.sign(claim{"slot", "other", noon.Add(time.Hour).UnixMilli()})
	if err != nil {
		t.Fatal(err)
	}
	foreign, _, _ := strings.Cut(other, ".")
	for _, tc := range []struct {
		name, ref string
		at        time.Time
		want      string
	}{
		{"a good one", good, noon, ""},
		{"nothing", "", noon, "Invalid uploadRef format."},
		{"no signature", text, noon, "Invalid uploadRef format."},
		{"an empty signature", text + ".", noon, "Invalid uploadRef format."},
		{"no base64", "a b." + mac, noon, "Invalid uploadRef format."},
		{"another claim under the same signature", foreign + "." + mac, noon, "Invalid uploadRef signature."},
		{"a signature of another secret", text + ".AAAA", noon, "Invalid uploadRef signature."},
		{"an old one", good, noon.Add(time.Minute), "uploadRef has expired."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := s.open(tc.ref, tc.at)
			switch {
			case tc.want == "" && (err != nil || c.Slot != "slot" || c.Team != "team"):
				t.Errorf("%+v, %v", c, err)
			case tc.want != "" && (err == nil || err.Error() != tc.want):
				t.Errorf("%v, want %s", err, tc.want)
			}
		})
	}
}

func FuzzReference(f *testing.F) {
	s := signer{[]byte("secret")}
	f.Add("e30.e30")
	f.Fuzz(func(t *testing.T, ref string) {
		if c, err := s.open(ref, noon); err == nil {
			t.Errorf("%q opens %+v", ref, c)
		}
	})
}
