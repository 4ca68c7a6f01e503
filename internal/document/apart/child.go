package apart

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
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
	say    *gob.Encoder
	hear   *gob.Decoder
	exited chan struct{} // closed when the process is gone
	served int
	expiry *time.Timer
}

// start starts a child in a process group of its own, which dies with us.
func start(o Options) (*child, error) {
	cmd := exec.Command(o.Program, o.Args...)
	cmd.Env = append(inherited(), o.Env...)
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
	c := &child{cmd: cmd, in: in, say: gob.NewEncoder(in), hear: gob.NewDecoder(out), exited: make(chan struct{})}
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
func (c *child) ask(ctx context.Context, q question, memory int64) (answer, error) {
	type heard struct {
		answer answer
		err    error
	}
	done := make(chan heard, 1)
	go func() {
		var h heard
		if h.err = c.say.Encode(q); h.err == nil {
			h.err = c.hear.Decode(&h.answer)
		}
		done <- h
	}()
	watch := time.NewTicker(50 * time.Millisecond)
	defer watch.Stop()
	for {
		select {
		case h := <-done:
			if h.err != nil {
				return answer{}, c.obituary(h.err)
			}
			return h.answer, nil
		case <-watch.C:
			if used, err := c.memory(); err == nil && used > memory {
				return answer{}, errMemory
			}
		case <-ctx.Done():
			return answer{}, ctx.Err()
		}
	}
}

// obituary finds out what a child that fell silent died of.
func (c *child) obituary(err error) error {
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
