package testsite

import "net/http"

// scriptPages need their scripts run, or misbehave when they are.
func scriptPages() []Page {
	return []Page{
		{Path: "/script/spa", About: "empty shell, text rendered by an inline script", serve: file("spa.html")},
		{Path: "/script/spa-fetch", About: "empty shell, text fetched after load", serve: file("spa-fetch.html")},
		{Path: "/script/spa-late?ms=1500", About: "text appears ms milliseconds after load", serve: file("spa-late.html")},
		{Path: "/script/spa-routes", About: "client routes behind #/", serve: file("spa-routes.html")},
		{Path: "/script/data", About: "what the shells fetch", serve: body("application/json", []byte(`{"title":"Fetched title","text":"This sentence came by fetch."}`))},
		{Path: "/script/static-with-scripts", About: "complete without its many scripts: needs no browser", serve: file("static-with-scripts.html")},
		{Path: "/script/noscript", About: "noscript text for readers without scripts", serve: file("noscript.html")},
		{Path: "/script/while-true", About: "a script that never ends", serve: file("while-true.html")},
		{Path: "/script/allocate", About: "a script that takes all memory", serve: file("allocate.html")},
		{Path: "/script/dialogs", About: "alert, confirm, prompt without end, and beforeunload", serve: file("dialogs.html")},
		{Path: "/script/never-idle", About: "a request every 50 ms, for ever", serve: file("never-idle.html")},
		{Path: "/script/tick", About: "what the restless page asks for", serve: text("tick\n")},
		{Path: "/script/mutating", About: "a DOM that never comes to rest", serve: file("mutating.html")},
		{Path: "/script/leaves", About: "navigates away while it is being read", serve: file("leaves.html")},
		{Path: "/script/reloads", About: "reloads itself for ever", serve: file("reloads.html")},
		{Path: "/script/throws", About: "throws on load; the text is there all the same", serve: file("throws.html")},
		{Path: "/script/hostile-globals", About: "overwrites what an extractor might call in the page", serve: file("hostile-globals.html")},
		{Path: "/script/service-worker", About: "installs a service worker", serve: file("service-worker.html")},
		{Path: "/script/worker.js", About: "the service worker", serve: serviceWorker},
	}
}

func serviceWorker(w http.ResponseWriter, _ *http.Request) {
	body("text/javascript", []byte(`self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (e) => e.waitUntil(self.clients.claim()));
`))(w, nil)
}
