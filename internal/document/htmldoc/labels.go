package htmldoc

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// label is what a short line says about what follows it.
type label byte

const (
	noLabel      label = iota
	labelRelated       // other pages
	labelReplies       // what visitors wrote
	labelSignup        // newsletter, follow us
)

// labelOf reads a heading or a short line such as "Related articles" or
// "3 comments". The phrases are those of the languages the web mostly speaks.
func labelOf(s string) label {
	s = strings.ToLower(collapse(s))
	s = strings.Trim(s, " :.…!?»«>‹›|-–—•#0123456789()\"“”")
	if s == "" || len(s) > 80 {
		return noLabel
	}
	for _, p := range labelPhrases[s[0]] {
		if p.whole && s == p.text || !p.whole && strings.HasPrefix(s, p.text) {
			return p.label
		}
	}
	return noLabel
}

type phrase struct {
	text  string
	label label
	whole bool // only when the line says nothing else
}

// labelPhrases holds the phrases by their first byte: most lines begin with
// none of them.
var labelPhrases = makePhrases()

func makePhrases() map[byte][]phrase {
	byFirst := map[byte][]phrase{}
	add := func(list string, label label, whole bool) {
		for s := range strings.SplitSeq(list, "|") {
			byFirst[s[0]] = append(byFirst[s[0]], phrase{text: s, label: label, whole: whole})
		}
	}
	add(relatedPhrases, labelRelated, false)
	add(relatedWords, labelRelated, true)
	add(repliesPhrases, labelReplies, false)
	add(repliesWords, labelReplies, true)
	add(signupPhrases, labelSignup, false)
	return byFirst
}

const (
	relatedPhrases = "related article|related post|related stor|related news|related content|related link|related topic|related read|related:|" +
		"you may also|you might also|you may like|you might like|read next|up next|also read|read also|more from|more stories|more news|more in |more on this|" +
		"most read|most popular|most viewed|trending|popular post|popular article|popular stor|recent post|recent article|recent stor|latest news|latest stor|latest post|latest article|top stories|" +
		"recommended for|recommended article|recommended read|recommended stor|editor's pick|editors' pick|don't miss|what to read next|keep reading|further reading:|from around the web|promoted content|sponsored content|customers also|people also|similar products|similar items|frequently bought|pairs well with|complete the look|seller's other|more from this|sponsored items|explore related|shop the look|you recently viewed|recently viewed|" +
		"auch interessant|mehr zum thema|mehr zu diesem|das könnte |weitere artikel|weitere beiträge|weitere meldungen|weitere news|weitere themen|meistgelesen|meist gelesen|neueste beiträge|neueste artikel|lesen sie auch|lesen sie mehr|mehr lesen|zum weiterlesen|ähnliche artikel|ähnliche beiträge|verwandte artikel|passend zum thema|auch lesen|aktuelle beiträge|" +
		"te puede interesar|le puede interesar|puede interesarle|quizás te interese|lea también|lee también|lea además|más leíd|lo más leído|lo más visto|notas relacionadas|artículos relacionados|noticias relacionadas|entradas relacionadas|entradas recientes|temas relacionados|" +
		"à lire aussi|a lire aussi|lire aussi|sur le même sujet|articles similaires|articles liés|les plus lus|vous aimerez aussi|" +
		"leia também|leia mais|veja também|veja mais|você pode gostar|mais lidas|notícias relacionadas|posts relacionados|artigos relacionados|" +
		"leggi anche|potrebbe interessarti|potrebbero interessarti|articoli correlati|ti potrebbe|lees ook|lees meer|meer over|gerelateerd|" +
		"читайте также|похожие |по теме|czytaj także|czytaj też|czytaj również|zobacz także|zobacz też|zobacz również|polecane|powiązane|přečtěte si|související|läs också|läs mer|les også|læs også|lue myös|bunlar da ilginizi|ilgili haber|" +
		"関連記事|関連リンク|おすすめ|人気記事|相关文章|相关阅读|推荐阅读|热门文章|相關文章|延伸閱讀|관련 기사|관련기사|مقالات ذات|اقرأ أيضا|διαβάστε επίσης"
	relatedWords = "related|recommended|recommendations|read more|weiterlesen|verwandte themen|popular|latest|trending|más noticias|themen|relacionadas|relacionados|similaires|" +
		"top news|news|more"
	repliesPhrases = "leave a comment|leave a reply|leave a response|post a comment|add a comment|write a comment|join the conversation|join the discussion|comments are closed|comments on |responses to|response to|comments for|thoughts on|show comments|view comments|load comments|login to comment|" +
		"schreibe einen kommentar|schreiben sie einen kommentar|kommentar schreiben|kommentar verfassen|hinterlasse eine|hinterlasse einen|kommentare zu|diskutieren sie|" +
		"deja un comentario|deja una respuesta|dejar un comentario|agregar un comentario|laisser un commentaire|laissez un commentaire|ajouter un commentaire|" +
		"deixe um comentário|deixe uma resposta|lascia un commento|lascia una risposta|geef een reactie|dodaj komentarz|zostaw komentarz|добавить комментарий|оставить комментарий|bir yorum|skriv en kommentar"
	repliesWords = "comments|kommentare|kommentar|responses|replies|reader comments|user comments|comentarios|commentaires|comentários|commenti|reacties|komentarze|комментарии|discussion|コメント|评论|留言|pingbacks|trackbacks|" +
		"customer reviews"
	signupPhrases = "subscribe to|sign up for|sign up to|newsletter|get our newsletter|get the latest|join our newsletter|stay up to date|follow us|share this|share on|share:|teilen sie|folgen sie uns|folge uns|jetzt abonnieren|suscríbete|síguenos|compartir|compártelo|partager|abonnez-vous|" +
		"about the author|über den autor|über die autorin|sobre el autor|à propos de l"
)

// dropLabelled takes out the parts of the region that a short line announces
// as something else than the content.
func (p *page) dropLabelled(region int) {
	r := &p.els[region]
	for at := region + 1; at < r.end; at++ {
		e := &p.els[at]
		if e.gone {
			at = e.end - 1
			continue
		}
		if e.text == 0 || e.text > 70 || !mayLabel(e.node.DataAtom) || e.links > 1 {
			continue
		}
		switch labelOf(textOf(e.node)) {
		case labelRelated:
			p.dropSection(at, r, 3)
		case labelReplies:
			p.dropSection(at, r, 2)
		case labelSignup:
			p.dropSection(at, r, 6)
		}
	}
}

func mayLabel(a atom.Atom) bool {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.P, atom.Div, atom.Strong, atom.B, atom.Span, atom.Dt, atom.Legend, atom.Header:
		return true
	}
	return false
}

// dropSection drops the line at that index with the part it announces: the
// element it opens, or what follows it up to the next heading. The part must
// hold less than one in share of the text, and prose that follows is kept.
func (p *page) dropSection(at int, region *element, share int) {
	top := at
	for up := p.els[top].parent; up > region.at && p.opens(top, up) && p.els[up].prose*share < region.prose+1 && p.els[up].text*share < region.text*2; up = p.els[top].parent {
		top = up
	}
	if top != at && p.els[top].text > p.els[at].text {
		p.drop(top, "labelled "+collapse(textOf(p.els[at].node)))
		return
	}
	for i := p.els[top].end; i < p.els[p.els[top].parent].end; {
		s := &p.els[i]
		next := s.end
		if !s.gone && s.text > 0 {
			if isHeading(s.node.DataAtom) || s.node.DataAtom == atom.Article || share > 2 && s.prose > 0 && s.linkDensity() < 0.3 || share > 2 && s.prose*share*2 > region.prose {
				break
			}
			p.drop(i, "labelled "+collapse(textOf(p.els[at].node)))
		}
		i = next
	}
	p.drop(top, "a label")
}

// opens reports whether the element at that index is where the text of the
// element at up begins.
func (p *page) opens(at, up int) bool {
	for i := up + 1; i < at; i++ {
		if e := &p.els[i]; !e.gone && e.end <= at && e.text > 0 {
			return false
		}
		if e := &p.els[i]; !e.gone && e.end > at && e.own > 0 {
			return false
		}
	}
	return p.els[up].own == 0
}

func isHeading(a atom.Atom) bool {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}
