package crawl

import (
	"context"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
)

// builtIn is said whenever no model took part.
const builtIn = "No model is configured, so the prompt was read by the built-in rules; look at the options before relying on them."

// PreviewCrawl tells what a prompt would mean for a crawl.
func (s *Service) PreviewCrawl(ctx context.Context, req trawl.CrawlPreviewRequest) (*trawl.CrawlPreview, error) {
	seed, err := s.ParseURL(req.URL)
	if err != nil {
		return nil, trawl.Errorf(trawl.Invalid, "Invalid request parameters: url: %s", err).WithCode("BAD_REQUEST")
	}
	if strings.TrimSpace(req.Prompt) == "" {
		return nil, trawl.Errorf(trawl.Invalid, "Invalid request parameters: prompt: must not be empty").WithCode("BAD_REQUEST")
	}
	options, err := s.readPrompt(ctx, req.URL, seed, req.Prompt)
	if err != nil {
		return nil, err
	}
	return &trawl.CrawlPreview{URL: req.URL, CrawlOptions: options, Warning: builtIn}, nil
}

// obeyPrompt fills in what the request leaves open.
func (s *Service) obeyPrompt(ctx context.Context, req *trawl.CrawlRequest, answer *trawl.CrawlStarted) error {
	seed, err := s.ParseURL(req.URL)
	if err != nil {
		return err
	}
	generated, err := s.readPrompt(ctx, req.URL, seed, req.Prompt)
	if err != nil {
		return err
	}
	answer.PromptGeneratedOptions, answer.FinalCrawlerOptions = &generated, &req.CrawlOptions
	return req.Accept(generated)
}

// quickMap is how many addresses of the site a prompt is read against.
const quickMap = 120

// readPrompt derives options from words. What it cannot make sense of at all is refused.
func (s *Service) readPrompt(ctx context.Context, raw string, seed *url.URL, prompt string) (trawl.CrawlOptions, error) {
	var site []string
	if found, err := s.Mapper.Map(ctx, trawl.MapRequest{URL: raw, Limit: quickMap}); err == nil { // without a map the words alone must do
		for _, link := range found.Links {
			site = append(site, link.URL)
		}
	}
	o := optionsOf(prompt, topSegments(seed, site))
	if reflect.DeepEqual(o, trawl.CrawlOptions{}) {
		return o, trawl.Errorf(trawl.Invalid, "The prompt could not be turned into crawl options. Try to rephrase it: name paths, sections, a depth or a number of pages.").WithCode("BAD_REQUEST")
	}
	return o, nil
}

// topSegments are the first words of the paths of a site, each once.
func topSegments(seed *url.URL, site []string) []string {
	var list []string
	for _, address := range site {
		u, err := url.Parse(address)
		if err != nil || u.Host != seed.Host {
			continue
		}
		first, _, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
		if first != "" && !strings.Contains(first, ".") && !slices.Contains(list, first) {
			list = append(list, first)
		}
	}
	return list
}

var (
	depthRule  = regexp.MustCompile(`(?i)\bdepth(?: of| is)?\s+(\d{1,2})\b|\b(\d{1,2})\s+(?:levels?|links?|clicks?|hops?)\b`)
	limitRule  = regexp.MustCompile(`(?i)\b(?:first|at most|up to|max(?:imum)?(?: of)?|limit(?:ed)?(?: to| of)?|no more than|only)\s+(\d{1,6})\b|\b(\d{1,6})\s+(?:pages?|urls?|documents?|results?)\b`)
	delayRule  = regexp.MustCompile(`(?i)\b(?:wait|delay|pause)\D{0,20}?(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|sec|seconds?)\b`)
	pathRule   = regexp.MustCompile(`(?:^|[\s"'(])(/[A-Za-z0-9][A-Za-z0-9._~/*-]*)`)
	clauseRule = regexp.MustCompile(`(?i)[.;,]\s|[.;,]$|\bbut\b|\band\b`)
	notRule    = regexp.MustCompile(`(?i)\b(?:skip|exclud\w*|except|ignor\w*|avoid|without|not|no|don't)\b`)
	wordRule   = regexp.MustCompile(`[\p{L}\p{N}_-]+`)
)

// optionsOf reads a prompt: numbers with their nouns, switches by their names,
// and paths that are written out or named by the words of the site's sections.
// A number is taken out once it is understood, so that it is not understood twice.
func optionsOf(prompt string, sections []string) trawl.CrawlOptions {
	var o trawl.CrawlOptions
	readSwitches(&o, strings.ToLower(prompt))
	prompt = take(prompt, delayRule, func(m []string) { readDelay(&o, m) })
	prompt = take(prompt, depthRule, func(m []string) {
		if depth, err := strconv.Atoi(m[1] + m[2]); err == nil {
			o.MaxDiscoveryDepth = &depth
		}
	})
	prompt = take(prompt, limitRule, func(m []string) { o.Limit, _ = strconv.Atoi(m[1] + m[2]) })
	for _, clause := range clauseRule.Split(prompt, -1) {
		inverted := notRule.MatchString(clause)
		for _, pattern := range patternsIn(clause, sections) {
			if inverted {
				o.ExcludePaths = appendNew(o.ExcludePaths, pattern)
			} else {
				o.IncludePaths = appendNew(o.IncludePaths, pattern)
			}
		}
	}
	return o
}

// take hands the first match of a rule over and cuts it out of the text.
func take(text string, rule *regexp.Regexp, use func(groups []string)) string {
	at := rule.FindStringIndex(text)
	if at == nil {
		return text
	}
	use(rule.FindStringSubmatch(text))
	return text[:at[0]] + " " + text[at[1]:]
}

func readDelay(o *trawl.CrawlOptions, m []string) {
	seconds, err := strconv.ParseFloat(m[1], 64)
	if strings.HasPrefix(strings.ToLower(m[2]), "m") {
		seconds /= 1000
	}
	if err == nil && seconds > 0 && seconds <= 60 {
		o.Delay = &seconds
	}
}

func readSwitches(o *trawl.CrawlOptions, prompt string) {
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(prompt, w) })
	}
	denies := func(what string) bool {
		return says("no "+what, "without "+what, "not "+what, "skip "+what, "ignore "+what, "not follow "+what)
	}
	o.CrawlEntireDomain = says("entire domain", "whole domain", "entire site", "whole site", "all pages", "everything", "full site")
	o.AllowSubdomains = says("subdomain", "sub-domain") && !denies("subdomain") && !denies("sub-domain")
	o.AllowExternalLinks = says("external", "other sites", "other domains") && !denies("external")
	o.IgnoreQueryParameters = says("ignore query", "ignore the query", "without query", "strip query")
	switch {
	case says("only the sitemap", "sitemap only", "only sitemap", "just the sitemap"):
		o.Sitemap = trawl.SitemapOnly
	case denies("sitemap") || denies("the sitemap"):
		o.Sitemap = trawl.SitemapSkip
	}
}

// patternsIn finds the paths a clause speaks of.
func patternsIn(clause string, sections []string) []string {
	var list []string
	for _, m := range pathRule.FindAllStringSubmatch(clause, -1) {
		path := strings.TrimRight(strings.TrimRight(m[1], "*"), "./")
		list = appendNew(list, "^"+regexp.QuoteMeta(path)+"(/.*)?$")
	}
	words := wordRule.FindAllString(strings.ToLower(pathRule.ReplaceAllString(clause, " ")), -1)
	for _, section := range sections {
		if slices.ContainsFunc(words, func(w string) bool { return sameWord(w, strings.ToLower(section)) }) {
			list = appendNew(list, "^/"+regexp.QuoteMeta(section)+"(/.*)?$")
		}
	}
	return list
}

// sectionNames are words for the sections that most sites call the same.
var sectionNames = map[string]string{
	"documentation": "doc", "documents": "doc", "article": "blog", "articles": "blog", "posts": "blog", "post": "blog",
}

// sameWord takes plural and singular, and the usual other name, for one.
func sameWord(word, section string) bool {
	root := func(w string) string {
		if name, ok := sectionNames[w]; ok {
			return name
		}
		if len(w) > 3 {
			return strings.TrimSuffix(w, "s")
		}
		return w
	}
	return len(word) > 2 && root(word) == root(section)
}

func appendNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}
