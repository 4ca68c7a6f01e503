package testsite

import (
	"fmt"
	"net/http"
	"sync"
)

// boards are pages whose content the test decides, for change tracking and
// monitors. A board that was never set shows a first version; one that is set to
// "" is taken down and answers 404.
type boards struct {
	mu      sync.Mutex
	content map[string]string
}

func newBoards() *boards { return &boards{content: map[string]string{}} }

// SetBoard changes what /board/{name} shows: HTML for its main element, or
// nothing to take it down.
func (s *Site) SetBoard(name, content string) {
	s.boards.mu.Lock()
	defer s.boards.mu.Unlock()
	s.boards.content[name] = content
}

func (b *boards) get(name string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if content, ok := b.content[name]; ok {
		return content
	}
	return "<h1>Notice</h1><p>The ferry leaves at eight.</p><p>Bring your own rope.</p>"
}

func (s *Site) boardPages() []Page {
	return []Page{
		{Path: "/board/ferry", About: "shows what Site.SetBoard or POST /_site/board/{name} put there", pattern: "/board/{name}", serve: s.board},
		{Path: "/counter", About: "another number on every visit", serve: s.visits},
	}
}

func (s *Site) board(w http.ResponseWriter, r *http.Request) {
	content := s.boards.get(r.PathValue("name"))
	if content == "" {
		refuse(w, r, http.StatusNotFound)
		return
	}
	writeHTML(w, document("Notice board", "<main>"+content+"</main>"))
}

func (s *Site) visits(w http.ResponseWriter, _ *http.Request) {
	writeHTML(w, document("Counter", fmt.Sprintf("<h1>Counter</h1><p>Visit number %d.</p>", s.Hits("/counter"))))
}
