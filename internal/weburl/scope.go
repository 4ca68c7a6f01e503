package weburl

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// ScopeOptions are the options of a crawl that decide which addresses belong to
// it. They bear the names of the wire.
type ScopeOptions struct {
	IncludePaths       []string // RE2; when given, one must match
	ExcludePaths       []string // RE2; none may match. For other hosts also a domain, with a path or without
	RegexOnFullURL     bool     // match the whole address instead of the path
	CrawlEntireDomain  bool     // not only below the path of the start
	AllowSubdomains    bool
	AllowExternalLinks bool
}

// Scope says which addresses belong to a crawl.
type Scope struct {
	base    *url.URL
	options ScopeOptions
	include []*regexp.Regexp
	exclude []*regexp.Regexp
}

// Refusal is why an address is out of scope; empty when it is in.
type Refusal string

// The refusals, in the order they are checked.
const (
	InScope       Refusal = ""
	NotWeb        Refusal = "scheme is not http or https"
	SamePage      Refusal = "only the fragment differs"
	SocialHost    Refusal = "host is not crawled from other sites"
	OtherHost     Refusal = "host is not part of the crawl"
	PathExcluded  Refusal = "path is excluded"
	NotIncluded   Refusal = "path is not among those included"
	OutsideStart  Refusal = "path is not below the start"
	FileExtension Refusal = "file type is not crawled"
)

// NewScope compiles the patterns of a crawl that starts at base.
func NewScope(base *url.URL, o ScopeOptions) (*Scope, error) {
	s := &Scope{base: base, options: o}
	var err error
	if s.include, err = CompilePatterns(o.IncludePaths); err != nil {
		return nil, err
	}
	if s.exclude, err = CompilePatterns(o.ExcludePaths); err != nil {
		return nil, err
	}
	return s, nil
}

// CompilePatterns reads path patterns; blank ones are left out.
func CompilePatterns(patterns []string) ([]*regexp.Regexp, error) {
	var out []*regexp.Regexp
	for _, p := range patterns {
		if strings.TrimSpace(p) == "" {
			continue
		}
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("read pattern %q (RE2 syntax, without look-around and back-references): %w", p, err)
		}
		out = append(out, re)
	}
	return out, nil
}

// Link checks a link found on page. What it refuses is not crawled; robots.txt and
// whether it was seen before are asked elsewhere.
func (s *Scope) Link(page, link *url.URL) Refusal {
	if !IsWeb(link) {
		return NotWeb
	}
	if link.Fragment != "" && !IsRoute(link) && link.Path == page.Path && WithoutFragment(link).String() == WithoutFragment(page).String() {
		return SamePage
	}
	return s.check(link, s.Internal(page))
}

// URL checks an address that no page linked to: one of a sitemap, or the end of a
// redirect.
func (s *Scope) URL(u *url.URL) Refusal {
	if !IsWeb(u) {
		return NotWeb
	}
	return s.check(u, true)
}

// Internal says whether an address is on the host of the crawl.
func (s *Scope) Internal(u *url.URL) bool { return SameHost(s.base, u) }

func (s *Scope) check(u *url.URL, fromInternal bool) Refusal {
	internal := s.Internal(u)
	if !internal && isSocial(u.Hostname()) {
		return SocialHost
	}
	if !internal && !s.admits(u, fromInternal) {
		return OtherHost
	}
	if r := s.Pattern(u); r != InScope {
		return r
	}
	if internal && !s.options.CrawlEntireDomain && !strings.HasPrefix(pathname(u), pathname(s.base)) {
		return OutsideStart
	}
	if refusedExtension(u) {
		return FileExtension
	}
	return InScope
}

// admits decides about other hosts: one hop out where that is allowed, and hosts
// of the same registrable domain.
func (s *Scope) admits(u *url.URL, fromInternal bool) bool {
	if s.options.AllowExternalLinks && fromInternal && strings.Trim(u.Path, "/") != "" {
		return true
	}
	return s.options.AllowSubdomains && SameDomain(s.base, u)
}

// Pattern checks an address against the path patterns alone.
func (s *Scope) Pattern(u *url.URL) Refusal {
	subject := pathname(u)
	if s.options.RegexOnFullURL {
		subject = u.String()
	}
	if matchesAny(s.exclude, subject) || !s.Internal(u) && s.excludesDomain(u) {
		return PathExcluded
	}
	if len(s.include) > 0 && !matchesAny(s.include, subject) {
		return NotIncluded
	}
	return InScope
}

// excludesDomain reads exclude entries as domains: "example.com", "example.com/blog".
func (s *Scope) excludesDomain(u *url.URL) bool {
	full := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") + pathname(u)
	for _, entry := range s.options.ExcludePaths {
		domain, _, _ := strings.Cut(entry, "/")
		if !strings.Contains(domain, ".") || strings.ContainsAny(domain, `\^$*+?()[]{}|`) {
			continue // a pattern, not a domain
		}
		if rest, ok := strings.CutPrefix(full, strings.ToLower(strings.TrimPrefix(entry, "www."))); ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(entry, "/")) {
			return true
		}
	}
	return false
}

func matchesAny(patterns []*regexp.Regexp, subject string) bool {
	for _, p := range patterns {
		if p.MatchString(subject) {
			return true
		}
	}
	return false
}

// pathname is the path as a browser has it: escaped, at least "/".
func pathname(u *url.URL) string {
	if p := u.EscapedPath(); p != "" {
		return p
	}
	return "/"
}

func isSocial(host string) bool {
	host = strings.ToLower(host)
	for _, domain := range []string{
		"facebook.com", "twitter.com", "x.com", "linkedin.com", "instagram.com", "pinterest.com", "github.com", "calendly.com", "discord.gg", "discord.com",
	} {
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return true
		}
	}
	return false
}

func refusedExtension(u *url.URL) bool {
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".css", ".js", ".ico", ".svg", ".tiff", ".zip", ".exe", ".dmg", ".mp4", ".mp3", ".wav",
		".pptx", ".xlsx", ".avi", ".flv", ".woff", ".woff2", ".ttf", ".webp", ".inc":
		return true
	}
	return false
}
