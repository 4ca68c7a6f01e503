package xlsx

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
)

// comments reads the notes that hang on cells. Newer files keep a discussion in
// a part of its own, with a stand-in among the notes that is then left out.
func (r *reader) comments(sheet []opc.Rel) []*html.Node {
	var notes, threads []*html.Node
	discussed := map[string]bool{}
	for _, rel := range sheet {
		if rel.Type != "threadedComment" || rel.External {
			continue
		}
		for _, c := range r.pkg.Tree(rel.Target).All("threadedComment") {
			discussed[c.Attr("ref")] = true
			threads = append(threads, book.Comment(r.person(c.Attr("personId")), c.Attr("dT"), c.Child("text").Content()))
		}
	}
	for _, rel := range sheet {
		if rel.Type != "comments" || rel.External {
			continue
		}
		root := r.pkg.Tree(rel.Target)
		authors := root.Child("authors").All("author")
		for _, c := range root.Child("commentList").All("comment") {
			if discussed[c.Attr("ref")] {
				continue
			}
			author := ""
			if i := atoi(c.Attr("authorId")); i < len(authors) {
				author = authors[i].Content()
			}
			notes = append(notes, book.Comment(author, "", c.Child("text").Content()))
		}
	}
	return append(notes, threads...)
}

// person gives the name behind an id in a discussion.
func (r *reader) person(id string) string {
	if r.persons == nil {
		r.persons = map[string]string{}
		for _, part := range r.pkg.Names() {
			if !strings.HasPrefix(part, "xl/persons/") || strings.Contains(part, "_rels") {
				continue
			}
			for _, p := range r.pkg.Tree(part).All("person") {
				r.persons[p.Attr("id")] = p.Attr("displayName")
			}
		}
	}
	return r.persons[id]
}
