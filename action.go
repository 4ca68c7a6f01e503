package trawl

// Action is one step in the browser before the page is captured. Which of its
// fields count depends on Type.
type Action struct {
	Type         string    `json:"type"`
	Milliseconds int       `json:"milliseconds,omitempty"` // wait: how long
	Selector     string    `json:"selector,omitempty"`     // wait, click, scroll
	All          bool      `json:"all,omitempty"`          // click: every match instead of the first
	Text         string    `json:"text,omitempty"`         // write
	Key          string    `json:"key,omitempty"`          // press
	Direction    string    `json:"direction,omitempty"`    // scroll: up or down; empty: down
	FullPage     bool      `json:"fullPage,omitempty"`     // screenshot
	Quality      int       `json:"quality,omitempty"`      // screenshot: 1–100; 0: lossless
	Viewport     *Viewport `json:"viewport,omitempty"`     // screenshot
	Script       string    `json:"script,omitempty"`       // executeJavascript
	Format       string    `json:"format,omitempty"`       // pdf: paper; empty: Letter
	Landscape    bool      `json:"landscape,omitempty"`    // pdf
	Scale        float64   `json:"scale,omitempty"`        // pdf; 0: 1
}

// Viewport is the size of the window in CSS pixels.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// ActionResults is what the actions of one scrape brought, kind by kind, in order.
type ActionResults struct {
	Screenshots       []string      `json:"screenshots,omitempty"` // address or data: URI
	Scrapes           []ActionPage  `json:"scrapes,omitempty"`
	JavascriptReturns []ActionValue `json:"javascriptReturns,omitempty"`
	PDFs              []string      `json:"pdfs,omitempty"`
}

// ActionPage is the page as it stood when a scrape action ran.
type ActionPage struct {
	URL  string `json:"url"`
	HTML string `json:"html"`
}

// ActionValue is what a script returned; Type is the JavaScript type name.
type ActionValue struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
}

// MaxActions is how many actions one scrape may have.
const MaxActions = 50

// The bounds of waiting inside one scrape, in milliseconds.
const (
	maxTotalWait     = 60_000
	waitPerSelector  = 1_000
	waitActionIssue  = "Either 'milliseconds' or 'selector' must be provided, but not both."
	totalWaitIssue   = "Total wait time (waitFor + wait actions) cannot exceed 60 seconds"
	tooManyActsIssue = "Number of actions cannot exceed 50"
)

// checkActions gives the issues of a list of actions that no schema expresses.
func checkActions(actions []Action, waitFor int) []Issue {
	var issues []Issue
	if len(actions) > MaxActions {
		issues = append(issues, CustomIssue(tooManyActsIssue, "actions"))
	}
	total := waitFor
	for i, action := range actions {
		if action.Type != "wait" {
			continue
		}
		if (action.Milliseconds > 0) == (action.Selector != "") {
			issues = append(issues, CustomIssue(waitActionIssue, "actions", i))
		}
		total += action.Milliseconds
		if action.Selector != "" {
			total += waitPerSelector
		}
	}
	if total > maxTotalWait {
		issues = append(issues, CustomIssue(totalWaitIssue, "actions"))
	}
	return issues
}
