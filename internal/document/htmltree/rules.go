package htmltree

// class is what kinds of element a name belongs to, a bit each.
type class uint32

const (
	special     class = 1 << iota // ends the search for something to close
	stopsScope                    // hides what is outside from most end tags
	stopsList                     // does so for </li>
	stopsButton                   // does so for </p>
	stopsTable                    // does so inside tables
	impliedEnd                    // is closed by whatever closes an element around it
	heading                       // h1 to h6
	listSkips                     // is special, but does not keep a <li> from closing another

	tablePart  // what stands here directly is fostered
	section    // tbody, thead, tfoot
	cell       // td, th
	ofTable    // a start tag clears the stack down to one of these in a table,
	ofSection  // in a section
	ofRow      // and in a row
	rawText    // its content is read as text
	breaksOut  // ends SVG and MathML
	foreign    // is of SVG or MathML
	integrates // is foreign, but HTML goes on inside
	mathText   // is of MathML, but text goes on inside
)

// namespaceBlind are the classes foreign elements belong to by their name alone.
const namespaceBlind = impliedEnd | listSkips | tablePart | ofTable | ofSection | ofRow | breaksOut

// Scopes: what hides elements outside from an end tag.
const (
	anyScope    = stopsScope
	listScope   = stopsScope | stopsList
	buttonScope = stopsScope | stopsButton
	tableScope  = stopsTable
)

var classes = map[class]string{
	special: `address applet area article aside base basefont bgsound blockquote body br button caption center col
		colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5
		h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed
		noframes noscript object ol p param plaintext pre script section select source style summary table tbody td
		template textarea tfoot th thead title tr track ul wbr xmp`,
	stopsScope:  "applet caption html table td th marquee object template select",
	stopsList:   "ol ul",
	stopsButton: "button",
	stopsTable:  "html table template",
	impliedEnd:  "dd dt li optgroup option p rb rp rt rtc",
	heading:     "h1 h2 h3 h4 h5 h6",
	listSkips:   "address div p",
	tablePart:   "table tbody tfoot thead tr",
	section:     "tbody tfoot thead",
	cell:        "td th",
	ofTable:     "html table template",
	ofSection:   "html tbody tfoot thead template",
	ofRow:       "html tr template",
	rawText:     "iframe noembed noframes noscript plaintext script style textarea title xmp",
	breaksOut: `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing
		menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`,
}

// startRule is what a start tag does in the body of a page.
type startRule uint8

const (
	startOther startRule = iota
	startIgnored
	startBlock
	startHeading
	startPre
	startForm
	startListItem
	startDefinition
	startButton
	startAnchor
	startFormatting
	startNobr
	startMarked
	startTable
	startVoid
	startBareVoid
	startInput
	startLine
	startImage
	startTextarea
	startXmp
	startIframe
	startRaw
	startSelect
	startOption
	startOptgroup
	startRubyBase
	startRubyText
	startForeign
	startHTML
	startHead
	startBody
	startFrameset
)

var startRules = [...]string{
	startIgnored: "caption col colgroup frame head tbody td tfoot th thead tr",
	startBlock: `address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer
		header hgroup main menu nav ol p plaintext search section summary ul`,
	startHeading:    "h1 h2 h3 h4 h5 h6",
	startPre:        "pre listing",
	startForm:       "form",
	startListItem:   "li",
	startDefinition: "dd dt",
	startButton:     "button",
	startAnchor:     "a",
	startFormatting: "b big code em font i s small strike strong tt u",
	startNobr:       "nobr",
	startMarked:     "applet marquee object",
	startTable:      "table",
	startVoid:       "area br embed img keygen wbr",
	startBareVoid:   "param source track",
	startInput:      "input",
	startLine:       "hr",
	startImage:      "image",
	startTextarea:   "textarea",
	startXmp:        "xmp",
	startIframe:     "iframe",
	startRaw:        "noembed noscript",
	startSelect:     "select",
	startOption:     "option",
	startOptgroup:   "optgroup",
	startRubyBase:   "rb rtc",
	startRubyText:   "rp rt",
	startForeign:    "math svg",
	startHTML:       "html",
	startHead:       "base basefont bgsound link meta noframes script style template title",
	startBody:       "body",
	startFrameset:   "frameset",
}

// endRule is what an end tag does in the body of a page.
type endRule uint8

const (
	endOther endRule = iota
	endBlock
	endBody
	endHTML
	endForm
	endParagraph
	endListItem
	endDefinition
	endHeading
	endFormatting
	endMarked
	endBreak
	endTemplate
)

var endRules = [...]string{
	endBlock: `address article aside blockquote button center details dialog dir div dl fieldset figcaption figure
		footer header hgroup listing main menu nav ol pre search section select summary ul`,
	endBody:       "body",
	endHTML:       "html",
	endForm:       "form",
	endParagraph:  "p",
	endListItem:   "li",
	endDefinition: "dd dt",
	endHeading:    "h1 h2 h3 h4 h5 h6",
	endFormatting: "a b big code em font i nobr s small strike strong tt u",
	endMarked:     "applet marquee object",
	endBreak:      "br",
	endTemplate:   "template",
}

// ordinaryNames have no rules, but are so common that they are looked up here.
const ordinaryNames = `abbr acronym audio bdi bdo canvas cite data datalist del dfn ins kbd label legend map mark meter
	output picture progress q samp slot span time var video`
