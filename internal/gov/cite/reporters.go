package cite

import (
	"strconv"
	"strings"
)

// reporters maps the letters and digits of a reporter's abbreviation to the
// name it has in a key. They serve queries and running text alike.
var reporters = map[string]string{
	"us": "us", "sct": "sct", "supct": "sct", "led": "led", "led2d": "led2d",
	"f": "f", "f2d": "f2d", "f3d": "f3d", "f4th": "f4th", "fappx": "fappx", "fedappx": "fappx",
	"fsupp": "fsupp", "fsupp2d": "fsupp2d", "fsupp3d": "fsupp3d", "frd": "frd", "br": "br",
	"vetapp": "vetapp", "fedcl": "fedcl", "tc": "tc", "alaska": "alaska",
	"cal": "cal", "cal2d": "cal2d", "cal3d": "cal3d", "cal4th": "cal4th", "cal5th": "cal5th", "calrptr": "calrptr",
	"calrptr2d": "calrptr2d", "calrptr3d": "calrptr3d", "calapp": "calapp", "calapp2d": "calapp2d", "calapp3d": "calapp3d",
	"calapp4th": "calapp4th", "calapp5th": "calapp5th",
	"p": "p", "p2d": "p2d", "p3d": "p3d", "a": "a", "a2d": "a2d", "a3d": "a3d", "ne": "ne", "ne2d": "ne2d", "ne3d": "ne3d",
	"nw": "nw", "nw2d": "nw2d", "se": "se", "se2d": "se2d", "sw": "sw", "sw2d": "sw2d", "sw3d": "sw3d",
	"so": "so", "so2d": "so2d", "so3d": "so3d", "ny": "ny", "ny2d": "ny2d", "ny3d": "ny3d", "nys": "nys", "nys2d": "nys2d", "nys3d": "nys3d",
	"ad2d": "ad2d", "ad3d": "ad3d", "misc2d": "misc2d", "misc3d": "misc3d", "ill2d": "ill2d", "wash2d": "wash2d", "wis2d": "wis2d",
	"mass": "mass", "nj": "nj", "njsuper": "njsuper", "md": "md-reports", "mdapp": "mdapp", "pa": "pa-reports", "va": "va-reports",
	"conn": "conn", "mich": "mich", "minn": "minn", "ohiost3d": "ohiost3d", "nc": "nc-reports", "ga": "ga-reports",
}

// ambiguous names are too short or too common as words to be taken for a
// reporter in a query without their full stops.
var ambiguous = map[string]bool{"f": true, "p": true, "a": true, "ne": true, "nw": true, "se": true, "sw": true,
	"so": true, "br": true, "tc": true, "cal": true, "ny": true, "mass": true, "nj": true, "md": true, "mdapp": true, "pa": true, "va": true,
	"conn": true, "mich": true, "minn": true, "nc": true, "ga": true, "nys": true}

// earlyReporters are the men who reported the Supreme Court before its reports
// were numbered through: 1 Cranch is volume 5 of the United States Reports.
var earlyReporters = []struct {
	name    string // a pattern
	before  int    // volumes of the United States Reports before his first
	volumes int
}{
	{`dall(?:as|\.)?`, 0, 4}, {`cranch|cr\.`, 4, 9}, {`wheat(?:on|\.)?`, 13, 12}, {`pet(?:ers|\.)`, 25, 16},
	{`how(?:ard|\.)`, 41, 24}, {`black`, 65, 2}, {`wall(?:ace|\.)`, 67, 23},
}

// reporterRules reads volume, abbreviation and page; the abbreviation may be
// written with or without full stops and spaces. One pattern finds the shape,
// the table says whether it is a reporter.
func reporterRules() []rule {
	out := []rule{
		compile("", `(\d{1,4}) ([a-z][a-z.' ]{0,13}(?:[2345](?:d|th))?\.?),? ?(?:at )?(\d{1,5})`, reporterKey),
		compile("us", `(\d{1,3}) u\.? ?s\.? ?\(\d{1,2} [a-z.]+\) (\d{1,5})`, func(g []string) string { return join("us", g[1], g[2]) }),
		compile("no|docket", `(?:docket |case )?(?:nos?\.?|number|docket|case) ?(\d{2}-\d{1,5})`, func(g []string) string { return join("docket", g[1]) }),
		compile("cir", `(?:nos?\.? ?|docket )(\d{2}-\d{1,5}),? \(?(?:u\.s\. court of appeals for the )?(\d{1,2}(?:st|nd|rd|th|d)|[a-z]+) cir(?:cuit|\.)?`, circuitDocket),
		compile("-", `^(\d{2}-\d{1,5})$`, func(g []string) string { return join("docket", g[1]) }),
	}
	for _, early := range earlyReporters {
		out = append(out, compile(early.name[:3], `(\d{1,2}) (?:`+early.name+`) (\d{1,4})`, func(g []string) string {
			n, err := strconv.Atoi(g[1])
			if err != nil || n < 1 || n > early.volumes {
				return ""
			}
			return join("us", strconv.Itoa(n+early.before), g[2])
		}))
	}
	return out
}

// circuitDocket makes the key of an appeal: docket/first/93-1234.
func circuitDocket(g []string) string {
	circuit := g[2]
	if n := ordinal(strings.Replace(circuit, "2d", "2nd", 1)); n > 0 {
		for word, value := range ordinals {
			if value == n {
				circuit = word
			}
		}
	}
	return join("docket", circuit, g[1])
}

func reporterKey(g []string) string {
	name := compactReporter.Replace(g[2])
	kind := reporters[name]
	if kind == "" || ambiguous[name] && !strings.Contains(g[2], ".") {
		return ""
	}
	return join(kind, g[1], g[3])
}

var compactReporter = strings.NewReplacer(" ", "", ".", "", "'", "")
