package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func TestLostConnectionIsUnavailableAndRecovers(t *testing.T) {
	line := storetest.NewLine(t, storetest.Postgres(t))
	s := storetest.Open(t, line.Options)
	ctx := t.Context()
	if err := s.SetMeta(ctx, "before", "kept"); err != nil {
		t.Fatal(err)
	}
	listening, stop := context.WithCancel(ctx)
	heard := make(chan string, 100)
	var wg sync.WaitGroup
	wg.Go(func() { s.Listen(listening, func(text string) { heard <- text }) })
	defer wg.Wait()
	defer stop()
	<-heard

	line.Cut()
	for range 3 { // the pool may hold more than one dead connection
		if err := s.SetMeta(ctx, "during", "lost"); !store.Unavailable(err) {
			t.Errorf("SetMeta over a cut line = %v, want an error that says unavailable", err)
		}
	}
	line.Mend()
	if err := s.SetMeta(ctx, "after", "works"); err != nil {
		t.Errorf("SetMeta over a mended line = %v", err)
	}
	if got, err := s.Meta(ctx, "before"); got != "kept" || err != nil {
		t.Errorf("Meta = %q, %v, want what was committed", got, err)
	}
	select {
	case text := <-heard:
		if text != "" {
			t.Errorf("heard %q, want the empty text that says: you may have missed something", text)
		}
	case <-time.After(20 * time.Second):
		t.Error("the listener did not come back")
	}
}
