package apart

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/trawlhq/trawl/internal/document"
)

// exitCPU is the exit code of a child that used up its processor time.
const exitCPU = 42

// Serve is the child's side: it reads files from in and answers on out until in
// ends. Nothing else may be written to out.
func Serve(ctx context.Context, in io.Reader, out io.Writer, readers document.Readers) error {
	watchCPU()
	hear, say := gob.NewDecoder(in), gob.NewEncoder(out)
	for {
		var q question
		err := hear.Decode(&q)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("hear question: %w", err)
		}
		if err := limitCPU(q.CPU); err != nil {
			return err
		}
		doc, err := readers.Read(ctx, q.Input)
		a, err := answerOf(doc, err)
		if err != nil {
			a = answer{Failure: failureOf(err)}
		}
		if err := say.Encode(a); err != nil {
			return fmt.Errorf("say answer: %w", err)
		}
	}
}

// watchCPU ends the process with a code of its own when its processor time is used up.
func watchCPU() {
	spent := make(chan os.Signal, 1)
	signal.Notify(spent, syscall.SIGXCPU)
	go func() {
		<-spent
		os.Exit(exitCPU)
	}()
}

// limitCPU gives the next document this much processor time from now on.
func limitCPU(d time.Duration) error {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return fmt.Errorf("read processor time: %w", err)
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CPU, &limit); err != nil {
		return fmt.Errorf("read limit of processor time: %w", err)
	}
	limit.Cur = min(uint64(used.Utime.Sec+used.Stime.Sec)+uint64(d.Seconds())+1, limit.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &limit); err != nil {
		return fmt.Errorf("limit processor time: %w", err)
	}
	return nil
}
