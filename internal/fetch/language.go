package fetch

import "strings"

// languagesOf gives what a browser sold in a country sends. Countries that are not
// here send English: a wrong guess hides content, English rarely does.
func languagesOf(country string) []string {
	country = strings.ToUpper(country)
	if language, ok := mainLanguage[country]; ok {
		return []string{language + "-" + country, language, "en"}
	}
	if len(country) == 2 && country != "US" {
		return []string{"en-" + country, "en"}
	}
	return []string{"en-US", "en"}
}

var mainLanguage = map[string]string{
	"AR": "es", "AT": "de", "BE": "nl", "BG": "bg", "BO": "es", "BR": "pt", "CH": "de", "CL": "es", "CN": "zh", "CO": "es",
	"CR": "es", "CU": "es", "CZ": "cs", "DE": "de", "DK": "da", "DO": "es", "DZ": "ar", "EC": "es", "EE": "et", "EG": "ar",
	"ES": "es", "FI": "fi", "FR": "fr", "GR": "el", "GT": "es", "HK": "zh", "HN": "es", "HR": "hr", "HU": "hu", "ID": "id",
	"IL": "he", "IR": "fa", "IS": "is", "IT": "it", "JP": "ja", "KR": "ko", "LT": "lt", "LU": "fr", "LV": "lv", "MA": "ar",
	"MX": "es", "NI": "es", "NL": "nl", "NO": "nb", "PA": "es", "PE": "es", "PL": "pl", "PT": "pt", "PY": "es", "RO": "ro",
	"RS": "sr", "RU": "ru", "SA": "ar", "SE": "sv", "SI": "sl", "SK": "sk", "SV": "es", "TH": "th", "TN": "ar", "TR": "tr",
	"TW": "zh", "UA": "uk", "UY": "es", "VE": "es", "VN": "vi",
}
