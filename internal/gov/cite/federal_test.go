package cite

import "testing"

// spelling is a way to write something and the keys it must give, in order.
type spelling struct {
	text string
	want []string
}

func checkSpellings(t *testing.T, spellings []spelling) {
	t.Helper()
	for _, tc := range spellings {
		t.Run(tc.text, func(t *testing.T) {
			var got []string
			for _, c := range Parse(tc.text) {
				got = append(got, c.Key)
			}
			if len(got) != len(tc.want) {
				t.Fatalf("Parse(%q) = %v, want %v", tc.text, got, tc.want)
			}
			for i := range got {
				if got[i] != tc.want[i] {
					t.Errorf("Parse(%q) = %v, want %v", tc.text, got, tc.want)
				}
			}
		})
	}
}

func is(text string, want ...string) spelling { return spelling{text, want} }

func TestTheCodeInManySpellings(t *testing.T) {
	checkSpellings(t, []spelling{
		is("42 U. S. C. § 1983", "usc/42/1983"),
		is("42 USC1983", "usc/42/1983"),
		is("42 U.S.C.A. § 1983 (West 2020)", "usc/42/1983"),
		is("42 U.S.C.S. § 1983", "usc/42/1983"),
		is("42 uscs 1983", "usc/42/1983"),
		is("42 U.S. Code § 1983", "usc/42/1983"),
		is("42 US Code Sec. 1983", "usc/42/1983"),
		is("42 united states code section 1983", "usc/42/1983"),
		is("title 42 U.S.C. section 1983", "usc/42/1983"),
		is("Title 42, Section 1983 of the United States Code", "usc/42/1983"),
		is("USC title 42 section 1983", "usc/42/1983"),
		is("section 1983 of 42 U.S.C.", "usc/42/1983"),
		is("under section 1983, title 42, United States Code", "usc/42/1983"),
		is("what does 18 usc 922(g)(1) say", "usc/18/922"),
		is("18 U.S.C. § 1961 et seq.", "usc/18/1961"),
		is("18 U.S.C. §§ 1961-1968", "usc/18/1961"),
		is("18 U.S.C. §§ 1961–68", "usc/18/1961-68"),
		is("42 U.S.C. §§ 1981, 1983, and 1985(3)", "usc/42/1981", "usc/42/1983", "usc/42/1985"),
		is("18 usc sections 241 and 242", "usc/18/241", "usc/18/242"),
		is("7 U.S.C. § 1308-1", "usc/7/1308-1"),
		is("42 U.S.C. § 1395w-4(b)", "usc/42/1395w-4"),
		is("15 U.S.C. 78u–6(h)(1)(A)", "usc/15/78u-6"),
		is("26 U.S.C. § 1400Z-2", "usc/26/1400z-2"),
		is("28 USC 1331 and 28 USC 1332", "usc/28/1331", "usc/28/1332"),
		is("IRC sec. 401(k)", "usc/26/401"),
		is("Internal Revenue Code section 61", "usc/26/61"),
		is("section 362 of the Bankruptcy Code", "usc/11/362"),
	})
}

func TestSectionsOfActs(t *testing.T) {
	checkSpellings(t, []spelling{
		is("INA § 212(a)(9)(B)", "usc/8/1182"),
		is("INA 240A", "usc/8/1229b"),
		is("section 208 of the Immigration and Nationality Act", "usc/8/1158"),
		is("ERISA § 404(a)", "usc/29/1104"),
		is("section 502(a) of ERISA", "usc/29/1132"),
		is("FLSA section 7", "usc/29/207"),
		is("section 8(a)(1) of the NLRA", "usc/29/158"),
		is("Title VII § 703", "usc/42/2000e-2"),
		is("section 504 of the Rehabilitation Act", "usc/29/794"),
		is("section 10(b) of the Securities Exchange Act of 1934", "usc/15/78j"),
		is("section 11 of the Securities Act", "usc/15/77k"),
		is("FTC Act section 5", "usc/15/45"),
		is("section 1 of the Sherman Act", "usc/15/1"),
		is("Clean Water Act § 404", "usc/33/1344"),
		is("CAA § 111(d)", "usc/42/7411"),
		is("section 7 of the Endangered Species Act", "usc/16/1536"),
		is("section 1902(a)(10) of the Social Security Act", "usc/42/1396a"),
		is("Lanham Act § 43(a)", "usc/15/1125"),
		is("F.C.R.A. § 611", "usc/15/1681i"),
		is("UCMJ Article 92", "usc/10/892"),
		is("article 134 of the UCMJ", "usc/10/934"),
		is("APA § 706", "usc/5/706"),
		is("section 230 of the Communications Decency Act", "usc/47/230"),
		is("section 2 of the Voting Rights Act", "usc/52/10301"),
		is("INA 9999"),
		is("the clean air act of the 70s"),
	})
}

func TestRegulationsInManySpellings(t *testing.T) {
	checkSpellings(t, []spelling{
		is("26 C.F.R. § 1.401(k)-1", "cfr/26/1.401(k)-1"),
		is("26 CFR 1.401(a)(9)-5(b)", "cfr/26/1.401(a)(9)-5"),
		is("Treas. Reg. § 1.401(k)-1(a)(4)", "cfr/26/1.401(k)-1"),
		is("Treas Reg 1.6011-4", "cfr/26/1.6011-4"),
		is("17 CFR 240.10b5-1", "cfr/17/240.10b5-1"),
		is("17 C.F.R. § 240.10b-5", "cfr/17/240.10b-5"),
		is("17 CFR § 240.15c3-1(a)", "cfr/17/240.15c3-1"),
		is("17 CFR 230.506(c)", "cfr/17/230.506"),
		is("29 C.F.R. §§ 541.100-541.106", "cfr/29/541.100"),
		is("29 CFR 541.100 through 541.106", "cfr/29/541.100"),
		is("29 CFR §§ 541.100–.106", "cfr/29/541.100"),
		is("title 29 CFR section 541.100", "cfr/29/541.100"),
		is("Title 29 of the Code of Federal Regulations, § 541.100", "cfr/29/541.100"),
		is("section 541.100 of title 29 of the Code of Federal Regulations", "cfr/29/541.100"),
		is("29CFR1910.1200", "cfr/29/1910.1200"),
		is("29 C. F. R. § 1910.1200(e)", "cfr/29/1910.1200"),
		is("45 CFR 164.512(b)(1)(i)", "cfr/45/164.512"),
		is("12 CFR Part 1026", "cfr-part/12/1026"),
		is("12 CFR pt. 1026", "cfr-part/12/1026"),
		is("part 1026 of title 12, Code of Federal Regulations", "cfr-part/12/1026"),
		is("Regulation Z, 12 CFR 1026.23", "cfr/12/1026.23"),
		is("Reg. Z § 226.23", "cfr/12/1026.23"),
		is("48 C.F.R. § 52.212-4(a)", "far/52.212-4"),
		is("F.A.R. 52.212-4", "far/52.212-4"),
		is("FAR clause 52.222-50(b)", "far/52.222-50"),
		is("Federal Acquisition Regulation 9.406-2", "far/9.406-2"),
		is("DFARS 252.204-7012", "cfr/48/252.204-7012"),
		is("48 CFR 252.204-7012", "cfr/48/252.204-7012"),
	})
}

func TestLawsAndDocuments(t *testing.T) {
	checkSpellings(t, []spelling{
		is("PL 119-21", "plaw/119-21"),
		is("Pub.L.No. 119-21", "plaw/119-21"),
		is("Public Law No. 119–21, § 10101", "plaw/119-21"),
		is("Pub. L. No. 119-21, 139 Stat. 72", "plaw/119-21", "stat/139/72"),
		is("139 Statutes at Large 72", "stat/139/72"),
		is("D.C. Law No. 25-100", "dc-law/25-100"),
		is("DC Act 25-100", "dc-law/25-100"),
		is("89 F.R. 9741", "frpage/89/9741"),
		is("89 Fed. Reg. 9,741, 9,743", "frpage/89/9741"),
		is("89 federal register 9741", "frpage/89/9741"),
		is("FR Doc. No. 2024-02930", "fr/2024-02930"),
		is("E.O. 14324", "eo/14324"),
		is("Exec. Order No. 13,526", "eo/13526"),
		is("Executive Order number 9066", "eo/9066"),
		is("Proclamation No. 10414", "proclamation/10414"),
		is("Rev Proc 2025-32", "irs/rev-proc-2025-32"),
		is("Revenue Ruling 99-7", "irs/rev-rul-99-7"),
		is("NIST SP 800-53 Rev. 5 AC-2(1)", "nist80053/AC-2(1)"),
		is("NIST control AC-2", "nist80053/AC-2"),
		is("ac-2(1)", "nist80053/AC-2(1)"),
		is("Citation Nr: 1303141", "bva/1303141"),
	})
}
