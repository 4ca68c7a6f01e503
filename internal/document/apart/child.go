package apart

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/progress"
)

// Why a child was given up.
var (
	errMemory = errors.New("over the memory limit")
	errCPU    = errors.New("over the processor time limit")
)

// child is a process that reads files for us.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	exited chan struct{} // closed when the process is gone
	served int
	expiry *time.Timer
}

// start starts a child in a process group of its own, which dies with us.
func start(o Options) (*child, error) {
	cmd := exec.Command(o.Program, o.Args...)
	cmd.Env = append(inherited(), o.Env...)
	cmd.Env = append(cmd.Env, fmt.Sprintf("GOMEMLIMIT=%d", o.Memory/8*7)) // tidy up before it is too late
	cmd.SysProcAttr = processAttr()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start reader: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start reader: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start reader: %w", err)
	}
	c := &child{cmd: cmd, in: in, out: bufio.NewReader(out), exited: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is in ProcessState
		close(c.exited)
	}()
	return c, nil
}

// inherited is what a child needs of our environment: keys and the address of
// the database are none of its business.
func inherited() []string {
	var list []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TESSDATA_PREFIX"} {
		if value, ok := os.LookupEnv(name); ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// ask sends one file and waits for its document, for the end of ctx, or for the limits.
func (c *child) ask(ctx context.Context, q question, memory int64) (*document.Doc, error) {
	type heard struct {
		doc *document.Doc
		err error
	}
	done := make(chan heard, 1)
	go func() {
		var h heard
		if h.err = writeQuestion(c.in, q); h.err == nil {
			h.doc, h.err = readDoc(c.out, progress.Of(ctx))
		}
		done <- h
	}()
	watch := time.NewTicker(50 * time.Millisecond)
	defer watch.Stop()
	for {
		select {
		case h := <-done:
			if h.err != nil {
				return nil, c.obituary(h.err)
			}
			return h.doc, nil
		case <-watch.C:
			if used, err := c.memory(); err == nil && used > memory {
				return nil, errMemory
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// obituary finds out what a child that fell silent died of. One that refuses a
// file is well.
func (c *child) obituary(err error) error {
	var refused *failure
	if errors.As(err, &refused) {
		return err
	}
	select {
	case <-c.exited:
	case <-time.After(time.Second):
		return err
	}
	if c.cmd.ProcessState.ExitCode() == exitCPU {
		return errCPU
	}
	return fmt.Errorf("reader ended: %s: %w", c.cmd.ProcessState, err)
}

// kill ends the child and all it has started.
func (c *child) kill() {
	_ = syscall.Kill(-c.pid(), syscall.SIGKILL) // it may be gone already
	<-c.exited
}

// stop lets an idle child end by itself, and makes sure.
func (c *child) stop() {
	_ = c.in.Close()
	select {
	case <-c.exited:
	case <-time.After(2 * time.Second):
		c.kill()
	}
}
