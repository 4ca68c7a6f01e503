package crawlbench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
)

// rival is another crawler, as a command that takes a start, a number of pages
// and how many to load at once.
type rival struct {
	name    string
	command []string
}

// rivalsDir is where they are kept, from the root of the repository, where bench is run.
const rivalsDir = "bench/rivals"

// findRivals builds those whose libraries can be had. One that cannot be is
// said to be missing; its floors are then not met. A quick run brings nothing
// from the network.
func findRivals(ctx context.Context, env suite.Env, dir string) (colly, crawlee *rival) {
	root, err := moduleRoot(ctx)
	if err != nil {
		fmt.Fprintf(env.Log, "crawl: compared with nobody: %v\n", err)
		return nil, nil
	}
	folder := filepath.Join(root, rivalsDir)
	if colly, err = buildColly(ctx, env, folder, dir); err != nil {
		fmt.Fprintf(env.Log, "crawl: not compared with Colly: %v\n", err)
	}
	if crawlee, err = findCrawlee(ctx, env, filepath.Join(folder, "crawlee")); err != nil {
		fmt.Fprintf(env.Log, "crawl: not compared with Crawlee: %v\n", err)
	}
	return colly, crawlee
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/trawlhq/trawl").Output()
	if err != nil {
		return "", fmt.Errorf("find the sources: %w", err)
	}
	return string(bytes.TrimSpace(out)), nil
}

func buildColly(ctx context.Context, env suite.Env, folder, dir string) (*rival, error) {
	binary := filepath.Join(dir, "colly")
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags", "-s -w", "-o", binary, "./colly")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "CGO_ENABLED=0")
	if env.Quick {
		cmd.Env = append(cmd.Env, "GOPROXY=off")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build: %w: %s", err, out)
	}
	return &rival{name: "colly", command: []string{binary}}, nil
}

func findCrawlee(ctx context.Context, env suite.Env, folder string) (*rival, error) {
	if env.Quick {
		return nil, errors.New("it takes longer to start than a quick run")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("bring its packages: %w: %s", err, out)
		}
	}
	return &rival{name: "crawlee", command: []string{"node", filepath.Join(folder, "crawl.js")}}, nil
}

// crawl runs the rival once.
func (r *rival) crawl(ctx context.Context, s *site, pages int) (lap, error) {
	sent := s.sent.Load()
	args := append(slices.Clone(r.command[1:]), s.URL, strconv.Itoa(pages), strconv.Itoa(atOnce))
	cmd := exec.CommandContext(ctx, r.command[0], args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return lap{}, fmt.Errorf("crawl with %s: %w: %s", r.name, err, stderr.String())
	}
	var said struct {
		Pages   int     `json:"pages"`
		Seconds float64 `json:"seconds"`
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &said); err != nil {
		return lap{}, fmt.Errorf("read what %s says: %w", r.name, err)
	}
	if said.Pages < pages*9/10 {
		return lap{}, fmt.Errorf("%s brought only %d of %d pages", r.name, said.Pages, pages)
	}
	l := lap{pages: said.Pages, took: time.Duration(said.Seconds * float64(time.Second)), sent: s.sent.Load() - sent}
	l.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		l.memory = used.Maxrss << 10
	}
	return l, nil
}
