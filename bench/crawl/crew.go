package crawlbench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/bench/house"
	"github.com/trawlhq/trawl/client"
)

// crew is the servers of an arena: real processes that can be killed and started again.
type crew struct {
	*stage
	arena   arena
	dir     string
	victims []*victim
}

type victim struct {
	url string
	cmd *exec.Cmd
}

func (c *crew) start(ctx context.Context) error {
	c.victims = make([]*victim, len(c.arena.servers))
	for i := range c.victims {
		if err := c.revive(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// revive starts a server, on the port of its predecessor if it had one.
func (c *crew) revive(ctx context.Context, i int) error {
	log, err := os.OpenFile(filepath.Join(c.dir, "log-"+strconv.Itoa(i)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"serve", "--addr=127.0.0.1:0", "--data-dir=" + c.dataDir(), "--role=" + c.arena.servers[i], "--bootstrap-key=" + house.Key,
		"--allow-private-networks=true", "--gov-sync=off", "--max-browsers=" + strconv.Itoa(atOnce)}
	if c.arena.database != "" {
		args = append(args, "--database-url="+c.arena.database)
	}
	cmd := exec.CommandContext(ctx, c.trawl, args...)
	cmd.Env, cmd.Stderr = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir}, log
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	c.victims[i] = &victim{cmd: cmd}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if c.victims[i].url = serverAddress.FindString(lines.Text()); c.victims[i].url != "" {
			go func() { _, _ = io.Copy(io.Discard, stdout) }() // until it ends
			return nil
		}
	}
	return fmt.Errorf("server ended before it told its address, see %s", log.Name())
}

var serverAddress = regexp.MustCompile(`http://[0-9.:]+`)

// kill gives a server no chance to put anything in order.
func (v *victim) kill() error {
	err := v.cmd.Process.Kill()
	var exit *exec.ExitError
	if waited := v.cmd.Wait(); waited != nil && !errors.As(waited, &exit) {
		err = errors.Join(err, waited)
	}
	return err
}

func (c *crew) stop() error {
	var errs []error
	for _, v := range c.victims {
		if v != nil {
			errs = append(errs, v.kill())
		}
	}
	return errors.Join(errs...)
}

// status asks the first server, which may just be coming back.
func (c *crew) status(ctx context.Context, id string, part trawl.Window) (*trawl.CrawlStatus, error) {
	var last error
	for range 100 {
		api, err := client.New(client.Options{BaseURL: c.victims[0].url, Key: house.Key})
		if err != nil {
			return nil, err
		}
		status, err := api.CrawlStatus(ctx, id, part)
		if err == nil {
			return status, nil
		}
		last = err
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil, last
}
