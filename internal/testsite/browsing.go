package testsite

import "net/http"

// browsingPages are about what surrounds a page in a browser: windows, files,
// banners, advertisements, looks.
func browsingPages() []Page {
	return []Page{
		{Path: "/browser/popups", About: "opens windows on load and on click", serve: file("popups.html")},
		{Path: "/browser/downloads", About: "starts a download on load", serve: file("downloads.html")},
		{Path: "/browser/file", About: "the file that is downloaded", serve: download},
		{Path: "/browser/cookie-banner", About: "a consent banner over the page that locks scrolling", serve: file("cookie-banner.html")},
		{Path: "/browser/ads", About: "advertisement slots and trackers beside the text", serve: file("ads.html")},
		{Path: "/browser/responsive", About: "other text for small screens and mobile agents", serve: file("responsive.html")},
		{Path: "/browser/tall", About: "20,000 pixels high, for screenshots", serve: file("tall.html")},
		{Path: "/browser/branding", About: "colours, fonts, logo and buttons to be recognised", serve: file("branding.html")},
		{Path: "/browser/locale", About: "shows language and time zone as scripts see them", serve: file("locale.html")},
		{Path: "/browser/storage", About: "counts visits in local storage, for profiles", serve: file("storage.html")},
	}
}

func download(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Disposition", `attachment; filename="tides.csv"`)
	body("text/csv", []byte("day,high\n1,06:40\n"))(w, nil)
}
