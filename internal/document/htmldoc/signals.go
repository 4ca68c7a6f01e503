package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// signals is what an element says about itself by its name, role, id and
// classes. It is a hint: people name things as they like.
type signals uint32

const (
	sigContent signals = 1 << iota // content, main, article, body, post, …
	sigBody                        // the text of an article by name: articleBody, entry-content, …
	sigNav                         // navigation, menus, breadcrumbs, pagers
	sigFooter                      // footer of the page
	sigHeader                      // header of the page
	sigAside                       // sidebars
	sigShare                       // share and follow buttons
	sigRelated                     // other pages: related, recommended, trending
	sigComment                     // what visitors wrote below an article
	sigAd                          // adverts, sponsors, promotions
	sigSignup                      // newsletter, login, registration
	sigCookie                      // cookie notices
	sigDialog                      // dialogs, popups
	sigUser                        // what a forum tells about who wrote a post
	sigByline                      // author, date, reading time
	sigTags                        // tags, categories
	sigSearch                      // search boxes, filters, sorting
	sigHidden                      // for screen readers only, or waiting to be shown
	sigTool                        // print, zoom, toolbars, skip links
	sigForum                       // a post or answer in a discussion
	sigCaption                     // captions and credits of images
	sigToc                         // table of contents
	sigNote                        // a remark set apart inside a text
	sigReview                      // what buyers say about a product
)

// signalsOf reads the signals of one element.
func signalsOf(n *html.Node) signals {
	if strings.HasPrefix(n.Data, "mjx-") { // formulas carry the classes of their context menu
		return 0
	}
	s := tagSignals(n.DataAtom)
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class":
			for class := range strings.FieldsSeq(a.Val) {
				name, _, _ := strings.Cut(class, "--") // block--modifier: the modifier names a state
				if !isTopic(name) {
					s |= wholeMeaning[name] | wordSignals(name)
				}
			}
		case "id":
			if n.DataAtom != atom.Li && strings.Count(a.Val, "-")+strings.Count(a.Val, "_") < 3 { // else a heading or note made into an id
				s |= wordSignals(a.Val)
			}
		case "role":
			s |= roleSignals[a.Val]
		case "itemprop":
			if a.Val == "articleBody" {
				s |= sigBody | sigContent
			}
		case "aria-label", "data-component", "data-testid":
			if len(a.Val) < 40 {
				s |= wordSignals(a.Val) &^ (sigContent | sigBody)
			}
		case "aria-modal":
			s |= sigDialog
		}
	}
	return s
}

// isTopic reports whether a class speaks of something else than the element:
// what a text is about, as weblogs write it on every post, or what there is
// beside it.
func isTopic(class string) bool {
	for _, prefix := range []string{"tag-", "category-", "term-", "topic-", "tags-", "author-", "post_tag-", "cat-",
		"has-", "no-", "with-", "without-", "hide-", "show-", "is-", "not-", "after-", "before-"} {
		if strings.HasPrefix(class, prefix) {
			return true
		}
	}
	return false
}

func tagSignals(a atom.Atom) signals {
	switch a {
	case atom.Main, atom.Article:
		return sigContent
	case atom.Nav:
		return sigNav
	case atom.Footer:
		return sigFooter
	case atom.Header:
		return sigHeader
	case atom.Aside:
		return sigAside
	case atom.Dialog:
		return sigDialog
	}
	return 0
}

var roleSignals = map[string]signals{
	"main":          sigContent,
	"article":       sigContent,
	"navigation":    sigNav,
	"menu":          sigNav,
	"menubar":       sigNav,
	"banner":        sigHeader,
	"contentinfo":   sigFooter,
	"complementary": sigAside,
	"search":        sigSearch,
	"dialog":        sigDialog,
	"alertdialog":   sigDialog,
	"toolbar":       sigTool,
}

// wordSignals splits a name such as "post-body articleText sidebar_left" into
// words and joins what they stand for.
func wordSignals(s string) signals {
	var found signals
	var word [24]byte
	n := 0
	flush := func() {
		if n > 1 && n < len(word) {
			if meaning, ok := wordMeaning[string(word[:n])]; ok {
				found |= meaning
			} else if n > 7 {
				found |= prefixMeaning(string(word[:n]))
			}
		}
		n = 0
	}
	lower := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z':
			if lower {
				flush()
			}
			lower = false
			c |= 0x20
		default:
			flush()
			lower = false
			continue
		}
		if n < len(word) {
			word[n] = c
			n++
		}
	}
	flush()
	return found
}

// prefixMeaning reads words that people build upon: commentlinks, sidebarright.
func prefixMeaning(word string) signals {
	for _, p := range []struct {
		prefix  string
		meaning signals
	}{
		{"comment", sigComment}, {"sidebar", sigAside}, {"newsletter", sigSignup}, {"cookie", sigCookie}, {"breadcrumb", sigNav},
		{"related", sigRelated}, {"recommend", sigRelated}, {"kommentar", sigComment},
	} {
		if strings.HasPrefix(word, p.prefix) && word != "commentary" {
			return p.meaning
		}
	}
	return 0
}

// wholeMeaning holds classes that mean something only as a whole.
var wholeMeaning = map[string]signals{
	"widget":         sigAside,
	"mw-editsection": sigHidden, "headerlink": sigHidden, "heading-anchor": sigHidden,
	"sr-only": sigHidden, "visually-hidden": sigHidden, "visuallyhidden": sigHidden, "screen-reader-text": sigHidden,
	"screen-reader-only": sigHidden, "screenreader": sigHidden, "a11y-hidden": sigHidden, "element-invisible": sigHidden,
	"u-hidden": sigHidden, "offscreen": sigHidden, "clipped": sigHidden,
}

// wordMeaning holds the words that people use to name the parts of a page.
var wordMeaning = map[string]signals{
	"content": sigContent, "main": sigContent, "article": sigContent, "body": sigContent, "post": sigContent,
	"entry": sigContent, "story": sigContent, "text": sigContent, "page": sigContent, "blog": sigContent,
	"product": sigContent, "description": sigContent, "column": sigContent, "detail": sigContent, "details": sigContent,
	"articlebody": sigContent | sigBody, "storybody": sigContent | sigBody, "postbody": sigContent | sigBody,
	"articletext": sigContent | sigBody, "artikel": sigContent, "beitrag": sigContent, "inhalt": sigContent,

	"nav": sigNav, "navbar": sigNav, "navigation": sigNav, "menu": sigNav, "submenu": sigNav, "breadcrumb": sigNav,
	"breadcrumbs": sigNav, "crumbs": sigNav, "crumb": sigNav, "pagination": sigNav, "pager": sigNav, "paging": sigNav, "pagenav": sigNav,
	"topnav": sigNav, "subnav": sigNav, "sitemap": sigNav, "megamenu": sigNav, "mainmenu": sigNav, "jumplinks": sigNav,

	"footer": sigFooter, "foot": sigFooter, "colophon": sigFooter, "copyright": sigFooter, "impressum": sigFooter,
	"header": sigHeader, "masthead": sigHeader, "topbar": sigHeader, "branding": sigHeader, "logo": sigHeader,

	"sidebar": sigAside, "side": sigAside, "aside": sigAside, "rail": sigAside, "sidecolumn": sigAside, "rightcol": sigAside,
	"leftcol": sigAside, "marginalia": sigAside, "seitenleiste": sigAside,

	"share": sigShare, "sharing": sigShare, "social": sigShare, "socials": sigShare, "sharethis": sigShare, "addthis": sigShare,
	"addtoany": sigShare, "sharedaddy": sigShare, "sharebar": sigShare, "sharer": sigShare, "shariff": sigShare, "follow": sigShare, "teilen": sigShare,
	"socialmedia": sigShare,

	"related": sigRelated, "recommended": sigRelated, "recommendation": sigRelated, "recommendations": sigRelated,
	"recirc": sigRelated, "recirculation": sigRelated, "trending": sigRelated, "popular": sigRelated, "mostread": sigRelated,
	"relatedposts": sigRelated, "yarpp": sigRelated, "readmore": sigRelated, "taboola": sigRelated | sigAd, "outbrain": sigRelated | sigAd,
	"zergnet": sigRelated | sigAd, "upsell": sigRelated, "crosssell": sigRelated, "suggested": sigRelated,
	"readnext": sigRelated, "nextprev": sigRelated, "alsolike": sigRelated, "bestseller": sigRelated,

	"comment": sigComment, "comments": sigComment, "commentlist": sigComment, "disqus": sigComment, "respond": sigComment,
	"kommentar": sigComment, "kommentare": sigComment, "commentaires": sigComment, "comentarios": sigComment, "reviews": sigComment,
	"livefyre": sigComment,

	"review": sigReview, "testimonial": sigReview, "testimonials": sigReview, "yotpo": sigReview, "bazaarvoice": sigReview, "bv": sigReview,
	"powerreviews": sigReview, "okendo": sigReview, "judgeme": sigReview, "jdgm": sigReview, "trustpilot": sigReview, "stamped": sigReview, "ugc": sigReview,

	"ad": sigAd, "ads": sigAd, "advert": sigAd, "adverts": sigAd, "advertisement": sigAd, "advertising": sigAd, "adsense": sigAd, "adsbygoogle": sigAd,
	"sponsor": sigAd, "sponsored": sigAd, "sponsors": sigAd, "promo": sigAd, "promos": sigAd, "promotion": sigAd, "adslot": sigAd, "dfp": sigAd,
	"gpt": sigAd, "werbung": sigAd, "anzeige": sigAd, "publicidad": sigAd, "affiliate": sigAd, "banner": sigAd, "cta": sigAd, "adbox": sigAd, "adcontainer": sigAd,

	"newsletter": sigSignup, "subscribe": sigSignup, "subscription": sigSignup, "signup": sigSignup, "signin": sigSignup,
	"login": sigSignup, "register": sigSignup, "registration": sigSignup, "mailchimp": sigSignup, "optin": sigSignup,
	"mailinglist": sigSignup, "donate": sigSignup, "donation": sigSignup,

	"cookie": sigCookie, "cookies": sigCookie, "consent": sigCookie, "gdpr": sigCookie, "onetrust": sigCookie, "ot": sigCookie,
	"cookiebanner": sigCookie, "cookiebot": sigCookie, "ccpa": sigCookie, "didomi": sigCookie, "usercentrics": sigCookie,
	"modal": sigDialog, "popup": sigDialog,
	"overlay": sigDialog, "lightbox": sigDialog, "popover": sigDialog, "tooltip": sigDialog, "interstitial": sigDialog,
	"offcanvas": sigDialog, "drawer": sigDialog, "toast": sigDialog,

	"byline": sigByline, "author": sigByline, "authors": sigByline, "dateline": sigByline, "postmeta": sigByline, "meta": sigByline,
	"timestamp": sigByline, "autor": sigByline, "bio": sigByline, "authorbox": sigByline, "date": sigByline, "pubdate": sigByline,
	"posted": sigByline, "readingtime": sigByline, "published": sigByline,

	"tags": sigTags, "tag": sigTags, "tagcloud": sigTags, "taglist": sigTags, "categories": sigTags, "category": sigTags, "keywords": sigTags,
	"topics": sigTags, "schlagworte": sigTags, "cat": sigTags,

	"search": sigSearch, "searchbox": sigSearch, "searchform": sigSearch, "filter": sigSearch, "filters": sigSearch,
	"facet": sigSearch, "facets": sigSearch, "refinement": sigSearch, "refinements": sigSearch, "sort": sigSearch, "sortby": sigSearch,

	"noprint": sigTool,
	"print":   sigTool, "toolbar": sigTool, "tools": sigTool, "skiplink": sigTool, "actions": sigTool,
	"backtotop": sigTool, "feedback": sigTool, "rating": sigTool, "ratings": sigTool, "vote": sigTool, "votes": sigTool,

	"thread": sigForum, "topic": sigForum, "forum": sigForum, "answer": sigForum, "question": sigForum, "reply": sigForum, "message": sigForum,

	"userinfo": sigUser, "userdetails": sigUser, "extras": sigUser, "signature": sigUser, "postprofile": sigUser, "reputation": sigUser,
	"badges": sigUser, "userstats": sigUser, "memberinfo": sigUser, "postbit": sigUser, "avatar": sigUser, "userpic": sigUser,
	"caption": sigCaption, "credit": sigCaption, "credits": sigCaption, "figcaption": sigCaption,

	"footnote": sigContent, "footnotes": sigContent, "endnotes": sigContent, "callout": sigNote, "admonition": sigNote, "infobox": sigNote,
	"note": sigNote, "notice": sigNote, "tip": sigNote, "hint": sigNote, "important": sigNote,

	"toc": sigToc, "tableofcontents": sigToc, "onthispage": sigToc,
}
