package crawl

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// traps bounds the places that make up new addresses for ever: calendars,
// filters that can be combined, paths that grow. A real site never meets the
// bounds; a trap costs them once and leaves a warning.
type traps struct {
	mu       sync.Mutex
	variants map[string]*variants // by host and path
	example  string               // the first address that was refused
}

// variants is what is known about the queries of one path.
type variants struct {
	all, dated, filtered int
}

// The bounds. A shop with a thousand pages of one listing is imaginable, a
// calendar of which one needs more than two years is not.
const (
	maxURL      = 2000 // characters
	maxSegments = 30   // of a path
	maxRepeats  = 3    // of one segment in a path
	maxQueries  = 5000 // of one path
	maxDated    = 24   // of these, with a date
	maxFiltered = 50   // of these, with three parameters or more
)

func newTraps() *traps { return &traps{variants: map[string]*variants{}} }

// caught tells whether an address is one too many.
func (t *traps) caught(u *url.URL) bool {
	if !grows(u) && !t.explodes(u) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.example == "" {
		t.example = u.String()
	}
	return true
}

// refused gives the first address that was caught; empty: none was.
func (t *traps) refused() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.example
}

// grows recognises paths and queries that repeat themselves.
func grows(u *url.URL) bool {
	if len(u.Path)+len(u.RawQuery) > maxURL {
		return true
	}
	segments := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(segments) > maxSegments {
		return true
	}
	if len(segments) > maxRepeats {
		count := map[string]int{}
		for _, s := range segments {
			if count[s]++; s != "" && count[s] >= maxRepeats {
				return true
			}
		}
	}
	return repeatsParameter(u.RawQuery)
}

// repeatsParameter recognises a query with one parameter and value twice, or one parameter over and over.
func repeatsParameter(query string) bool {
	if query == "" {
		return false
	}
	names, pairs := map[string]int{}, map[string]bool{}
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		names[name]++
		if pairs[pair] || names[name] > maxRepeats {
			return true
		}
		pairs[pair] = true
	}
	return false
}

var dateValue = regexp.MustCompile(`^(19|20)\d{2}([-/.]?(0[1-9]|1[0-2]))?([-/.]?\d{2})?(T.*)?$`)

// explodes counts the queries of a path.
func (t *traps) explodes(u *url.URL) bool {
	if u.RawQuery == "" {
		return false
	}
	key := u.Host + u.Path
	parameters, dated := 0, false
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		_, value, _ := strings.Cut(pair, "=")
		parameters++
		dated = dated || dateValue.MatchString(value)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.variants[key]
	if v == nil {
		if len(t.variants) >= maxSeen {
			clear(t.variants)
		}
		v = &variants{}
		t.variants[key] = v
	}
	v.all++
	if dated {
		v.dated++
	}
	if parameters >= 3 {
		v.filtered++
	}
	return v.all > maxQueries || dated && v.dated > maxDated || parameters >= 3 && v.filtered > maxFiltered
}

// sessionNames are parameters that name the visitor and not the page.
var sessionNames = []string{"sid", "sessionid", "session_id", "jsessionid", "phpsessid", "aspsessionid", "cfid", "cftoken", "oscsid", "zenid"}

// withoutSession drops parameters that differ from visit to visit, so that a
// page is one page under every session.
func withoutSession(u *url.URL) *url.URL {
	if u.RawQuery == "" && !strings.Contains(u.Path, ";") {
		return u
	}
	out := *u
	if before, parameter, found := strings.Cut(out.Path, ";"); found && isSession(parameter) {
		out.Path, out.RawPath = before, ""
	}
	if out.RawQuery != "" {
		pairs := slices.DeleteFunc(strings.Split(out.RawQuery, "&"), isSession)
		out.RawQuery = strings.Join(pairs, "&")
	}
	return &out
}

// isSession wants both the name and a value that looks drawn, not chosen.
func isSession(pair string) bool {
	name, value, _ := strings.Cut(pair, "=")
	return len(value) >= 16 && slices.Contains(sessionNames, strings.ToLower(name))
}
