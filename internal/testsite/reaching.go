package testsite

import (
	"html/template"
	"net/http"
)

// reachingPages try to reach the address in ?target= from inside the page, each
// by another road. A guarded browser lets none through.
func reachingPages() []Page {
	pages := []Page{{Path: "/reach/worker.js?target=http://127.0.0.3/", About: "the service worker that fetches the target", serve: reachingWorker}}
	for _, road := range []struct{ name, about, content string }{
		{"fetch", "fetch()", `<script>fetch({{.}}, {mode: 'no-cors'}).catch(() => {}).then(done)</script>`},
		{"xhr", "XMLHttpRequest", `<script>const x = new XMLHttpRequest(); x.onloadend = done; x.open('GET', {{.}}); x.send()</script>`},
		{"image", "an image", `<img src="{{.}}" onerror="done()" onload="done()" alt="">`},
		{"iframe", "a frame", `<iframe src="{{.}}" onload="done()"></iframe>`},
		{"stylesheet", "a style sheet", `<link rel="stylesheet" href="{{.}}" onerror="done()" onload="done()">`},
		{"script", "a script element", `<script src="{{.}}" onerror="done()" onload="done()"></script>`},
		{"websocket", "a WebSocket", `<script>const s = new WebSocket({{.}}.replace(/^http/, 'ws')); s.onerror = s.onopen = done</script>`},
		{"eventsource", "an EventSource", `<script>const e = new EventSource({{.}}); e.onerror = e.onopen = () => { e.close(); done() }</script>`},
		{"beacon", "navigator.sendBeacon", `<script>navigator.sendBeacon({{.}}, 'x'); setTimeout(done, 200)</script>`},
		{"prefetch", "dns-prefetch, preconnect, prefetch", `<link rel="dns-prefetch" href="{{.}}">
<link rel="preconnect" href="{{.}}"><link rel="prefetch" href="{{.}}"><script>setTimeout(done, 400)</script>`},
		{"worker", "a dedicated worker", `<script>
const code = new Blob(["fetch('" + {{.}} + "', {mode: 'no-cors'}).catch(() => {}).then(() => postMessage(1))"]);
new Worker(URL.createObjectURL(code)).onmessage = done;
</script>`},
		{"service-worker", "a service worker", `<script>
const worker = '/reach/worker.js?target=' + encodeURIComponent({{.}});
navigator.serviceWorker.register(worker).then(() => setTimeout(done, 500), done);
</script>`},
		{"webrtc", "a WebRTC connection", `<script>
const host = new URL({{.}}).host;
const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:' + host}, {urls: 'turn:' + host + '?transport=tcp', username: 'u', credential: 'c'}]});
peer.createDataChannel('x');
peer.createOffer().then((offer) => peer.setLocalDescription(offer)).then(() => setTimeout(done, 500));
</script>`},
		{"navigate", "a navigation of the whole page", `<script>location.href = {{.}}</script>`},
		{"form", "a form that submits itself", `<form method="post" action="{{.}}"></form><script>document.forms[0].submit()</script>`},
		{"popup", "a window of its own", `<script>window.open({{.}}); setTimeout(done, 300)</script>`},
		{"redirect", "an image behind a redirect", `<img src="/redirect/to?url={{.}}" onerror="done()" onload="done()" alt="">`},
	} {
		pages = append(pages, Page{Path: "/reach/" + road.name + "?target=http://127.0.0.3/", About: "reaches for the target by " + road.about, serve: reach(road.content)})
	}
	return pages
}

// reach serves a page around the given attempt; "tried" appears when it is over.
func reach(content string) http.HandlerFunc {
	page := template.Must(template.New("reach").Parse("<!DOCTYPE html><title>Reaching</title><h1>Reaching</h1><p id=\"state\">trying</p>" +
		"<script>function done() { document.getElementById('state').textContent = 'tried' }</script>" + content))
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = page.Execute(w, r.FormValue("target")) // a reader that left early is part of the game
	}
}

func reachingWorker(w http.ResponseWriter, _ *http.Request) {
	body("text/javascript", []byte(`const target = new URL(self.location).searchParams.get('target');
self.addEventListener('install', (e) => e.waitUntil(fetch(target, {mode: 'no-cors'}).catch(() => {})));
`))(w, nil)
}
