package fetch

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jimsmart/grobotstxt"
)

// Rules are those of one robots.txt that concern us. The zero value allows all.
type Rules struct {
	Sitemaps   []string      // the Sitemap lines, as written
	CrawlDelay time.Duration // of our group; 0: none
	rules      []robotsRule
}

type robotsRule struct {
	allow   bool
	pattern string
}

// ParseRobots reads a robots.txt for the first of our names that it has a group
// for, or else its group for everyone.
func ParseRobots(body string, names ...string) *Rules {
	var file robotsFile
	grobotstxt.Parse(body, &file)
	for _, name := range names {
		if rules, ok := file.group(strings.ToLower(productToken(name))); ok {
			return rules
		}
	}
	rules, _ := file.group("*")
	return rules
}

// Allows says whether the rules let us fetch an address: the longest pattern that
// matches decides, and where two are as long, the one that allows.
func (r *Rules) Allows(u *url.URL) bool {
	path := robotsPath(u)
	allowed, refused := 0, 0
	for _, rule := range r.rules {
		n := rule.matches(path)
		if rule.allow {
			allowed = max(allowed, n)
		} else {
			refused = max(refused, n)
		}
	}
	return refused <= allowed
}

// matches gives the length of the pattern when it fits, or else 0.
func (r robotsRule) matches(path string) int {
	if grobotstxt.Matches(path, r.pattern) {
		return len(r.pattern)
	}
	// Google reads "Allow: /x/index.html" as /x/ too, and sites rely on it.
	slash := strings.LastIndexByte(r.pattern, '/')
	if !r.allow || slash < 0 || !strings.HasPrefix(r.pattern[slash:], "/index.htm") {
		return 0
	}
	directory := r.pattern[:slash+1] + "$"
	if grobotstxt.Matches(path, directory) {
		return len(directory)
	}
	return 0
}

// robotsPath is path and query as written, with escapes in capitals as patterns
// have them. An address is expected to be escaped, as package weburl leaves it.
func robotsPath(u *url.URL) string {
	path := u.RawPath
	if path == "" {
		path = u.EscapedPath()
	}
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	if !strings.Contains(path, "%") {
		return path
	}
	b := []byte(path)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToUpper(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// robotsFile gathers the groups of a file as the parser meets their lines.
type robotsFile struct {
	groups   []robotsGroup
	sitemaps []string
	closed   bool // the last group has rules: the next user agent begins another
}

type robotsGroup struct {
	names []string
	rules []robotsRule
	delay time.Duration
}

// group joins all groups of one name, as RFC 9309 has it.
func (f *robotsFile) group(name string) (*Rules, bool) {
	out := &Rules{Sitemaps: f.sitemaps}
	found := false
	for _, g := range f.groups {
		if !contains(g.names, name) {
			continue
		}
		found = true
		out.rules = append(out.rules, g.rules...)
		out.CrawlDelay = max(out.CrawlDelay, g.delay)
	}
	return out, found
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// HandleRobotsStart begins a file.
func (f *robotsFile) HandleRobotsStart() { *f = robotsFile{} }

// HandleRobotsEnd ends it.
func (f *robotsFile) HandleRobotsEnd() {}

// HandleUserAgent opens a group, or adds a name to one that has no rules yet.
func (f *robotsFile) HandleUserAgent(_ int, value string) {
	if len(f.groups) == 0 || f.closed {
		f.groups, f.closed = append(f.groups, robotsGroup{}), false
	}
	g := &f.groups[len(f.groups)-1]
	g.names = append(g.names, strings.ToLower(agentName(value)))
}

// HandleAllow adds a rule to the open group.
func (f *robotsFile) HandleAllow(_ int, value string) { f.add(robotsRule{true, value}) }

// HandleDisallow adds a rule to the open group.
func (f *robotsFile) HandleDisallow(_ int, value string) { f.add(robotsRule{false, value}) }

// HandleSitemap keeps the address of a sitemap; it belongs to no group.
func (f *robotsFile) HandleSitemap(_ int, value string) {
	if value != "" {
		f.sitemaps = append(f.sitemaps, value)
	}
}

// HandleUnknownAction reads Crawl-delay, which the standard does not know.
func (f *robotsFile) HandleUnknownAction(_ int, action, value string) {
	if !strings.EqualFold(action, "crawl-delay") || len(f.groups) == 0 {
		return
	}
	seconds, err := strconv.ParseFloat(value, 64)
	if err == nil && seconds > 0 && seconds <= 3600 {
		f.groups[len(f.groups)-1].delay = time.Duration(seconds * float64(time.Second))
	}
}

func (f *robotsFile) add(rule robotsRule) {
	if len(f.groups) == 0 {
		return // rules before any user agent concern nobody
	}
	f.closed = true
	g := &f.groups[len(f.groups)-1]
	g.rules = append(g.rules, rule)
}

// agentName reads the value of a User-agent line. A star with words after it
// still means everyone.
func agentName(value string) string {
	if value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		return "*"
	}
	return productToken(value)
}

// productToken is the part of a name that is compared: "FooBot" of "FooBot/2.1".
func productToken(name string) string {
	end := strings.IndexFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if end < 0 {
		return name
	}
	return name[:end]
}
