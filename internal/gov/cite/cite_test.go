package cite

import "testing"

func TestQueriesInEverySpelling(t *testing.T) {
	for _, tc := range []struct{ query, want string }{
		{"42 U.S.C. § 1983", "usc/42/1983"},
		{"42 usc 1983", "usc/42/1983"},
		{"42 USCA §1983", "usc/42/1983"},
		{"title 42 section 1983", "usc/42/1983"},
		{"title 18, United States Code, section 1001", "usc/18/1001"},
		{"section 1983 of title 42", "usc/42/1983"},
		{"sec. 2703(d) of title 18", "usc/18/2703"},
		{"section nineteen hundred and eighty-three of title forty-two", "usc/42/1983"},
		{"42 U.S.C. 2000e–2(a)", "usc/42/2000e-2"},
		{"26 U.S.C. § 25D", "usc/26/25d"},
		{"IRC 501(c)(3)", "usc/26/501"},
		{"I.R.C. § 61", "usc/26/61"},
		{"section 1031 of the Internal Revenue Code", "usc/26/1031"},
		{"Bankruptcy Code § 362", "usc/11/362"},
		{"12 CFR 1026.23", "cfr/12/1026.23"},
		{"12 C.F.R. § 1026.23(a)", "cfr/12/1026.23"},
		{"Reg Z 1026.23", "cfr/12/1026.23"},
		{"Regulation E § 1005.6", "cfr/12/1005.6"},
		{"Treas. Reg. § 1.61-1", "cfr/26/1.61-1"},
		{"48 CFR 52.212-4", "far/52.212-4"},
		{"FAR 52.212-4", "far/52.212-4"},
		{"7 CFR part 273", "cfr-part/7/273"},
		{"Pub. L. No. 111-148", "plaw/111-148"},
		{"P.L. 111–148", "plaw/111-148"},
		{"public law 111-148", "plaw/111-148"},
		{"89 Fed. Reg. 9741", "frpage/89/9741"},
		{"89 FR 9,741", "frpage/89/9741"},
		{"FR Doc. 2024-02930", "fr/2024-02930"},
		{"executive order 13526", "eo/13526"},
		{"Fed. R. Civ. P. 12(b)(6)", "frcp/12"},
		{"FRE 403", "fre/403"},
		{"Federal Rule of Evidence 702", "fre/702"},
		{"Rev. Proc. 2024-40", "irs/rev-proc-2024-40"},
		{"347 U.S. 483", "us/347/483"},
		{"347 US 483 (1954)", "us/347/483"},
		{"74 S. Ct. 686", "sct/74/686"},
		{"999 F.2d 1", "f2d/999/1"},
		{"123 F. Supp. 2d 456", "fsupp2d/123/456"},
		{"No. 19-1392", "docket/19-1392"},
		{"U.S. Const. amend. XIV, § 1", "const/us/amendment-14-section-1"},
		{"Fourth Amendment", "const/us/amendment-4"},
		{"14th amendment section 3", "const/us/amendment-14-section-3"},
		{"U.S. Const. art. I, § 8", "const/us/article-1-section-8"},
		{"article II section 4", "const/us/article-2-section-4"},
		{"D.C. Code § 22–3302", "dc/22-3302"},
		{"dc code 28:2-207", "dc/28:2-207"},
		{"D.C. Law 24-100", "dc-law/24-100"},
		{"C.R.S. 18-1-704", "crs/18-1-704"},
		{"§ 18-1-704, C.R.S.", "crs/18-1-704"},
		{"Ala. Code 1975 § 13A-6-2", "al/13a-6-2"},
		{"Code of Alabama 13A-6-2", "al/13a-6-2"},
		{"K.S.A. 79-32,117", "ksa/79-32,117"},
		{"HRS § 235-7.5", "hrs/235-7.5"},
		{"R.I. Gen. Laws § 44-30-2", "rigl/44-30-2"},
		{"Md. Code Ann., Real Prop. § 8-203", "md/grp/8-203"},
		{"Maryland Family Law Article § 5-203", "md/gfl/5-203"},
		{"Md. Code, Cts. & Jud. Proc. § 5-101", "md/gcj/5-101"},
		{"S.F. Health Code § 581", "sf/health/581"},
		{"San Francisco Campaign and Governmental Conduct Code section 1.114", "sf/campaign/1.114"},
		{"Spanish Fork Municipal Code 9.04.010", "spanish-fork/9.04.010"},
		{"Cal. Penal Code § 187", "ca/pen/187"},
		{"N.Y. Penal Law § 35.15", "ny/pen/35.15"},
		{"Fla. Stat. § 776.012", "fl/776.012"},
		{"Spanish Fork Municipal Code 15.01.04.030", "spanish-fork/15.01.04.030"},
		{"NIST SP 800-53 rev 5 AC-6(1)", "nist80053/AC-6(1)"},
		{"800-53 AC-6.1", "nist80053/AC-6.1"},
		{"2024-02930", "fr/2024-02930"},
	} {
		t.Run(tc.query, func(t *testing.T) {
			if got := Key(tc.query); got != tc.want {
				t.Errorf("Key(%q) = %q, want %q", tc.query, got, tc.want)
			}
		})
	}
}

func TestOrdinaryWordsAreNoCitation(t *testing.T) {
	for _, query := range []string{
		"can my landlord raise the rent twice in 12 months",
		"the first 3 years after us citizenship",
		"what is the fine for a 2nd offense",
		"is 30 days notice enough to move out",
		"so 15 people or more",
		"new york law 18 year old drinking",
		"what is the california labor law on 8 hours",
		"texas law on 30 day notice",
		"do i need a permit in ohio for 4 chickens",
		"is it legal in or near 100 feet of a school",
		"i have 3 la apartments and 2 tenants",
		"penalty as of 2020 for 10 grams",
		"the 2 ps 5 games i bought",
		"no 24 hour notice from landlord",
		"my 16 year old pet 3 dogs",
		"how 12 jurors decide",
		"control ac 2 unit noise",
		"the civil code 1950 all of it",
	} {
		if got := Parse(query); len(got) > 0 {
			t.Errorf("Parse(%q) = %v, want nothing", query, got)
		}
	}
}

func TestFindInRunningText(t *testing.T) {
	text := "See 42 U.S.C. § 1983; Monell v. Department of Social Servs., 436 U.S. 658, 690 (1978); " +
		"42 U. S. C. §2000e–2(a); 7 CFR 273.9(d); 26 CFR 1.401(k)–1(a); 26 CFR 1.401(a)(9)-5; 17 CFR 240.10b5-1; Pub. L. 104–39, § 6; 999 F.2d 12; 120 F. Supp. 2d 44; 90 FR 100."
	want := []string{"usc/42/1983", "us/436/658", "usc/42/2000e-2", "cfr/7/273.9", "cfr/26/1.401(k)-1", "cfr/26/1.401(a)(9)-5", "cfr/17/240.10b5-1", "plaw/104-39", "f2d/999/12",
		"fsupp2d/120/44", "frpage/90/100"}
	got := Find(text)
	if len(got) != len(want) {
		t.Fatalf("Find = %v, want %v", got, want)
	}
	for i, c := range got {
		if c.Key != want[i] {
			t.Errorf("citation %d = %s, want %s", i, c.Key, want[i])
		}
	}
}

func TestAddressFollowsFromTheCitation(t *testing.T) {
	for key, want := range map[string]string{
		"usc/42/1983":                     "https://uscode.house.gov/view.xhtml?req=granuleid:USC-prelim-title42-section1983&num=0&edition=prelim",
		"cfr/12/1026.23":                  "https://www.ecfr.gov/current/title-12/section-1026.23",
		"us/384/436":                      "https://www.courtlistener.com/c/U.S./384/436/",
		"const/us/amendment-14-section-1": "https://constitution.congress.gov/constitution/amendment-14/#amendment-14-section-1",
		"plaw/119-21":                     "https://www.govinfo.gov/link/plaw/119/public/21",
	} {
		if got, ok := URL(key); !ok || got != want {
			t.Errorf("URL(%s) = %s, want %s", key, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"42 U.S.C. § 1983", "section nine of title", "Md. Code", "§§ ", "12 C.F.R. 1.", "Pub. L. 1-", "twenty-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range Parse(text) {
			if c.Key == "" {
				t.Errorf("empty key in %q", text)
			}
		}
		for _, c := range Find(text) {
			if c.Start < 0 || c.End > len(text) || c.Start >= c.End {
				t.Errorf("citation outside its text: %v in %q", c, text)
			}
		}
	})
}
