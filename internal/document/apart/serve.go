package apart

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/progress"
)

// exitCPU is the exit code of a child that used up its processor time.
const exitCPU = 42

// Serve is the child's side: it reads files from in and answers on out until in
// ends. Nothing else may be written to out.
func Serve(ctx context.Context, in io.Reader, out io.Writer, readers document.Readers) error {
	watchCPU()
	hear, say := bufio.NewReader(in), bufio.NewWriter(out)
	for {
		q, err := readQuestion(hear)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("hear question: %w", err)
		}
		if err := limitCPU(q.CPU); err != nil {
			return err
		}
		if err := answerTo(ctx, q, readers, say); err != nil {
			return fmt.Errorf("say answer: %w", err)
		}
	}
}

// deadlineGrace keeps a child from giving up before it is killed: readers plan
// with the deadline, but who is late is told so by the parent.
const deadlineGrace = time.Second

// answerTo has a file read and says what became of it. The error is about the
// talk, not about the file.
func answerTo(ctx context.Context, q question, readers document.Readers, say *bufio.Writer) error {
	ctx, cancel := context.WithDeadline(ctx, q.Deadline.Add(deadlineGrace))
	defer cancel()
	ctx, quiet := tellProgress(ctx, say)
	doc, err := readers.Read(ctx, q.Input)
	quiet()
	if err == nil {
		err = writeDoc(say, doc)
	}
	if err != nil {
		err = writeGob(say, frameAnswer, answer{Failure: failureOf(err)})
	}
	return errors.Join(err, say.Flush())
}

// tellProgress has the readers of a context tell the parent how far they are. After
// quiet nothing more is told: a reader that gave up may have left something running.
func tellProgress(ctx context.Context, say *bufio.Writer) (_ context.Context, quiet func()) {
	var mu sync.Mutex
	silent := false
	tell := func(done, all int) {
		mu.Lock()
		defer mu.Unlock()
		if silent {
			return
		}
		if writeProgress(say, done, all) != nil || say.Flush() != nil {
			silent = true // the parent is gone; the answer will say so
		}
	}
	return progress.With(ctx, tell), func() {
		mu.Lock()
		defer mu.Unlock()
		silent = true
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
