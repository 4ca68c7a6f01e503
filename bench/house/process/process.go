// Package process runs real binaries for a measurement: built from the source at
// hand, each on a port and folder of its own, and gone when the measurement ends.
package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// Build compiles a command of this module as a release is compiled and gives
// the path of the binary, which lies in dir.
func Build(ctx context.Context, dir, command string) (string, error) {
	binary := filepath.Join(dir, filepath.Base(command))
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags", "-s -w", "-o", binary, "github.com/trawlhq/trawl/"+command)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", command, err, out)
	}
	return binary, nil
}

// Process is a server that runs.
type Process struct {
	URL string // base address, without a trailing slash
	cmd *exec.Cmd
	log *os.File
}

// stopTime is how long a server may take to stop when asked, before it is killed.
const stopTime = 10 * time.Second

// Start runs a server that prints its address as its first words of output, and
// returns as soon as it has. What it writes to standard error goes to the file
// named log: a server that logs into nothing would be measured too fast.
func Start(ctx context.Context, log, binary string, args ...string) (*Process, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, fmt.Errorf("keep log: %w", err)
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(log)} // no setting of ours reaches it by chance
	cmd.Dir, cmd.Stderr = filepath.Dir(log), file
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopTime
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", binary, err), file.Close())
	}
	p := &Process{cmd: cmd, log: file}
	if p.URL, err = address(stdout); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s, see %s: %w", binary, log, err), p.Stop())
	}
	return p, nil
}

var printed = regexp.MustCompile(`http://[0-9.:]+`)

// address waits for the line that tells where the server is. The rest of the
// output is short enough for the pipe to hold it.
func address(stdout io.Reader) (string, error) {
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if found := printed.FindString(lines.Text()); found != "" {
			return found, nil
		}
	}
	return "", errors.Join(errors.New("it ended before it told its address"), lines.Err())
}

// pollEvery is how often a server is asked whether it is ready.
const pollEvery = 2 * time.Millisecond

// Ready waits until /readyz answers 200.
func (p *Process) Ready(ctx context.Context) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if res, err := http.Get(p.URL + "/readyz"); err == nil {
			_ = res.Body.Close() // only its status counts
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", p.URL, ctx.Err())
		case <-tick.C:
		}
	}
}

// Stop ends the server: politely, then not.
func (p *Process) Stop() error {
	defer p.log.Close()
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	kill := time.AfterFunc(stopTime, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("stop %s: %w", p.cmd.Path, err)
	}
	return nil
}
