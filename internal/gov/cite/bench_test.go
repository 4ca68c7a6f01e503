package cite

import "testing"

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		Parse("is a landlord in Maryland bound by 42 U.S.C. § 3604 and Md. Code, Real Prop. § 8-203 after 410 U.S. 113")
	}
}
