package browser

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// process is a Chromium we started. It talks through two pipes, so no port is
// open; when the pipes close, as they do when trawl dies in whatever way, it
// exits. Linux is also asked to kill it then (see dieWithParent).
type process struct {
	cmd       *exec.Cmd
	transport chromedp.Transport
	output    *tail
	exited    chan struct{}
}

// startProcess starts the browser and returns as soon as it runs; whether it
// speaks is for the first call to find out.
func startProcess(l launch) (*process, error) {
	if err := l.writePreferences(); err != nil {
		return nil, err
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open browser pipe: %w", err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		_, _ = theirIn.Close(), ourOut.Close() // nothing was written
		return nil, fmt.Errorf("open browser pipe: %w", err)
	}
	defer theirIn.Close()
	defer theirOut.Close()

	p := &process{output: new(tail), exited: make(chan struct{})}
	p.cmd = exec.Command(l.executable, l.flags()...)
	p.cmd.ExtraFiles = []*os.File{theirIn, theirOut} // become descriptors 3 and 4
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	p.cmd.WaitDelay = time.Second // children may hold the output open after its end
	dieWithParent(p.cmd)
	if err := p.start(); err != nil {
		_, _ = ourIn.Close(), ourOut.Close() // nothing was written
		return nil, fmt.Errorf("start browser: %w", err)
	}
	p.transport = chromedp.NewPipeConn(ourIn, patientWriter{ourOut})
	return p, nil
}

// start runs the command on a thread that lives as long as the browser does:
// the kernel's promise to kill a child is bound to the thread that made it.
func (p *process) start() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		_ = p.cmd.Wait() // how it ended does not matter; that it did does
		close(p.exited)
	}()
	return <-started
}

// stop closes the pipe, waits for the browser to end by itself, and kills what
// is left of its process group.
func (p *process) stop(grace time.Duration) {
	_ = p.transport.Close() // it may be closed already
	select {
	case <-p.exited:
	case <-time.After(grace):
	}
	killGroup(p.cmd)
	<-p.exited
}

// patientWriter bounds how long a browser may leave a command unread.
type patientWriter struct{ *os.File }

func (w patientWriter) Write(b []byte) (int, error) {
	if err := w.SetWriteDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return 0, err
	}
	return w.File.Write(b)
}

var _ io.WriteCloser = patientWriter{}

// tail keeps the last words of a browser, for the error when it does not start.
type tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

const tailSize = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Write(b)
	if over := t.buf.Len() - tailSize; over > 0 {
		t.buf.Next(over)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.buf.Bytes()))
}
