package api_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/api"
)

// parserFunc is a parser that does what a test says.
type parserFunc func(f trawl.File, o trawl.ParseOptions) (*trawl.Document, error)

func (p parserFunc) Parse(_ context.Context, f trawl.File, o trawl.ParseOptions) (*trawl.Document, error) {
	return p(f, o)
}

// echo answers with the file itself and with what is known of it.
var echo = parserFunc(func(f trawl.File, o trawl.ParseOptions) (*trawl.Document, error) {
	data, err := io.ReadAll(f.Content)
	if err != nil || int64(len(data)) != f.Size {
		return nil, fmt.Errorf("%d bytes of %d: %w", len(data), f.Size, err)
	}
	return &trawl.Document{Markdown: fmt.Sprintf("%s|%s|%.20s|%d|%d", f.Name, f.ContentType, data, f.Size, o.Effective().Timeout)}, nil
})

// part is one part of a form; with a file name it is a file.
type part struct{ name, file, contentType, content string }

func formOf(t testing.TB, parts ...part) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		h := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q`, p.name)}}
		if p.file != "" {
			h.Set("Content-Disposition", multipart.FileContentDisposition(p.name, p.file))
		}
		if p.contentType != "" {
			h.Set("Content-Type", p.contentType)
		}
		out, err := w.CreatePart(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(out, p.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

func openParser(t *testing.T) *door {
	return open(t, doorOptions{change: func(o *api.Options) { o.Parser = echo }})
}

func TestParseForms(t *testing.T) {
	d := openParser(t)
	file := part{"file", "a b.pdf", "application/pdf", "%PDF-1.4"}
	options := func(text string) part { return part{"options", "", "", text} }
	missing := `"error":"Missing file upload. Send multipart/form-data with a 'file' field and optional 'options' JSON string.","code":"BAD_REQUEST"`
	for _, tc := range []struct {
		name   string
		parts  []part
		status int
		want   string
	}{
		{"a file alone", []part{file}, 200, `"markdown":"a b.pdf|application/pdf|%PDF-1.4|8|120000"`},
		{"options before the file", []part{options(`{"timeout":5000}`), file}, 200, `|8|5000"`},
		{"options after the file", []part{file, options(`{"timeout":5000}`)}, 200, `|8|5000"`},
		{"options with a type", []part{file, {"options", "", "application/json", `{"timeout":5000}`}}, 200, `|8|5000"`},
		{"a timeout over the limit", []part{file, options(`{"timeout":900000}`)}, 200, `|8|300000"`},
		{"what clients always send", []part{file, options(`{"headers":{"a":"b"},"skipTlsVerification":true,"blockAds":true,"fastMode":false,"storeInCache":true,"maxAge":1,"minAge":2,"lockdown":true,"profile":{"name":"x"},"useMock":"x","domainTools":{},"origin":"js-sdk@4","integration":"cli","auditMetadata":{"username":"u"},"actions":[],"waitFor":0,"mobile":false,"proxy":"auto"}`)}, 200, `|8|120000"`},
		{"other text is left out", []part{{"note", "", "", "x"}, file}, 200, `a b.pdf`},
		{"no file", []part{options(`{}`)}, 400, missing},
		{"a file without a name", []part{{"file", "", "", "x"}}, 400, missing},
		{"a second file", []part{file, file}, 400, `"error":"Invalid multipart form-data request.","code":"BAD_REQUEST"`},
		{"a second file of another name", []part{file, {"extra", "b.pdf", "", "x"}}, 400, `"error":"Invalid multipart form-data request."`},
		{"options twice", []part{options(`{}`), file, options(`{}`)}, 400, `"error":"Invalid multipart form-data request."`},
		{"options as a file", []part{{"options", "blob", "application/json", `{}`}, file}, 400, `"error":"The 'options' field must be a JSON string.","code":"BAD_REQUEST"`},
		{"options that are no JSON", []part{options(`{`), file}, 400, `"error":"Invalid JSON in the 'options' field. Provide a valid JSON string.","code":"BAD_REQUEST"`},
		{"empty options", []part{options(``), file}, 400, `"error":"Invalid JSON in the 'options' field. Provide a valid JSON string."`},
		{"options that are a list", []part{options(`[]`), file}, 400, `"error":"The 'options' field must parse to a JSON object.","code":"BAD_REQUEST"`},
		{"options that are null", []part{options(`null`), file}, 400, `"error":"The 'options' field must parse to a JSON object."`},
		{"an option we do not know", []part{options(`{"colour":1}`), file}, 400, `"error":"Unrecognized key in body: \"colour\""`},
		{"an upload reference among the options", []part{options(`{"uploadRef":"x"}`), file}, 400, `"error":"Unrecognized key in body: \"uploadRef\""`},
		{"an option of scrapes alone", []part{options(`{"threatProtection":{"mode":"off"}}`), file}, 400, `"error":"Unrecognized key in body: \"threatProtection\""`},
		{"a timeout that is too short", []part{options(`{"timeout":999}`), file}, 400, `"code":"BAD_REQUEST"`},
		{"raw bytes", []part{options(`{"formats":["rawBase64"]}`), file}, 400, `"error":"The rawBase64 format is not supported for parse uploads","code":"BAD_REQUEST"`},
		{"a schema that is none", []part{options(`{"formats":[{"type":"json","schema":{"type":"nonsense"}}]}`), file}, 422, `"code":"SCHEMA_INVALID"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body, contentType := formOf(t, tc.parts...)
			got := d.call(t, "POST", "/v2/parse", body, append(as(d.key), "Content-Type", contentType)...)
			if got.status != tc.status || !strings.Contains(got.body, tc.want) {
				t.Errorf("%d %s, want %d with %s", got.status, got.body, tc.status, tc.want)
			}
		})
	}
}

func TestParseRefusesTheFirstOptionThatMakesNoSense(t *testing.T) {
	d := openParser(t)
	for _, tc := range []struct{ options, want string }{
		{`{"actions":[{"type":"wait","milliseconds":1}],"mobile":true,"formats":["screenshot"]}`, "Parse uploads do not support actions."},
		{`{"formats":["branding","screenshot"]}`, "Parse uploads do not support screenshot output."},
		{`{"formats":["changeTracking","branding"]}`, "Parse uploads do not support branding output."},
		{`{"formats":["changeTracking"],"waitFor":5}`, "Parse uploads do not support change tracking."},
		{`{"formats":["audio"]}`, "Parse uploads do not support audio output."},
		{`{"formats":["video"]}`, "Parse uploads do not support video output."},
		{`{"formats":["product"]}`, "Parse uploads do not support product output."},
		{`{"formats":["menu"]}`, "Parse uploads do not support menu output."},
		{`{"waitFor":5,"location":{}}`, "Parse uploads do not support waitFor."},
		{`{"location":{"country":"nowhere"},"mobile":true}`, "Parse uploads do not support location overrides."},
		{`{"mobile":true,"proxy":"stealth"}`, "Parse uploads do not support mobile rendering."},
		{`{"proxy":"stealth"}`, "Parse uploads only support proxy values of auto or basic."},
		{`{"proxy":"enhanced"}`, "Parse uploads only support proxy values of auto or basic."},
	} {
		body, contentType := formOf(t, part{"file", "a.pdf", "", "x"}, part{"options", "", "", tc.options})
		got := d.call(t, "POST", "/v2/parse", body, append(as(d.key), "Content-Type", contentType)...)
		if want := fmt.Sprintf(`"error":%q,"code":"PARSE_UNSUPPORTED_OPTIONS"`, tc.want); got.status != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s, want %s", tc.options, got.status, got.body, want)
		}
	}
}

func TestParseBodiesThatAreNoForm(t *testing.T) {
	d := openParser(t)
	missing := `"error":"Missing file upload. Send multipart/form-data with a 'file' field, or JSON with an 'uploadRef'.","code":"BAD_REQUEST"`
	form := "multipart/form-data; boundary=x"
	for _, tc := range []struct {
		name, contentType, body, want string
	}{
		{"nothing", "", "", missing},
		{"text", "text/plain", "hello", missing},
		{"JSON without a reference", "application/json", `{"formats":["markdown"]}`, missing},
		{"JSON that is no object", "application/json", `[1]`, missing},
		{"no JSON", "application/json", `{`, `"code":"BAD_REQUEST_INVALID_JSON"`},
		{"a reference that is a number", "application/json", `{"uploadRef":1}`, `"error":"Bad Request","code":"BAD_REQUEST"`},
		{"an option we do not know", "application/json", `{"uploadRef":"x","colour":1}`, `Unrecognized key in body`},
		{"a form without a boundary", "multipart/form-data", "x", `"error":"Invalid multipart form-data request."`},
		{"a form that is none", form, "hello", `"error":"Invalid multipart form-data request."`},
		{"a form that breaks off", form, "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\nhal", `"error":"Invalid multipart form-data request."`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := d.call(t, "POST", "/v2/parse", tc.body, append(as(d.key), "Content-Type", tc.contentType)...)
			if got.status != 400 || !strings.Contains(got.body, tc.want) {
				t.Errorf("%d %s, want %s", got.status, got.body, tc.want)
			}
		})
	}
}

func TestFilesOverTheLimit(t *testing.T) {
	d := openParser(t)
	const tooLarge = `{"success":false,"error":"Payload Too Large","details":{"reason":"Uploaded file exceeds maximum size of 50MB."}}`
	exact, contentType := formOf(t, part{"file", "a.pdf", "", strings.Repeat("x", trawl.MaxFileSize)})
	if got := d.call(t, "POST", "/v2/parse", exact, append(as(d.key), "Content-Type", contentType)...); got.status != 200 {
		t.Errorf("a file of exactly the limit: %d %s", got.status, got.body)
	}
	over, contentType := formOf(t, part{"file", "a.pdf", "", strings.Repeat("x", trawl.MaxFileSize+1)})
	if got := d.call(t, "POST", "/v2/parse", over, append(as(d.key), "Content-Type", contentType)...); got.status != 413 || got.body != tooLarge {
		t.Errorf("one byte more: %d %s", got.status, got.body)
	}
	req, err := http.NewRequestWithContext(t.Context(), "POST", d.URL+"/v2/parse", io.MultiReader(strings.NewReader(over)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+d.key)
	req.Header.Set("Content-Type", contentType)
	res, err := d.Client().Do(req) // without a length: it must be found out on the way
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 413 {
		t.Errorf("one byte more, without saying so: %d", res.StatusCode)
	}
}

// TestALargeFileIsRefusedBeforeItIsSent shows that the answer does not wait for the body.
func TestALargeFileIsRefusedBeforeItIsSent(t *testing.T) {
	d := openParser(t)
	body, sent := io.Pipe()
	defer sent.Close()
	req, err := http.NewRequestWithContext(t.Context(), "POST", d.URL+"/v2/parse", body)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = 1 << 30
	req.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	res, err := d.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 413 {
		t.Errorf("%d, want 413 before anything, even the key, is looked at", res.StatusCode)
	}
}

func TestParseNeedsItsScope(t *testing.T) {
	d := openParser(t)
	body, contentType := formOf(t, part{"file", "a.pdf", "", "x"})
	if got := d.call(t, "POST", "/v2/parse", body, "Content-Type", contentType); got.status != 401 {
		t.Errorf("without a key: %d %s", got.status, got.body)
	}
	narrow := d.newKey(t, trawl.Key{Scopes: []string{trawl.ScopeScrape}})
	if got := d.call(t, "POST", "/v2/parse", body, append(as(narrow), "Content-Type", contentType)...); got.status != 403 {
		t.Errorf("with a key for scrapes: %d %s", got.status, got.body)
	}
}

// TestASlowUploadEnds shows that whoever stops in the middle of a file is told so.
func TestASlowUploadEnds(t *testing.T) {
	d := openParser(t)
	impatient := httptest.NewUnstartedServer(d.Config.Handler)
	impatient.Config.ReadTimeout = 300 * time.Millisecond
	impatient.Start()
	defer impatient.Close()
	body, sender := io.Pipe()
	defer sender.Close()
	go func() {
		_, _ = io.WriteString(sender, "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\nhal") // the rest never comes
	}()
	req, err := http.NewRequestWithContext(t.Context(), "POST", impatient.URL+"/v2/parse", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+d.key)
	req.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	res, err := impatient.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 408 || !strings.Contains(string(text), `"code":"SCRAPE_TIMEOUT"`) {
		t.Errorf("%d %s %v", res.StatusCode, text, err)
	}
}
