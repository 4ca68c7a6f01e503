package testsite

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
)

// kindPages are answers that are no HTML, each with its honest content type.
func kindPages() []Page {
	return []Page{
		{Path: "/kinds/json", About: "JSON object", serve: body("application/json", []byte(`{"tide":"high","minutes":11,"at":["06:40","19:05"]}`))},
		{Path: "/kinds/jsonl", About: "JSON lines", serve: body("application/x-ndjson", []byte("{\"n\":1}\n{\"n\":2}\n"))},
		{Path: "/kinds/text", About: "plain text", serve: text("First line\nSecond line with <angle> brackets & *stars*\n")},
		{Path: "/kinds/markdown", About: "Markdown", serve: body("text/markdown; charset=utf-8", []byte("# Already Markdown\n\n- one\n- two\n"))},
		{Path: "/kinds/xml", About: "XML of no known vocabulary", serve: body("application/xml", []byte("<?xml version=\"1.0\"?>\n<tides><tide at=\"06:40\">high</tide></tides>\n"))},
		{Path: "/kinds/xhtml", About: "XHTML", serve: body("application/xhtml+xml", []byte(xhtml))},
		{Path: "/kinds/rss", About: "RSS feed", serve: body("application/rss+xml", []byte(rss))},
		{Path: "/kinds/csv", About: "CSV", serve: body("text/csv; charset=utf-8", []byte("port,depth\nNorth,7\n\"South, old\",4\n"))},
		{Path: "/kinds/javascript", About: "a script", serve: body("text/javascript", []byte("export const tide = 'high';\n"))},
		{Path: "/kinds/css", About: "a style sheet", serve: body("text/css", []byte("body { color: navy }\n"))},
		{Path: "/kinds/svg", About: "SVG with text", serve: body("image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><text y="15">vector text</text></svg>`))},
		{Path: "/kinds/png", About: "PNG of 8 by 6 pixels", serve: pngImage},
		{Path: "/kinds/binary", About: "bytes of no kind", serve: body("application/octet-stream", []byte{0x00, 0x01, 0xfe, 0xff, 0x7f, 0x00})},
		{Path: "/kinds/zip", About: "an empty zip archive", serve: body("application/zip", append([]byte("PK\x05\x06"), make([]byte, 18)...))},
		{Path: "/kinds/download", About: "HTML offered as a file", serve: attachment},
		{Path: "/favicon.ico", About: "the icon browsers ask for", serve: pngImage},
	}
}

const xhtml = `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>Strict page</title></head><body><h1>Strict page</h1><p>Every tag is closed.<br/>Even this one.</p></body></html>
`

const rss = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Tides</title><link>http://quay.test/</link><description>Times of high water</description>
<item><title>Morning</title><link>http://quay.test/morning</link><description>06:40</description></item></channel></rss>
`

func pngImage(w http.ResponseWriter, _ *http.Request) {
	img := image.NewRGBA(image.Rect(0, 0, 8, 6))
	for i := range 48 {
		img.Set(i%8, i/8, color.RGBA{R: uint8(i * 5), G: 90, B: 160, A: 255})
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	body("image/png", buf.Bytes())(w, nil)
}

func attachment(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Disposition", `attachment; filename="report.html"`)
	writeHTML(w, document("Report", "<h1>Report</h1><p>Meant to be saved, not shown.</p>"))
}
