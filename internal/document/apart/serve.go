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
		a, err := answerTo(ctx, q, readers)
		if err != nil {
			a = answer{Failure: failureOf(err)}
		}
		if err := say.Encode(a); err != nil {
			return fmt.Errorf("say answer: %w", err)
		}
	}
}

// deadlineGrace keeps a child from giving up before it is killed: readers plan
// with the deadline, but who is late is told so by the parent.
const deadlineGrace = time.Second

func answerTo(ctx context.Context, q question, readers document.Readers) (answer, error) {
	ctx, cancel := context.WithDeadline(ctx, q.Deadline.Add(deadlineGrace))
	defer cancel()
	return answerOf(readers.Read(ctx, q.Input))
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
