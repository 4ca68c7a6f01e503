package browser

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

const actionPage = `<!doctype html><meta charset=utf-8><title>t</title><style>body { margin: 0 } .tall { height: 3000px }</style>
<input id=field><button id=b onclick="log('clicked')">go</button>
<i class=m onclick="log('m1')">one</i> <i class=m onclick="log('m2')">two</i> <i class=m onclick="log('m3')">three</i>
<a id=link href="/next">next</a> <a id=new href="/next" target=_blank>new window</a>
<div style="position:relative;height:30px"><button id=covered onclick="log('covered')" style="position:absolute">x</button><div style="position:absolute;inset:0"></div></div>
<div id=hidden style="display:none" onclick="log('hidden')">h</div>
<form onsubmit="log('sent ' + q.value); return false"><input id=q></form>
<div id=box style="height:50px;overflow:auto"><div style="height:500px">inner</div></div>
<div id=out></div><div class=tall></div>
<script>
const log = s => out.textContent += s + ';';
field.addEventListener('keydown', e => { if (e.ctrlKey) log('ctrl' + e.key) });
setTimeout(() => { const d = document.createElement('p'); d.id = 'late'; d.textContent = 'here now'; document.body.append(d) }, 600);
</script>`

func TestActionsDoWhatTheySay(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/": actionPage, "/next": `<title>n</title><p>the next page</p>`})
	for _, tc := range []struct {
		name    string
		actions []Action
		want    string
	}{
		{"click the first match", []Action{{Type: "click", Selector: "#b"}}, `>clicked;<`},
		{"click only the first of several", []Action{{Type: "click", Selector: ".m"}}, `>m1;<`},
		{"click all", []Action{{Type: "click", Selector: ".m", All: true}}, `>m1;m2;m3;<`},
		{"click what is covered", []Action{{Type: "click", Selector: "#covered"}}, `>covered;<`},
		{"click leads to another page", []Action{{Type: "click", Selector: "#link"}}, `the next page`},
		{"click that opens a window stays", []Action{{Type: "click", Selector: "#new"}, {Type: "click", Selector: "#b"}}, `>clicked;<`},
		{"write into a clicked field, then send it", []Action{
			{Type: "click", Selector: "#q"}, {Type: "write", Text: "Grüße 1+1 日本"}, {Type: "press", Key: "Enter"},
		}, `sent Grüße 1+1 日本;`},
		{"a long text", []Action{
			{Type: "click", Selector: "#q"}, {Type: "write", Text: strings.Repeat("x", 600)}, {Type: "press", Key: "Enter"},
		}, `sent ` + strings.Repeat("x", 600) + `;`},
		{"press with a key held", []Action{{Type: "click", Selector: "#field"}, {Type: "press", Key: "Control+a"}}, `ctrla;`},
		{"press moves the focus", []Action{{Type: "click", Selector: "#field"}, {Type: "press", Key: "Tab"}, {Type: "press", Key: "Enter"}}, `>clicked;<`},
		{"wait for something to appear", []Action{{Type: "wait", Selector: "#late"}}, `here now`},
		{"wait for a time", []Action{{Type: "wait", Milliseconds: 700}}, `here now`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := mustRender(t, shared, Request{URL: site.URL, Actions: tc.actions})
			if !strings.Contains(got.HTML, tc.want) {
				at := strings.Index(got.HTML, "id=\"out\"")
				t.Errorf("HTML = %.300s, want %s in it", got.HTML[max(at, 0):], tc.want)
			}
		})
	}
}

func TestActionsBringResults(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/": actionPage, "/next": `<p>the next page</p>`})
	got := mustRender(t, shared, Request{URL: site.URL, Actions: []Action{
		{Type: "executeJavascript", Script: "document.title"},
		{Type: "scroll"},
		{Type: "executeJavascript", Script: "return window.scrollY === innerHeight"},
		{Type: "scroll", Direction: "up"},
		{Type: "executeJavascript", Script: "window.scrollY"},
		{Type: "scroll", Selector: "#box"},
		{Type: "executeJavascript", Script: "box.scrollTop"},
		{Type: "executeJavascript", Script: "({a: [1, null]})"},
		{Type: "executeJavascript", Script: "const x = await Promise.resolve(7); return x"},
		{Type: "executeJavascript", Script: "void 0"},
		{Type: "executeJavascript", Script: "null"},
		{Type: "executeJavascript", Script: "0/0"},
		{Type: "screenshot"},
		{Type: "screenshot", FullPage: true, Quality: 50},
		{Type: "screenshot", Viewport: Viewport{Width: 400, Height: 300}},
		{Type: "scrape"},
		{Type: "click", Selector: "#link"},
		{Type: "scrape"},
		{Type: "pdf", Format: "A4", Landscape: true, Scale: 0.5},
	}})
	var returns []string
	for _, r := range got.Actions.JavascriptReturns {
		returns = append(returns, r.Type+" "+string(r.Value))
	}
	want := `string "t"|boolean true|number 0|number 50|object {"a":[1,null]}|number 7|undefined null|object null|number "NaN"`
	if strings.Join(returns, "|") != want {
		t.Errorf("script values\n got %s\nwant %s", strings.Join(returns, "|"), want)
	}
	wantImage(t, got.Actions.Screenshots[0], "png", 1280, 800)
	full := wantImage(t, got.Actions.Screenshots[1], "jpeg", 1280, 0)
	if full.Height < 3000 {
		t.Errorf("the full page is %d high, want more than 3000", full.Height)
	}
	wantImage(t, got.Actions.Screenshots[2], "png", 400, 300)
	if s := got.Actions.Scrapes; len(s) != 2 || s[0].URL != site.URL+"/" || !strings.Contains(s[0].HTML, "id=\"field\"") ||
		s[1].URL != site.URL+"/next" || !strings.Contains(s[1].HTML, "the next page") {
		t.Errorf("scrapes = %.300v", s)
	}
	if p := got.Actions.PDFs; len(p) != 1 || !bytes.HasPrefix(p[0], []byte("%PDF-")) {
		t.Errorf("got %d PDFs", len(p))
	}
	if got.URL != site.URL+"/next" {
		t.Errorf("the page at the end is %s", got.URL)
	}
}

// wantImage checks format and size; zero: any.
func wantImage(t *testing.T, got Image, format string, width, height int) image.Config {
	t.Helper()
	config, actual, err := image.DecodeConfig(bytes.NewReader(got.Data))
	if err != nil {
		t.Fatalf("decode image: %v", err)
	}
	if actual != format || got.MIME != "image/"+format {
		t.Errorf("image is %s called %s, want %s", actual, got.MIME, format)
	}
	if width != 0 && config.Width != width || height != 0 && config.Height != height {
		t.Errorf("image is %d × %d, want %d × %d", config.Width, config.Height, width, height)
	}
	return config
}

func TestFailingActionAborts(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{"/": actionPage})
	for _, tc := range []struct {
		name   string
		action Action
		code   string
	}{
		{"nothing to click", Action{Type: "click", Selector: "#nowhere"}, "SELECTOR_NOT_FOUND"},
		{"nothing visible to click", Action{Type: "click", Selector: "#hidden"}, "ELEMENT_NOT_VISIBLE"},
		{"a selector that is none", Action{Type: "click", Selector: "]["}, "INVALID_SELECTOR"},
		{"a selector to scroll that is none", Action{Type: "scroll", Selector: ":::"}, "INVALID_SELECTOR"},
		{"nothing to write into", Action{Type: "write", Text: "x"}, "NO_FOCUSED_ELEMENT"},
		{"a key that is none", Action{Type: "press", Key: "NoSuchKey"}, "UNKNOWN_KEY"},
		{"a script that throws", Action{Type: "executeJavascript", Script: "throw new Error('no')"}, "SCRIPT_ERROR"},
		{"a script that is none", Action{Type: "executeJavascript", Script: "if ("}, "SCRIPT_ERROR"},
		{"a script that rejects", Action{Type: "executeJavascript", Script: "Promise.reject('no')"}, "SCRIPT_ERROR"},
		{"a paper that is none", Action{Type: "pdf", Format: "B5"}, "UNKNOWN_PAPER_FORMAT"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := render(t, shared, Request{URL: site.URL, Actions: []Action{{Type: "scrape"}, tc.action}})
			wantActionError(t, err, tc.action.Type, tc.code)
		})
	}
	t.Run("something that never appears", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := contextWithin(t, 8*time.Second)
		defer cancel()
		_, err := shared.Render(ctx, Request{URL: site.URL, Actions: []Action{{Type: "scrape"}, {Type: "wait", Selector: "#never"}}})
		wantActionError(t, err, "wait", "TIMEOUT")
	})
}

func wantActionError(t *testing.T, err error, kind, code string) {
	t.Helper()
	got := wantError(t, err, trawl.SiteFailed, "SCRAPE_ACTION_ERROR")
	details := got.Details.(map[string]any)
	if !strings.HasSuffix(got.Message, code) || details["actionIndex"] != 1 || details["actionType"] != kind || details["actionErrorCode"] != code {
		t.Errorf("error %q with %v, want it to end with %s at index 1", got.Message, details, code)
	}
}
