package testsite

import (
	"net/http"
	"time"
)

// cachingPages answer conditional requests.
func cachingPages() []Page {
	return []Page{
		{Path: "/cache/etag", About: "ETag; 304 when it is sent back", serve: etag},
		{Path: "/cache/modified", About: "Last-Modified; 304 when it is sent back", serve: lastModified},
		{Path: "/cache/no-store", About: "Cache-Control: no-store", serve: noStore},
	}
}

func etag(w http.ResponseWriter, r *http.Request) {
	const tag = `"tide-11"`
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	writeHTML(w, document("Tagged", "<h1>Tagged</h1><p>This page has an ETag.</p>"))
}

func lastModified(w http.ResponseWriter, r *http.Request) {
	changed := time.Date(2026, time.March, 14, 8, 30, 0, 0, time.UTC)
	w.Header().Set("Last-Modified", changed.Format(http.TimeFormat))
	since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	if err == nil && !changed.After(since) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	writeHTML(w, document("Dated", "<h1>Dated</h1><p>This page has a date.</p>"))
}

func noStore(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	writeHTML(w, document("Not stored", "<h1>Not stored</h1><p>Keep no copy of this.</p>"))
}
