package job

import (
	"strings"

	"github.com/trawlhq/trawl"
)

// What processes tell each other through the database: a word, then what it is about.
const (
	noteWake   = "wake"   // a lane
	noteCancel = "cancel" // job ids
	noteDone   = "done"   // job ids
)

// heard acts on a note. An empty one says that some may have been missed.
func (q *Queue) heard(text string) {
	word, about, _ := strings.Cut(text, " ")
	switch word {
	case noteWake:
		q.wake(trawl.Lane(about))
	case noteCancel:
		q.interrupt(strings.Fields(about), ErrCancelled)
	case noteDone:
		q.announce(strings.Fields(about))
	case "":
		for _, l := range q.lanes {
			q.wake(l.name)
		}
	}
}

// wake makes the dispatcher of a lane look for jobs; one that is looking
// already looks once more.
func (q *Queue) wake(name trawl.Lane) {
	for _, l := range q.lanes {
		if l.name != name {
			continue
		}
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}
