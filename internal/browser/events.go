package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// listen wires the events of the page to the state of the tab. Answers that
// the browser waits for (a dialog, a paused request) are sent from goroutines:
// a handler must not wait on its own connection.
func (t *tab) listen() {
	s := t.session
	t.listenToFrame(s)
	t.listenToNetwork(s)
	on(s, inspector.TargetCrashed, func(inspector.EventTargetCrashed) { t.crash() })
	on(s, page.JavascriptDialogOpening, func(e page.EventJavascriptDialogOpening) { go t.answerDialog(e.DefaultPrompt) })
	on(s, fetch.AuthRequired, func(e fetch.EventAuthRequired) { go t.authenticate(e) })
	on(s, fetch.RequestPaused, func(e fetch.EventRequestPaused) { go t.resume(e) })
}

// listenToFrame follows what the main frame shows.
func (t *tab) listenToFrame(s *session) {
	on(s, page.FrameStartedNavigating, func(e page.EventFrameStartedNavigating) {
		if e.FrameID == t.frame && e.NavigationType != page.FrameStartedNavigatingNavigationTypeSameDocument {
			t.update(func() { t.main.navigating = true })
		}
	})
	on(s, page.FrameRequestedNavigation, func(e page.EventFrameRequestedNavigation) {
		if e.FrameID == t.frame && e.Disposition == page.ClientNavigationDispositionCurrentTab {
			t.update(func() { t.main.navigating = true })
		}
	})
	on(s, page.FrameNavigated, func(e page.EventFrameNavigated) {
		if e.Frame.ID == t.frame {
			t.update(func() {
				t.main.commit(e.Frame.LoaderID, e.Frame.UnreachableURL)
				t.traffic.committed(e.Frame.LoaderID)
			})
		}
	})
	on(s, page.FrameStoppedLoading, func(e page.EventFrameStoppedLoading) {
		if e.FrameID == t.frame {
			t.update(func() { t.main.navigating = false })
		}
	})
	on(s, page.LoadEventFired, func(page.EventLoadEventFired) {
		t.update(func() { t.main.loaded = true })
	})
}

// listenToNetwork follows what the page asks for.
func (t *tab) listenToNetwork(s *session) {
	on(s, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) {
		t.update(func() {
			t.traffic.began(e)
			if e.Type == network.ResourceTypeDocument && e.FrameID == t.frame {
				t.main.request, t.main.requested = e.RequestID, e.Request.URL
			}
		})
	})
	on(s, network.LoadingFinished, func(e network.EventLoadingFinished) {
		t.update(func() { t.traffic.ended(e.RequestID) })
	})
	on(s, network.LoadingFailed, func(e network.EventLoadingFailed) {
		t.update(func() {
			t.traffic.ended(e.RequestID)
			if e.RequestID == t.main.request {
				t.main.failure = e.ErrorText
			}
		})
	})
	on(s, network.ResponseReceived, func(e network.EventResponseReceived) {
		if e.Type == network.ResourceTypeDocument && e.FrameID == t.frame {
			t.update(func() { t.main.response = e.Response })
		}
	})
}

// commit notes that another document is shown now.
func (m *mainFrame) commit(loader cdp.LoaderID, unreachable string) {
	m.loader, m.loaded, m.navigating, m.unreachable = loader, false, false, unreachable
}

// answerDialog says yes, so that the page goes on: nobody is there to ask.
func (t *tab) answerDialog(prompt string) {
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	_ = do(ctx, t.session, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{
		Accept: true, PromptText: prompt,
	}) // a dialog that is gone needs no answer
}

// answerWithin bounds replies that nobody waits for.
const answerWithin = 10 * time.Second
