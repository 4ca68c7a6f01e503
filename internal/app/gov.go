package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/format/markdown"
	"github.com/trawlhq/trawl/internal/gov"
)

// lawIndex is the government index, opened when it is first needed: a fresh one
// is given the finding list, which takes a moment nobody else should wait for.
type lawIndex struct {
	open    func() (*gov.Service, error)
	once    sync.Once
	started atomic.Bool
	ready   chan struct{} // closed once it is open, or could not be opened
	service *gov.Service
	err     error
}

// prepareGov says how the index is opened. A worker has none.
func (a *App) prepareGov(context.Context) error {
	if a.Settings.Role == "worker" {
		return nil
	}
	a.law = &lawIndex{ready: make(chan struct{}), open: func() (*gov.Service, error) {
		opts := gov.Options{Dir: filepath.Join(a.Settings.DataDir, "gov"), PDF: a.pdfText, Log: a.Log}
		if a.Settings.DatabaseURL != "" {
			opts.Share = &gov.Sharing{Store: a.Store, Blobs: a.Blobs}
		}
		return gov.Open(context.Background(), opts)
	}}
	a.onClose(a.law.close)
	return nil
}

// get opens the index if nobody has, and waits for it as long as ctx allows.
func (l *lawIndex) get(ctx context.Context) (*gov.Service, error) {
	l.once.Do(func() {
		l.started.Store(true)
		go func() {
			defer close(l.ready)
			l.service, l.err = l.open()
		}()
	})
	select {
	case <-l.ready:
		return l.service, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// isReady says whether get would not wait.
func (l *lawIndex) isReady() bool {
	select {
	case <-l.ready:
		return true
	default:
		return false
	}
}

// pdfText gives the text of a PDF among the publications.
func (a *App) pdfText(ctx context.Context, body []byte) (string, error) {
	doc, err := a.Engines.Readers.Read(ctx, document.Input{Body: body, ContentType: "application/pdf"})
	if err != nil {
		return "", err
	}
	return markdown.Convert(doc.Root, markdown.Options{}), nil
}

// closeWithin is how long closing waits for an index that is still being opened.
const closeWithin = 5 * time.Second

// close closes the index if anybody opened it.
func (l *lawIndex) close() error {
	if !l.started.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	service, err := l.get(ctx)
	if ctx.Err() != nil {
		return fmt.Errorf("close government index: it is still being opened: %w", err)
	}
	if err != nil {
		return nil // it never was open; who asked for it was told
	}
	return service.Close()
}

// Gov opens the government index.
func (a *App) Gov() (*gov.Service, error) {
	if a.law == nil {
		return nil, errors.New("a worker has no government index")
	}
	return a.law.get(context.Background())
}

// GovSearch implements trawl.GovSearcher on the index, once it is open.
func (a *App) GovSearch(ctx context.Context, req trawl.GovSearchRequest) (trawl.GovSearchResponse, error) {
	if a.law == nil { // the door of a worker does not lead here
		return trawl.GovSearchResponse{}, trawl.Errorf(trawl.Upstream, "Bad Gateway").WithCode("GOV_INDEX_ERROR")
	}
	waiting, cancel := context.WithTimeout(ctx, gov.AnswerWithin)
	defer cancel()
	service, err := a.law.get(waiting)
	switch {
	case err == nil:
		return service.GovSearch(ctx, req)
	case ctx.Err() != nil:
		return trawl.GovSearchResponse{}, ctx.Err()
	case waiting.Err() != nil:
		return trawl.GovSearchResponse{}, trawl.Errorf(trawl.UpstreamTimeout, "Gateway Timeout").WithCode("GOV_INDEX_TIMEOUT").Because(err)
	}
	return trawl.GovSearchResponse{}, trawl.Errorf(trawl.Upstream, "Bad Gateway").WithCode("GOV_INDEX_ERROR").Because(err)
}

// openGov opens the index in the background, gives the memory that took back,
// and then follows what other nodes publish.
func (a *App) openGov(ctx context.Context) error {
	if a.law == nil {
		return nil
	}
	law, err := a.law.get(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		a.Log.Error("government index not opened", "err", err)
		return nil
	}
	debug.FreeOSMemory()
	return law.Follow(ctx)
}

// GovClient is the guarded way to the official sources.
func (a *App) GovClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: a.Guard.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 15 * time.Second,
		ResponseHeaderTimeout: time.Minute, MaxIdleConnsPerHost: 2,
	}}
}

// How soon after the start the first texts are brought, and how soon again after a failure.
const (
	starterDelay = 30 * time.Second
	starterRetry = 6 * time.Hour
)

// starter brings the first full texts in the background, until they are there.
func (a *App) starter(ctx context.Context) error {
	if a.law == nil || a.Settings.GovSync != "on" {
		return nil
	}
	wait := starterDelay
	for {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil
		}
		if a.syncStarter(ctx) {
			return nil
		}
		wait = starterRetry
	}
}

// syncStarter tells whether nothing is left to bring.
func (a *App) syncStarter(ctx context.Context) bool {
	law, err := a.Gov()
	if err != nil {
		return true // it was told; trying again would change nothing
	}
	stats, err := law.Stats(ctx)
	if err != nil || stats.Documents > 0 {
		return err == nil
	}
	for _, source := range gov.StarterSources() {
		progress, err := law.Sync(ctx, source, gov.SyncOptions{Client: a.GovClient()})
		if err != nil {
			a.Log.InfoContext(ctx, "government source not reached, trying again later", "source", source, "err", err)
			return false
		}
		a.Log.InfoContext(ctx, "government source imported", "source", source, "units", progress.Units)
	}
	return true
}

// checkGov tells what is in the index.
func (a *App) checkGov(context.Context) (string, error) {
	if a.law == nil {
		return "none in this role", nil
	}
	if !a.law.isReady() {
		return "opening", nil
	}
	law, err := a.Gov()
	if err != nil {
		return "", err
	}
	documents, passages, err := law.Size()
	text := fmt.Sprintf("%d documents, %d passages", documents, passages)
	if n := law.Release(); n > 0 {
		text += fmt.Sprintf(", release %d", n)
	}
	return text, err
}
