package trawl

import (
	"encoding/json"
	"slices"
)

// The formats a document can be asked for.
const (
	FormatMarkdown          = "markdown"
	FormatHTML              = "html"
	FormatRawHTML           = "rawHtml"
	FormatRawBase64         = "rawBase64"
	FormatLinks             = "links"
	FormatImages            = "images"
	FormatScreenshot        = "screenshot"
	FormatSummary           = "summary"
	FormatJSON              = "json"
	FormatDeterministicJSON = "deterministicJson"
	FormatChangeTracking    = "changeTracking"
	FormatAttributes        = "attributes"
	FormatBranding          = "branding"
	FormatProduct           = "product"
	FormatMenu              = "menu"
	FormatQuestion          = "question"
	FormatHighlights        = "highlights"
	FormatQuery             = "query"
	FormatAudio             = "audio"
	FormatVideo             = "video"
)

// Format is one thing a document is asked for. On the wire it is a bare name or
// an object with a type and that type's options.
type Format struct {
	Type string `json:"type"`

	Prompt               string              `json:"prompt,omitempty"`               // json, changeTracking, query
	Schema               json.RawMessage     `json:"schema,omitempty"`               // json, changeTracking: a JSON Schema
	CheckPromptInjection bool                `json:"checkPromptInjection,omitempty"` // json
	Modes                []string            `json:"modes,omitempty"`                // changeTracking: git-diff, json
	Tag                  string              `json:"tag,omitempty"`                  // changeTracking: keeps histories apart
	Selectors            []AttributeSelector `json:"selectors,omitempty"`            // attributes
	FullPage             bool                `json:"fullPage,omitempty"`             // screenshot
	Quality              int                 `json:"quality,omitempty"`              // screenshot: 1–100; 0: lossless
	Viewport             *Viewport           `json:"viewport,omitempty"`             // screenshot
	Question             string              `json:"question,omitempty"`             // question
	Query                string              `json:"query,omitempty"`                // highlights
	Mode                 string              `json:"mode,omitempty"`                 // query: freeform, directQuote
}

// AttributeSelector asks for one attribute of all elements a selector matches.
type AttributeSelector struct {
	Selector  string `json:"selector"`
	Attribute string `json:"attribute"`
}

// UnmarshalJSON takes the bare name and the object.
func (f *Format) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*f = Format{}
		return json.Unmarshal(data, &f.Type)
	}
	type plain Format
	return json.Unmarshal(data, (*plain)(f))
}

// MarshalJSON writes the bare name when there are no options.
func (f Format) MarshalJSON() ([]byte, error) {
	type plain Format
	object, err := json.Marshal(plain(f))
	if err != nil {
		return nil, err
	}
	bare, err := json.Marshal(f.Type)
	if string(object) == `{"type":`+string(bare)+`}` {
		return bare, err
	}
	return object, err
}

// FormatNames are all formats, in the order of the documentation.
var FormatNames = []string{
	FormatMarkdown, FormatHTML, FormatRawHTML, FormatRawBase64, FormatLinks, FormatImages, FormatScreenshot,
	FormatSummary, FormatJSON, FormatDeterministicJSON, FormatChangeTracking, FormatAttributes, FormatBranding,
	FormatProduct, FormatMenu, FormatQuestion, FormatHighlights, FormatQuery, FormatAudio, FormatVideo,
}

// checkFormats gives the issues of a list of formats that no schema expresses.
func checkFormats(formats []Format) []Issue {
	var issues []Issue
	complain := func(message string) { issues = append(issues, CustomIssue(message, "formats")) }
	if hasFormat(formats, FormatRawBase64) && len(formats) > 1 {
		complain("The rawBase64 format cannot be combined with other formats")
	}
	if countFormat(formats, FormatScreenshot) > 1 {
		complain("You may only specify one screenshot format")
	}
	if hasFormat(formats, FormatJSON) && hasFormat(formats, FormatDeterministicJSON) {
		complain("Cannot specify both json and deterministicJson formats")
	}
	if hasFormat(formats, FormatChangeTracking) && !hasFormat(formats, FormatMarkdown) {
		complain("The changeTracking format requires the markdown format to be specified as well")
	}
	return issues
}

func hasFormat(formats []Format, name string) bool {
	return slices.ContainsFunc(formats, func(f Format) bool { return f.Type == name })
}

func countFormat(formats []Format, name string) (n int) {
	for _, f := range formats {
		if f.Type == name {
			n++
		}
	}
	return n
}
