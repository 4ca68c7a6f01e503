package browser

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// victimVariable makes the test binary a server with a busy browser, to be
// killed: its value is the data folder.
const victimVariable = "TRAWL_BROWSER_TEST_VICTIM"

// beVictim renders a page that never ends, says so, and waits to be killed.
func beVictim() {
	p, err := Open(Options{Dial: new(net.Dialer).DialContext, DataDir: os.Getenv(victimVariable), MaxBrowsers: 1})
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<p>busy</p><script>setTimeout(() => { for (;;) {} }, 50)</script>`)
	}))
	go p.Render(context.Background(), Request{URL: "http://" + listener.Addr().String(), WaitFor: time.Hour})
	for p.Stats().Browsers == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("up")
	select {}
}

// browserGroup gives the process group of the browser that works in the
// folder: all its children are in it, whatever their command lines say.
func browserGroup(t *testing.T, dir string) (group int, found bool) {
	t.Helper()
	for pid, group := range processGroups(t) {
		cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && strings.Contains(string(cmdline), "--user-data-dir="+dir) {
			return group, true
		}
	}
	return 0, false
}

// processGroups gives the group of every living process.
func processGroups(t *testing.T) map[int]int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	groups := map[int]int{}
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // ended meanwhile
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // state parent group …
		pid, err1 := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		group, err2 := strconv.Atoi(fields[2])
		if err1 == nil && err2 == nil && fields[0] != "Z" {
			groups[pid] = group
		}
	}
	return groups
}

func members(t *testing.T, group int) (n int) {
	t.Helper()
	for _, g := range processGroups(t) {
		if g == group {
			n++
		}
	}
	return n
}

// eventually waits for a condition.
func eventually(t *testing.T, within time.Duration, holds func() bool) bool {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(within); time.Now().Before(end); <-tick.C {
		if holds() {
			return true
		}
	}
	return holds()
}

func TestNoBrowserOutlivesAKilledServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), victimVariable+"="+dir)
	out, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = victim.Process.Kill() }) // it is dead by then, unless the test failed
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "up\n" {
		t.Fatalf("victim said %q, %v", line, err)
	}
	group, found := browserGroup(t, dir)
	if !found || !eventually(t, patience, func() bool { return members(t, group) >= 4 }) {
		t.Fatalf("the victim has no browser with a page to lose (%v, %d processes)", found, members(t, group))
	}
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait() // killed, as it should be
	if !eventually(t, 5*time.Second, func() bool { return members(t, group) == 0 }) {
		t.Errorf("%d processes of the browser are still running", members(t, group))
	}

	left, err := filepath.Glob(filepath.Join(dir, "run-*"))
	if err != nil || len(left) == 0 {
		t.Fatalf("the victim left %v (%v), so nothing can be swept", left, err)
	}
	openPool(t, func(o *Options) { o.DataDir = dir })
	if left, err := filepath.Glob(filepath.Join(dir, "run-*")); err != nil || len(left) != 0 {
		t.Errorf("after the next start %v (%v) is left", left, err)
	}
}

func TestFoldersInUseAreNotSwept(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	used, err := newRunDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	defer used.remove()
	if err := os.MkdirAll(filepath.Join(parent, "run-stale", "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := sweepRunDirs(parent); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(used.path); err != nil {
		t.Errorf("a folder in use was swept: %v", err)
	}
	if _, err := os.Stat(filepath.Join(parent, "run-stale")); !os.IsNotExist(err) {
		t.Errorf("a stale folder was not swept: %v", err)
	}
}

// familyOf tells which processes the pool's browser has, by what they are for.
func familyOf(t *testing.T, p *Pool) []string {
	t.Helper()
	table, err := readProcesses()
	if err != nil {
		t.Fatal(err)
	}
	var family []string
	for _, member := range table.family(p.seats[0].sitting().process.cmd.Process.Pid) {
		family = append(family, dutyOf(member.pid))
	}
	return family
}

// dutyOf is what a browser's process is for, and how it does.
func dutyOf(pid int) string {
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return "gone"
	}
	duty := "browser"
	for _, arg := range strings.Split(string(cmdline), "\x00") {
		if name, value, _ := strings.Cut(arg, "="); name == "--type" || name == "--utility-sub-type" || name == "--renderer-client-id" {
			duty += " " + value
		}
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // gone: no state
	return duty + " " + string(stat)
}
