package publisher

import "strings"

// stateCodes are the postal codes of states, territories and the District.
var stateCodes = map[string]string{
	"alabama": "al", "alaska": "ak", "arizona": "az", "arkansas": "ar", "california": "ca", "colorado": "co", "connecticut": "ct",
	"delaware": "de", "district of columbia": "dc", "florida": "fl", "georgia": "ga", "hawaii": "hi", "idaho": "id", "illinois": "il",
	"indiana": "in", "iowa": "ia", "kansas": "ks", "kentucky": "ky", "louisiana": "la", "maine": "me", "maryland": "md",
	"massachusetts": "ma", "michigan": "mi", "minnesota": "mn", "mississippi": "ms", "missouri": "mo", "montana": "mt",
	"nebraska": "ne", "nevada": "nv", "new hampshire": "nh", "new jersey": "nj", "new mexico": "nm", "new york": "ny",
	"north carolina": "nc", "north dakota": "nd", "ohio": "oh", "oklahoma": "ok", "oregon": "or", "pennsylvania": "pa",
	"rhode island": "ri", "south carolina": "sc", "south dakota": "sd", "tennessee": "tn", "texas": "tx", "utah": "ut",
	"vermont": "vt", "virginia": "va", "washington": "wa", "west virginia": "wv", "wisconsin": "wi", "wyoming": "wy",
	"puerto rico": "pr", "guam": "gu",
}

// States gives the postal codes by the names of states, in small letters.
func States() map[string]string {
	out := make(map[string]string, len(stateCodes))
	for name, code := range stateCodes {
		out[name] = code
	}
	return out
}

func stateJurisdiction(name string) string {
	if code := stateCodes[strings.ToLower(name)]; code != "" {
		return "us-" + code
	}
	return "us"
}
