package publisher

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

func readAll(t testing.TB, files map[string]string, opts Options) []Unit {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, body := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(body)}
	}
	if opts.Damaged == nil {
		opts.Damaged = func(path string, err error) { t.Errorf("%s: %v", path, err) }
	}
	var units []Unit
	err := Read(context.Background(), fsys, opts, func(u Unit) error {
		units = append(units, u)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return units
}

// want is what a unit read from a fixture must have; empty fields are not looked at.
type want struct {
	key, url, title, path, text, names, edition, date, jurisdiction, kind string
}

func (w want) check(t *testing.T, u Unit) {
	t.Helper()
	for _, f := range []struct{ name, got, want string }{
		{"url", u.URL, w.url}, {"title", u.Title(), w.title}, {"edition", u.Edition, w.edition}, {"date", u.Date, w.date},
		{"jurisdiction", u.Jurisdiction, w.jurisdiction}, {"type", u.Type, w.kind},
	} {
		if f.want != "" && f.got != f.want {
			t.Errorf("%s of %s = %q, want %q", f.name, u.Key, f.got, f.want)
		}
	}
	for _, f := range []struct{ name, got, want string }{
		{"path", strings.Join(u.Path, " › "), w.path}, {"text", u.Text, w.text},
		{"names", strings.Join(append(u.Names, u.Aliases...), " | "), w.names},
	} {
		if !strings.Contains(f.got, f.want) {
			t.Errorf("%s of %s = %q, want %q in it", f.name, u.Key, f.got, f.want)
		}
	}
}

func TestEveryFormat(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []want
	}{
		{
			"US Code in USLM with a short title in its notes",
			map[string]string{"any/usc99.xml": `<?xml version="1.0"?><uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0" identifier="/us/usc/t50"><meta><created>2025-08-11T12:00:00</created><docPublicationName>Online@119-36</docPublicationName></meta>
<main><title identifier="/us/usc/t50"><num value="50">Title 50—</num><heading>LANTERNS</heading><chapter><num>CHAPTER 1—</num><heading>GENERAL</heading>
<section identifier="/us/usc/t50/s12a–1"><num value="12a–1">§ 12a–1.</num><heading> Lighting of lanterns</heading><subsection><num>(a)</num><content>Lanterns shall be lit at dusk.</content></subsection><subsection><num>(b)</num><content>Oil is free.</content></subsection>
<notes><note topic="shortTitle"><heading>Short Title</heading><p>This chapter may be cited as the ‘Lantern Lighting Act of 1901’.</p></note></notes></section></chapter></title></main></uscDoc>`},
			[]want{{key: "usc/50/12a-1", title: "50 U.S.C. § 12a-1 Lighting of lanterns", path: "LANTERNS › GENERAL", text: "(a) Lanterns shall be lit at dusk.\n(b) Oil is free.",
				url: "https://uscode.house.gov/view.xhtml?req=granuleid:USC-prelim-title50-section12a-1&num=0&edition=prelim", names: "Lantern Lighting Act of 1901", date: "2025-08-11"}},
		},
		{
			"US Code section file with a namespace prefix",
			map[string]string{"s.xml": `<ns0:uscDoc xmlns:ns0="http://xml.house.gov/schemas/uslm/1.0" identifier="/us/usc/t26"><ns0:title><ns0:heading>TAX</ns0:heading><ns0:section identifier="/us/usc/t26/s25D"><ns0:num value="25D">§ 25D.</ns0:num><ns0:heading>Credit</ns0:heading><ns0:content><ns0:p>There is a credit.</ns0:p></ns0:content></ns0:section></ns0:title></ns0:uscDoc>`},
			[]want{{key: "usc/26/25d", title: "26 U.S.C. § 25D Credit", text: "There is a credit."}},
		},
		{
			"US Code as JSON lines",
			map[string]string{"x.jsonl": `{"title": 5, "section": "2301", "identifier": "/us/usc/t5/s2301", "heading": "Merit", "text": "(a) Merit counts."}` + "\n"},
			[]want{{key: "usc/5/2301", title: "5 U.S.C. § 2301 Merit", text: "Merit counts", edition: "1"}},
		},
		{
			"Constitution",
			map[string]string{"c.md": "---\nx: y\n---\n# Constitution of the United States of America\n\nWe begin.\n\n## Article I\n### Section 1\nPowers.\n\n## Amendment IV\nNo searches.\n"},
			[]want{{key: "const/us/preamble", text: "We begin."}, {key: "const/us/article-1-section-1", url: "https://constitution.congress.gov/constitution/article-1/#article-1-section-1"},
				{key: "const/us/amendment-4", title: "U.S. Const. amend. IV Amendment IV", names: "Fourth Amendment", kind: "constitution"}},
		},
		{
			"eCFR part file, title from the file name",
			map[string]string{"title-7-part-999.xml": `<DIV5 N="999" TYPE="PART"><HEAD>PART 999—SOUP</HEAD><DIV6 N="A" TYPE="SUBPART"><HEAD>Subpart A—General</HEAD><DIV8 N="999.1" TYPE="SECTION"><HEAD>§ 999.1 Purpose of soup.</HEAD><P>(a) Soup nourishes.</P><P>(b) Hot.</P><CITA>[1 FR 1]</CITA></DIV8></DIV6></DIV5>`},
			[]want{{key: "cfr/7/999.1", title: "7 CFR § 999.1 Purpose of soup.", path: "PART 999—SOUP › Subpart A—General", text: "(a) Soup nourishes.\n(b) Hot.", url: "https://www.ecfr.gov/current/title-7/section-999.1"}},
		},
		{
			"eCFR bulk file, title inside",
			map[string]string{"ECFR.xml": `<DLPSTEXTCLASS><TEXT><DIV1 N="1" TYPE="TITLE"><HEAD>Title 1</HEAD><DIV8 N="§ 1.5" TYPE="SECTION"><HEAD>§ 1.5   Forms.</HEAD><P>Forms exist.</P></DIV8></DIV1></TEXT></DLPSTEXTCLASS>`},
			[]want{{key: "cfr/1/1.5", title: "1 CFR § 1.5 Forms.", edition: "9-ecfr"}},
		},
		{
			"annual CFR",
			map[string]string{"CFR-2012-title12-vol8-part1099.xml": `<CFRGRANULE><FDSYS><CFRTITLE>12</CFRTITLE></FDSYS><PART><HD SOURCE="HED">PART 1099—COINS</HD><CONTENTS><SECTNO>1099.1</SECTNO><SUBJECT>Not this.</SUBJECT></CONTENTS><SECTION><SECTNO>§ 1099.1</SECTNO><SUBJECT>Coins.</SUBJECT><P>Coins are round.</P></SECTION></PART></CFRGRANULE>`},
			[]want{{key: "cfr/12/1099.1", title: "12 CFR § 1099.1 Coins.", path: "PART 1099—COINS", text: "Coins are round.", edition: "5-annual-2012"}},
		},
		{
			"CFR in USLM",
			map[string]string{"u.xml": `<cfrDoc xmlns="http://schemas.gpo.gov/xml/uslm"><meta><docNumber>27</docNumber><docReleasePoint>2017-04-01</docReleasePoint></meta><part><num value="40">PART 40</num><heading>KEGS</heading><section><num value="40.1">§ 40.1</num><heading>Kegs.</heading><content>Kegs roll.</content></section></part></cfrDoc>`},
			[]want{{key: "cfr/27/40.1", title: "27 CFR § 40.1 Kegs.", path: "KEGS", text: "Kegs roll.", edition: "5-annual-2017"}},
		},
		{
			"Federal Register issue",
			map[string]string{"fr.xml": `<FEDREG><VOL>89</VOL><DATE>Monday, February 12, 2024</DATE><RULES><RULE><PREAMB><PRTPAGE P="9741"/><AGENCY>DEPARTMENT OF KITES</AGENCY><SUBJECT>Kites; Strings</SUBJECT></PREAMB><SUPLINF><P>Strings shall hold.</P></SUPLINF><FRDOC>[FR Doc. 2024-02930 Filed 2-9-24]</FRDOC></RULE></RULES></FEDREG>`},
			[]want{{key: "fr/2024-02930", title: "89 FR 9741 Kites; Strings", url: "https://www.federalregister.gov/d/2024-02930", date: "2024-02-12", names: "frpage/89/9741", text: "Strings shall hold.", path: "DEPARTMENT OF KITES"}},
		},
		{
			"Federal Register issue in USLM",
			map[string]string{"fr.xml": `<frDoc xmlns="http://schemas.gpo.gov/xml/uslm"><meta><title>Federal Register Volume 83, Issue 91 (May 10, 2018)</title></meta><notice identifier="/us/fr/83/frdoc2018-09910"><meta><startingPage>21707</startingPage></meta><preface><organization>KITE OFFICE</organization><subject>Meeting</subject></preface><content>We meet.</content></notice></frDoc>`},
			[]want{{key: "fr/2018-09910", title: "83 FR 21707 Meeting", date: "2018-05-10", text: "We meet."}},
		},
		{
			"Federal Register API with the text beside it",
			map[string]string{"2025-1.json": `{"document_number":"2025-14897","citation":"90 FR 37775","title":"Kites Abroad","publication_date":"2025-08-05","agency_names":["Kite Office"],"type":"Presidential Document","executive_order_number":"14999","html_url":"https://www.federalregister.gov/x"}`,
				"2025-1.txt": "<html><pre>\n    By the authority vested\nin me, kites may fly.\n\n    Second paragraph.\n</pre>"},
			[]want{{key: "fr/2025-14897", title: "90 FR 37775 Kites Abroad", names: "Executive Order 14999 | frpage/90/37775 | eo/14999", text: "By the authority vested in me, kites may fly.\nSecond paragraph.", date: "2025-08-05"}},
		},
		{
			"public law",
			map[string]string{"PLAW-119publ99.xml": `<pLaw xmlns="http://schemas.gpo.gov/xml/uslm"><meta><title>Public Law 119–99: To improve kites.</title><citableAs>139 Stat. 700</citableAs><approvedDate>2025-07-04</approvedDate></meta><main><section><content>This Act may be cited as the “<shortTitle>Better Kites Act</shortTitle>”.</content></section></main></pLaw>`},
			[]want{{key: "plaw/119-99", title: "Pub. L. 119-99 To improve kites.", url: "https://www.govinfo.gov/link/plaw/119/public/99", names: "Better Kites Act | stat/139/700", date: "2025-07-04"}},
		},
		{
			"statute compilation",
			map[string]string{"COMPS-77.xml": `<statuteCompilation xmlns="http://schemas.gpo.gov/xml/uslm"><meta><title>KITE SAFETY ACT</title></meta><main><section><num value="(5)">Sec. 5.</num><heading>DUTIES</heading><content>Kites are kept dry.</content></section></main></statuteCompilation>`},
			[]want{{key: "comps/77/5", title: "Kite Safety Act § 5 Kite Safety Act — DUTIES", url: "https://www.govinfo.gov/app/details/COMPS-77#sec-5", text: "Kites are kept dry."}},
		},
		{
			"FAR topic under its part",
			map[string]string{"9.101.dita": `<dita><concept><title><ph>9.101</ph> Kites.</title><conbody><p>Buy kites.</p></conbody></concept></dita>`, "Part_9.dita": `<dita><topic><title><ph>Part 9</ph> - Toys</title></topic></dita>`},
			[]want{{key: "far/9.101", title: "FAR 9.101 Kites.", url: "https://www.acquisition.gov/far/9.101", path: "Toys", text: "Buy kites."}},
		},
		{
			"D.C. Code section under its title's index, and an act",
			map[string]string{
				"code/16/index.xml":           `<container xmlns="https://code.dccouncil.us/schemas/dc-library" xmlns:xi="http://www.w3.org/2001/XInclude"><num>16</num><heading>Kites.</heading><container><num>1</num><heading>Flying.</heading><xi:include href="./sections/16-101.xml"/></container></container>`,
				"code/16/sections/16-101.xml": `<section xmlns="https://code.dccouncil.us/schemas/dc-library"><num>16-101</num><heading>Height.</heading><para><num>(1)</num><text>Ten feet.</text></para></section>`,
				"laws/25-9.xml":               `<document xmlns="https://code.dccouncil.us/schemas/dc-library"><num type="law">25-9</num><heading type="short">Kite Act of 2023</heading><heading type="long">To fly.</heading><meta><effective>2023-06-14</effective></meta><section><text>Fly.</text></section></document>`},
			[]want{{key: "dc/16-101", title: "D.C. Code § 16-101 Height.", path: "Kites. › Flying.", jurisdiction: "us-dc", text: "Ten feet."},
				{key: "dc-law/25-9", title: "D.C. Law 25-9 Kite Act of 2023", date: "2023-06-14", kind: "session-law"}},
		},
		{
			"Maryland: entities, no headings, two versions of a section joined",
			map[string]string{"grp.xml": `<?xml version="1.0"?><!DOCTYPE legisdoc SYSTEM "c:\x\legisdoc.dtd"><legisdoc><article id="dummy"><section id=":grp::8:2::8-203:" db-date="20060801"><enum>8&ndash;203.</enum><text>A landlord &mdash; any landlord &mdash; keeps kites dry; always.</text></section><section id=":grp::8:2::8-203:" db-date="20120801"><enum>8&ndash;203.</enum><text>Later version.</text></section></article></legisdoc>`},
			[]want{{key: "md/grp/8-203", title: "Md. Code, Real Property § 8-203 A landlord — any landlord — keeps kites dry", text: "always.\nLater version.", url: "https://mgaleg.maryland.gov/mgawebsite/Laws/StatuteText?article=grp&section=8-203", jurisdiction: "us-md"}},
		},
		{
			"Colorado",
			map[string]string{"t.xml": `<CRS><TITLE-NUM>TITLE 42</TITLE-NUM><TITLE-TEXT>VEHICLES</TITLE-TEXT><SECTION-TEXT><CATCH-LINE><RHFTO>42-1-101</RHFTO>. <M>Short title.</M></CATCH-LINE>This law shall be known and may be cited as the "Kite Law".</SECTION-TEXT></CRS>`},
			[]want{{key: "crs/42-1-101", title: "C.R.S. § 42-1-101 Short title.", path: "Vehicles", names: "Kite Law", url: "https://colorado.public.law/statutes/crs_42-1-101"}},
		},
		{
			"Alabama",
			map[string]string{"p.json": `{"data": {"codesOfAlabama": {"data": [{"codeId":"1","title":"Chapter 9 Kites.","type":"Chapter"},{"codeId":"2","parentId":"1","displayId":"13A-9-1","content":"<p>(a) Kites.</p><p>(b) Fly.</p>","title":"Section 13A-9-1 Kite Flying.","type":"Section"}]}}}`},
			[]want{{key: "al/13a-9-1", title: "Ala. Code § 13A-9-1 Kite Flying.", path: "Chapter 9 Kites.", text: "(a) Kites.\n(b) Fly.", url: "https://alison.legislature.state.al.us/code-of-alabama?section=13A-9-1"}},
		},
		{
			"Hawaii",
			map[string]string{"hi/HRS_0235-0012_0005.htm": `<html><body><a href="../../Vol04_Ch0201-0257/HRS0235/x.htm">Next</a><div class="WordSection1"><p><b>§235-12.5 Kites; tax.</b> (a) Kites are taxed.</p></div></body></html>`},
			[]want{{key: "hrs/235-12.5", title: "Haw. Rev. Stat. § 235-12.5 Kites; tax", url: "https://www.capitol.hawaii.gov/hrscurrent/Vol04_Ch0201-0257/HRS0235/HRS_0235-0012_0005.htm", jurisdiction: "us-hi"}},
		},
		{
			"Kansas",
			map[string]string{"ks/079_032_0110.html": `<html><head><link href="/css/ksa.css"/></head><body><p>Menu</p><div id="print"><p class="ksa_stat"><span class="stat_number">79-32,110.</span> <span class="stat_caption">Kite tax.</span> (a) A tax.</p></div></body></html>`},
			[]want{{key: "ksa/79-32,110", title: "K.S.A. 79-32,110 Kite tax", url: "https://www.ksrevisor.gov/statutes/chapters/ch79/079_032_0110.html", text: "(a) A tax."}},
		},
		{
			"Rhode Island",
			map[string]string{"ri/44-III/44-30-34.htm": `<html xmlns:x="urn:x-lexisnexis:y"><body><h1>Title 44<br>Taxation</h1><h3>R.I. Gen. Laws § 44-30-34</h3><p><b>§&nbsp;44-30-34.&nbsp;Kite partners.</b></p><p>They share.</p></body></html>`},
			[]want{{key: "rigl/44-30-34", title: "R.I. Gen. Laws § 44-30-34 Kite partners", path: "Taxation", url: "https://webserver.rilegislature.gov/Statutes/TITLE44/44-30/44-III/44-30-34.htm"}},
		},
		{
			"San Francisco: the printed section beats the table of contents, Windows-1252",
			map[string]string{"Police.txt": "\r\nCITY AND COUNTY OF SAN FRANCISCO\r\nMUNICIPAL CODE\r\n\r\nPOLICE CODE\r\nARTICLE 1:\r\nKITES\r\nSEC. 168.  KITES.\r\nSEC. 168.  KITES.\r\n\t(a)\tNo kite\x92s string may cross a street.\r\nSEC. 169-A.  STRINGS.\r\n\tShort.\r\n"},
			[]want{{key: "sf/police/168", title: "S.F. Police Code § 168 KITES.", text: "No kite’s string may cross a street.", path: "San Francisco Police Code › Kites", url: "https://codelibrary.amlegal.com/codes/san_francisco/latest/sf_police#JD_168"},
				{key: "sf/police/169-a", jurisdiction: "us-ca-san-francisco"}},
		},
		{
			"San Francisco in rich text",
			map[string]string{"Park.rtf": `{\rtf1\ansi CITY AND COUNTY OF SAN FRANCISCO\par MUNICIPAL CODE\par PARK CODE\par SEC. 3.01.  KITES IN PARKS.\par Kites may be flown.\par }`},
			[]want{{key: "sf/park/3.01", title: "S.F. Park Code § 3.01 KITES IN PARKS.", text: "Kites may be flown.", edition: "4"}},
		},
		{
			"Spanish Fork",
			map[string]string{"title_6_animals.html": `<html><head><title>Title 6 - Animals | Spanish Fork Municipal Code</title></head><body><section id="6_08_060"><h3>6.08.060 Noise</h3></section><section id="6_08_060"><h3>6.08.060 Noise</h3><p>Quiet.</p></section></body></html>`},
			[]want{{key: "spanish-fork/6.08.060", title: "Spanish Fork Mun. Code § 6.08.060 Noise", text: "Quiet.", url: "https://spanish-fork-city.github.io/municipal-code/title_6_animals.html#6_08_060"}},
		},
		{
			"Supreme Court: opinions of a decision joined, the court's own first",
			map[string]string{
				"600 U.S. 1 (2020) A v. BDissentX.txt": "::decision_cite:: 600 U.S. 1 (2020)\n::decision_name::  A v. B\n::decision_year:: 2020\n::opinion_type:: Dissent\n::opinion::\n\nI dis-\nsent.\n",
				"600 U.S. 1 (2020) A v. BOpinionY.txt": "::decision_cite:: 600 U.S. 1 (2020)\n::decision_name::  A v. B\n::decision_year:: 2020\n::opinion_type:: Opinion\n::opinion::\n\nWe hold.\n",
				"19-999 C v. DOpinionZ.txt":            "::decision_cite:: 19-999\n::decision_name:: C v. D\n::decision_year:: 2021\n::opinion_type:: Opinion\n::opinion::\n\nHeld.\n"},
			[]want{{key: "docket/19-999", title: "C v. D, No. 19-999 (2021)", url: "https://www.supremecourt.gov/docket/docketfiles/html/public/19-999.html"},
				{key: "us/600/1", title: "A v. B, 600 U.S. 1 (2020)", text: "We hold.\nI dissent.", url: "https://www.courtlistener.com/c/U.S./600/1/"}},
		},
		{
			"CourtListener",
			map[string]string{"7.json": `{"absolute_url":"/opinion/777/braga-v-hodgson/","plain_text":"January 5, 1993\n  UNITED STATES COURT OF APPEALS\n  For the First Circuit\n\nNo. 92-1648\n\n  The case is\nabout kites.\n"}`},
			[]want{{key: "cl/777", title: "Braga v. Hodgson, No. 92-1648 (First Cir. 1993)", url: "https://www.courtlistener.com/opinion/777/braga-v-hodgson/", date: "1993-01-05", text: "The case is about kites."}},
		},
		{
			"CourtListener bulk table",
			map[string]string{"opinions.csv": "id,cluster_id,plain_text,html\n1,55,\"May 2, 1999\n\nKITE CO. v. WIND\n\nNo. 98-1000\n\nFor the Second Circuit\n\nAffirmed.\",\n2,56,,<p>Reversed.</p>\n"},
			[]want{{key: "cl/55", title: "KITE CO. v. WIND, No. 98-1000 (Second Cir. 1999)", url: "https://www.courtlistener.com/opinion/55/", text: "Affirmed."}, {key: "cl/56", text: "Reversed."}},
		},
		{
			"Caselaw Access Project",
			map[string]string{"json/0111-01.json": `{"name":"In re KITE","name_abbreviation":"In re Kite","decision_date":"1900-11-03","citations":[{"type":"official","cite":"1 Alaska 111"}],"court":{"name":"Alaska District Court"},"jurisdiction":{"name_long":"Alaska"},"casebody":{"opinions":[{"text":"Denied."}]}}`},
			[]want{{key: "cap/alaska/1/cases/0111-01", title: "In re Kite, 1 Alaska 111", url: "https://static.case.law/alaska/1/cases/0111-01.json", jurisdiction: "us-ak", names: "alaska/1/111"}},
		},
		{
			"Board of Veterans' Appeals",
			map[string]string{"BVA1.txt": "Citation Nr: 1315144\nDecision Date: 05/08/13\n\nTHE ISSUE\n\nService connection for kites.\n\nREPRESENTATION\n\nNone.\n"},
			[]want{{key: "bva/1315144", title: "BVA 1315144 Service connection for kites.", url: "https://www.va.gov/vetapp13/Files1/1315144.txt", date: "2013-05-08"}},
		},
		{
			"OSCAL catalogue with an enhancement",
			map[string]string{"n.xml": `<catalog xmlns="http://csrc.nist.gov/ns/oscal/1.0"><metadata><version>5</version></metadata><group><title>Access</title><control id="ac-2"><title>Accounts</title><param id="p1"><label>time</label></param><part><p>Lock after <insert id-ref="p1"/>.</p></part><control id="ac-2.3"><title>Disable</title><part><p>Off.</p></part></control></control></group></catalog>`},
			[]want{{key: "nist80053/AC-2", title: "NIST SP 800-53 AC-2 Accounts", text: "Lock after [time].", path: "Access"}, {key: "nist80053/AC-2.3", names: "nist80053/AC-2(3)", text: "Off."}},
		},
		{
			"pages listed in a table, and a manifest with text inside",
			map[string]string{"sources.tsv": "k.html\thttps://agency.test/kites\n", "k.html": "<html><head><title>Kites | Agency</title></head><body><nav>Menu</nav><main><p>" + strings.Repeat("Kites need wind. ", 30) + "</p></main></body></html>",
				"more/manifest.jsonl": `{"url":"https://agency.test/r","title":"Rev. Proc. 2031-9","citation":"Rev. Proc. 2031-9","text":"Kites are deductible.","date":"2031-01-01"}`},
			[]want{{url: "https://agency.test/kites", title: "Kites | Agency", text: "Kites need wind."}, {key: "irs/rev-proc-2031-9", title: "Rev. Proc. 2031-9", date: "2031-01-01"}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			units := readAll(t, tc.files, Options{})
			if len(units) != len(tc.want) {
				t.Fatalf("%d units, want %d: %+v", len(units), len(tc.want), units)
			}
			for i, w := range tc.want {
				if w.key != "" && units[i].Key != w.key {
					t.Errorf("unit %d has key %s, want %s", i, units[i].Key, w.key)
				}
				w.check(t, units[i])
			}
		})
	}
}

func TestDamagedFileDoesNotStopTheOthers(t *testing.T) {
	var damaged []string
	units := readAll(t, map[string]string{
		"title-7-part-1.xml": `<DIV5 N="1"><DIV8 N="1.1"><HEAD>§ 1.1 A.</HEAD><P>Cut off`,
		"title-7-part-2.xml": `<DIV5 N="2"><DIV8 N="2.1"><HEAD>§ 2.1 B.</HEAD><P>Whole.</P></DIV8></DIV5>`,
	}, Options{Damaged: func(path string, _ error) { damaged = append(damaged, path) }})
	if len(units) != 1 || units[0].Key != "cfr/7/2.1" {
		t.Errorf("units = %+v, want 2.1 only", units)
	}
	if len(damaged) != 1 || damaged[0] != "title-7-part-1.xml" {
		t.Errorf("damaged = %v", damaged)
	}
}

func TestManifestIsKnownWhateverComesFirstInALine(t *testing.T) {
	line := `{"text":"` + strings.Repeat("Kites. ", 2000) + `","title":"Kites","url":"https://agency.test/kites"}`
	units := readAll(t, map[string]string{"long.jsonl": line}, Options{})
	if len(units) != 1 || units[0].URL != "https://agency.test/kites" {
		t.Errorf("%d units", len(units))
	}
}

func TestErrorOfTheReceiverStopsReading(t *testing.T) {
	stop := errors.New("disk full")
	fsys := fstest.MapFS{"x.jsonl": {Data: []byte(strings.Repeat(`{"identifier": "/us/usc/t5/s1", "text": "x"}`+"\n", 3))}}
	calls := 0
	err := Read(context.Background(), fsys, Options{}, func(Unit) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("Read = %v after %d calls, want %v after one", err, calls, stop)
	}
}

func TestPDFGoesThroughTheReaderGiven(t *testing.T) {
	files := map[string]string{"sources.tsv": "g.pdf\thttps://agency.test/g.pdf\tRev. Proc. 2031-10\n", "g.pdf": "%PDF-1.7 …"}
	units := readAll(t, files, Options{PDF: func(context.Context, []byte) (string, error) { return "text of the file", nil }})
	if len(units) != 1 || units[0].Text != "text of the file" || units[0].Aliases[0] != "irs/rev-proc-2031-10" {
		t.Errorf("units = %+v", units)
	}
	var got error
	readAll(t, files, Options{Damaged: func(_ string, err error) { got = err }})
	if !errors.Is(got, errNoPDF) {
		t.Errorf("without a reader: %v, want %v", got, errNoPDF)
	}
}

func FuzzReadersNeverPanic(f *testing.F) {
	for _, head := range []string{
		`<uscDoc identifier="/us/usc/t1"><title><section identifier="/us/usc/t1/s1">`, `<DIV5 N="1"><DIV8 N="1.1">`, `<CFRGRANULE><SECTION>`,
		`<FEDREG><RULE>`, `<pLaw><meta>`, `<statuteCompilation><meta>`, `<legisdoc><section id="::">`, `<CRS><SECTION-TEXT>`,
		`<section xmlns="schemas/dc-library"><num>1`, `::decision_cite:: 1 U.S. 1`, `{"absolute_url":"/opinion/1/a/"}`, `Citation Nr: 1`,
		`{"name_abbreviation":"a","citations":[{"cite":"1 A 1"}]}`, `{"url":"x","text":"y"}`, "CITY AND COUNTY OF SAN FRANCISCO\nMUNICIPAL CODE\nSEC. 1. A", "%PDF-",
	} {
		f.Add("a.xml", head)
		f.Add("a.json", head)
		f.Add("HRS_0001-0001.htm", head)
	}
	f.Fuzz(func(t *testing.T, name, body string) {
		if name == "" || strings.ContainsAny(name, "/\\\x00") || name == "." || name == ".." {
			return
		}
		fsys := fstest.MapFS{name: {Data: []byte(body)}, "sources.tsv": {Data: []byte(name + "\thttps://a.test/\n")}}
		err := Read(context.Background(), fsys, Options{}, func(u Unit) error {
			_ = u.Title()
			return nil
		})
		_ = err // damaged input may be an error, never a panic
	})
}
