package cite

import (
	"net/url"
	"strings"
)

// URL gives the official address of a key, where the citation alone determines
// it. Section numbers of the U.S. Code keep the letter case they were given in.
func URL(key string) (string, bool) {
	kind, rest, _ := strings.Cut(key, "/")
	first, second, _ := strings.Cut(rest, "/")
	switch kind {
	case "usc":
		return "https://uscode.house.gov/view.xhtml?req=granuleid:USC-prelim-title" + first + "-section" + second + "&num=0&edition=prelim", true
	case "cfr":
		return "https://www.ecfr.gov/current/title-" + first + "/section-" + second, true
	case "cfr-part":
		return "https://www.ecfr.gov/current/title-" + first + "/part-" + second, true
	case "us":
		return "https://www.courtlistener.com/c/U.S./" + first + "/" + second + "/", true
	case "docket":
		return "https://www.supremecourt.gov/docket/docketfiles/html/public/" + rest + ".html", true
	case "plaw":
		congress, n, _ := strings.Cut(rest, "-")
		return "https://www.govinfo.gov/link/plaw/" + congress + "/public/" + n, true
	case "fr":
		return "https://www.federalregister.gov/d/" + rest, true
	case "const":
		return constitutionURL(rest)
	case "md":
		return "https://mgaleg.maryland.gov/mgawebsite/Laws/StatuteText?article=" + first + "&section=" + url.QueryEscape(second), true
	}
	if prefix := sectionAddresses[kind]; prefix != "" {
		return prefix + rest, true
	}
	return "", false
}

// sectionAddresses are the sites where the section number ends the address.
var sectionAddresses = map[string]string{
	"far":    "https://www.acquisition.gov/far/",
	"dc":     "https://code.dccouncil.gov/us/dc/council/code/sections/",
	"dc-law": "https://code.dccouncil.gov/us/dc/council/laws/",
	"crs":    "https://colorado.public.law/statutes/crs_",
	"al":     "https://alison.legislature.state.al.us/code-of-alabama?section=",
}

func constitutionURL(rest string) (string, bool) {
	place, ok := strings.CutPrefix(rest, "us/")
	if !ok {
		return "", false
	}
	whole, _, inside := strings.Cut(place, "-section-")
	address := "https://constitution.congress.gov/constitution/" + whole + "/"
	if inside {
		address += "#" + place
	}
	return address, true
}
