package cite

import "strings"

// reporters maps the letters and digits of a reporter's abbreviation to the
// name it has in a key. They serve queries and running text alike.
var reporters = map[string]string{
	"us": "us", "sct": "sct", "led": "led", "led2d": "led2d",
	"f": "f", "f2d": "f2d", "f3d": "f3d", "f4th": "f4th", "fappx": "fappx",
	"fsupp": "fsupp", "fsupp2d": "fsupp2d", "fsupp3d": "fsupp3d", "frd": "frd", "br": "br",
	"vetapp": "vetapp", "fedcl": "fedcl", "tc": "tc", "alaska": "alaska",
	"cal": "cal", "cal2d": "cal2d", "cal3d": "cal3d", "cal4th": "cal4th", "cal5th": "cal5th", "calrptr": "calrptr",
	"p": "p", "p2d": "p2d", "p3d": "p3d", "a": "a", "a2d": "a2d", "a3d": "a3d", "ne": "ne", "ne2d": "ne2d", "ne3d": "ne3d",
	"nw": "nw", "nw2d": "nw2d", "se": "se", "se2d": "se2d", "sw": "sw", "sw2d": "sw2d", "sw3d": "sw3d",
	"so": "so", "so2d": "so2d", "so3d": "so3d", "ny": "ny", "ny2d": "ny2d", "ny3d": "ny3d", "nys2d": "nys2d",
}

// ambiguous names are too short or too common as words to be taken for a
// reporter in a query without their full stops.
var ambiguous = map[string]bool{"f": true, "p": true, "a": true, "ne": true, "nw": true, "se": true, "sw": true,
	"so": true, "br": true, "tc": true, "cal": true, "ny": true}

// reporterRules reads volume, abbreviation and page; the abbreviation may be
// written with or without full stops and spaces. One pattern finds the shape,
// the table says whether it is a reporter.
func reporterRules() []rule {
	return []rule{
		compile("", `(\d{1,4}) ([a-z][a-z.' ]{0,11}(?:[2345](?:d|th))?\.?),? ?(?:at )?(\d{1,5})`, reporterKey),
		compile("no", `(?:docket )?no\.? ?(\d{2}-\d{1,5})`, func(g []string) string { return join("docket", g[1]) }),
	}
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
