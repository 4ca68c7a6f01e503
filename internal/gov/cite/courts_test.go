package cite

import "testing"

func TestRulesOfCourtInManySpellings(t *testing.T) {
	checkSpellings(t, []spelling{
		is("FRCP 12(b)(6)", "frcp/12"),
		is("F.R.C.P. 12(b)(6)", "frcp/12"),
		is("Fed.R.Civ.P. 56", "frcp/56"),
		is("Rule 56 of the Federal Rules of Civil Procedure", "frcp/56"),
		is("federal rule of civil procedure 23(b)(3)", "frcp/23"),
		is("Fed. R. Crim. P. 11(c)", "frcrp/11"),
		is("Fed. R. Evid. 404(b)", "fre/404"),
		is("F.R.E. 801(d)(2)", "fre/801"),
		is("Rule 403, FRE", "fre/403"),
		is("Fed. R. App. P. 4(a)", "frap/4"),
		is("Fed. R. Bankr. P. 7001", "frbp/7001"),
		is("U.S.S.G. § 2D1.1", "ussg/2d1.1"),
	})
}

func TestReportersInManySpellings(t *testing.T) {
	checkSpellings(t, []spelling{
		is("384 U. S. 436", "us/384/436"),
		is("384 U.S. 436, 444 (1966)", "us/384/436"),
		is("384 U.S. 436, 86 S. Ct. 1602, 16 L. Ed. 2d 694 (1966)", "us/384/436", "sct/86/1602", "led2d/16/694"),
		is("Marbury v. Madison, 5 U.S. (1 Cranch) 137 (1803)", "us/5/137"),
		is("1 Cranch 137", "us/5/137"),
		is("4 Wheat. 316", "us/17/316"),
		is("17 US (4 Wheat) 316", "us/17/316"),
		is("19 How. 393", "us/60/393"),
		is("71 U.S. (4 Wall.) 2", "us/71/2"),
		is("3 Dall. 386", "us/3/386"),
		is("410 F.2d 100", "f2d/410/100"),
		is("410 F. 3d 100", "f3d/410/100"),
		is("12 F.4th 345", "f4th/12/345"),
		is("345 F. Supp. 3d 678", "fsupp3d/345/678"),
		is("99 Fed. Appx. 12", "fappx/99/12"),
		is("1 Alaska 598", "alaska/1/598"),
		is("67 N.J. 151", "nj/67/151"),
		is("440 Mass. 309", "mass/440/309"),
		is("50 Cal. App. 5th 12", "calapp5th/50/12"),
		is("no. 14-556", "docket/14-556"),
		is("docket number 14-556", "docket/14-556"),
		is("case no. 14-556", "docket/14-556"),
		is("14-556", "docket/14-556"),
		is("No. 93-1234 (1st Cir. 1993)", "docket/first/93-1234"),
		is("no. 10-1512, 2d Cir.", "docket/second/10-1512"),
		is("no. 10-1512 federal circuit", "docket/federal/10-1512"),
	})
}

func TestConstitutionsInManySpellings(t *testing.T) {
	checkSpellings(t, []spelling{
		is("US Constitution 14th Amendment Section 1", "const/us/amendment-14-section-1"),
		is("14th Amend. § 1", "const/us/amendment-14-section-1"),
		is("amend. XIV, sec. 3", "const/us/amendment-14-section-3"),
		is("section 5 of the fourteenth amendment", "const/us/amendment-14-section-5"),
		is("twenty first amendment", "const/us/amendment-21"),
		is("the second amendment", "const/us/amendment-2"),
		is("Art. I, § 8, cl. 3", "const/us/article-1-section-8"),
		is("U.S. Const. art. I, § 8, cl. 3", "const/us/article-1-section-8"),
		is("Article III of the Constitution", "const/us/article-3"),
		is("article 1 section 9 of the U.S. Constitution", "const/us/article-1-section-9"),
		is("section 2 of article II", "const/us/article-2-section-2"),
		is("Cal. Const. art. I, § 7", "const/ca/article-1-section-7"),
		is("California Constitution article I section 7", "const/ca/article-1-section-7"),
		is("Md. Const. art. III, § 40", "md/c3/40"),
		is("amendment 30"),
	})
}
