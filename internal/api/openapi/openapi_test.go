package openapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/api/openapi"
)

func scrapeValidator(t *testing.T) *openapi.Validator {
	t.Helper()
	doc, err := openapi.New("trawl", "test", []openapi.Operation{{
		Method: "POST", Path: "/v2/scrape", ID: "scrape", Tag: "scrape", Body: trawl.ScrapeRequest{}, Reply: trawl.Document{},
	}})
	if err != nil {
		t.Fatal(err)
	}
	v, ok := doc.Validator(trawl.ScrapeRequest{})
	if !ok {
		t.Fatal("no validator for the body")
	}
	return v
}

func TestIssuesNameWhatIsWrongAndWhere(t *testing.T) {
	v := scrapeValidator(t)
	for _, tc := range []struct{ name, body, want string }{
		{"nothing wrong", `{"url":"a.test"}`, `null`},
		{"labels of the published clients", `{"url":"a.test","origin":"js-sdk@4","integration":"cli"}`, `null`},
		{"null is absence", `{"url":"a.test","maxAge":null,"location":{"country":null}}`, `null`},
		{"a whole number may be written with a point", `{"url":"a.test","timeout":1000.0}`, `null`},
		{"unknown key", `{"url":"a.test","cache":1}`,
			`[{"code":"unrecognized_keys","path":[],"message":"Unrecognized key: \"cache\"","keys":["cache"]}]`},
		{"keys that begin with two underscores", `{"url":"a.test","__x":1}`,
			`[{"code":"unrecognized_keys","path":[],"message":"Unrecognized key: \"__x\"","keys":["__x"]}]`},
		{"missing address", `{}`, `[{"code":"invalid_type","path":["url"],"message":"Required"}]`},
		{"address of the wrong type", `{"url":5}`,
			`[{"code":"invalid_type","path":["url"],"message":"Invalid input: expected string, received number","expected":"string"}]`},
		{"text for a number", `{"url":"a.test","timeout":"10"}`,
			`[{"code":"invalid_type","path":["timeout"],"message":"Invalid input: expected integer, received string","expected":"integer"}]`},
		{"too small", `{"url":"a.test","timeout":999}`,
			`[{"code":"too_small","path":["timeout"],"message":"Too small: expected number to be >=1000","minimum":1000,"inclusive":true,"origin":"number"}]`},
		{"unknown value of a list", `{"url":"a.test","proxy":"tor"}`,
			`[{"code":"invalid_value","path":["proxy"],"message":"Invalid option","values":["basic","stealth","enhanced","auto"]}]`},
		{"unknown key in a format", `{"url":"a.test","formats":["html",{"type":"json","colour":1}]}`,
			`[{"code":"unrecognized_keys","path":["formats",1],"message":"Unrecognized key: \"colour\"","keys":["colour"]}]`},
		{"unknown key in a screenshot is dropped", `{"url":"a.test","formats":[{"type":"screenshot","colour":1}]}`, `null`},
		{"unknown key in an action is dropped", `{"url":"a.test","actions":[{"type":"press","key":"Enter","colour":1}]}`, `null`},
		{"missing option of a format", `{"url":"a.test","formats":[{"type":"question"}]}`,
			`[{"code":"invalid_type","path":["formats",0,"question"],"message":"Required"}]`},
		{"number beyond all bounds", `{"url":"a.test","timeout":1e999}`,
			`[{"code":"invalid_type","path":["timeout"],"message":"Invalid input: expected number, received Infinity","expected":"number"}]`},
		{"several at once, in order", `{"url":"a.test","waitFor":-1,"proxy":1}`,
			`[{"code":"invalid_type","path":["proxy"],"message":"Invalid input: expected string, received number","expected":"string"},` +
				`{"code":"too_small","path":["waitFor"],"message":"Too small: expected number to be >=0","minimum":0,"inclusive":true,"origin":"number"}]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, issues, err := v.Decode([]byte(tc.body))
			if err != nil {
				t.Fatal(err)
			}
			got := plainJSON(t, issues)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("issues of %s (-want +got):\n%s", tc.body, diff)
			}
		})
	}
}

// plainJSON writes as the API does: > stays >.
func plainJSON(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func TestAnUnknownFormatSaysWhichThereAre(t *testing.T) {
	v := scrapeValidator(t)
	for _, body := range []string{
		`{"url":"a.test","formats":["screenshot@fullPage"]}`,
		`{"url":"a.test","formats":[{"type":"extract"}]}`,
		`{"url":"a.test","formats":["attributes"]}`,
	} {
		_, issues, err := v.Decode([]byte(body))
		if err != nil || len(issues) != 1 || issues[0].Code != trawl.IssueValue || len(issues[0].Values) < 10 {
			t.Errorf("%s: issues %+v, error %v; want one invalid_value that lists the formats", body, issues, err)
		}
	}
}

func TestDecodedBodyFitsTheType(t *testing.T) {
	v := scrapeValidator(t)
	body, issues, err := v.Decode([]byte(`{"url":"a.test","timeout":2e3,"minAge":null,"formats":["links",{"type":"json","schema":{"a":null}}]}`))
	if err != nil || len(issues) > 0 {
		t.Fatal(issues, err)
	}
	var req trawl.ScrapeRequest
	if err := json.Unmarshal(body, &req); err != nil {
		t.Fatal(err)
	}
	if req.Timeout != 2000 || req.MinAge != nil || len(req.FormatList()) != 2 || string(req.FormatList()[1].Schema) != `{"a":null}` {
		t.Errorf("decoded %+v", req)
	}
}

func TestBodyThatIsNoJSON(t *testing.T) {
	v := scrapeValidator(t)
	for _, body := range []string{"", "{", `{"url":}`, `{"url":"a"} trailing`, "\x00"} {
		if _, _, err := v.Decode([]byte(body)); err == nil {
			t.Errorf("%q was taken for JSON", body)
		}
	}
}

func FuzzDecode(f *testing.F) {
	doc, err := openapi.New("trawl", "test", []openapi.Operation{{
		Method: "POST", Path: "/v2/scrape", ID: "scrape", Body: trawl.ScrapeRequest{}, Reply: trawl.Document{},
	}})
	if err != nil {
		f.Fatal(err)
	}
	v, _ := doc.Validator(trawl.ScrapeRequest{})
	f.Add([]byte(`{"url":"a.test","formats":["html",{"type":"json"}],"actions":[{"type":"wait","milliseconds":1}]}`))
	f.Add([]byte(`{"url":1e999,"location":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		decoded, issues, err := v.Decode(body)
		if err != nil || len(issues) > 0 {
			return
		}
		var req trawl.ScrapeRequest
		if err := json.Unmarshal(decoded, &req); err != nil {
			t.Errorf("%q passed the schema but not the type: %v", body, err)
		}
	})
}
