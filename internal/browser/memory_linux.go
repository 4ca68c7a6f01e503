package browser

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

var errGone = errors.New("process is gone")

// processInfo is one row of the kernel's table.
type processInfo struct {
	pid, parent int
	memory      int64 // bytes that are its own
}

// processTable is the kernel's table at one moment, by parent.
type processTable map[int][]processInfo

// readProcesses takes a picture of all processes. Memory is what is resident
// and not shared: Chromium's processes map the same libraries.
func readProcesses() (processTable, error) {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	table := processTable{}
	for _, entry := range names {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue // ended meanwhile
		}
		parent, ok := parentOf(stat)
		if !ok {
			continue
		}
		table[parent] = append(table[parent], processInfo{pid: pid, parent: parent})
	}
	return table, nil
}

// parentOf reads the parent from a stat line: "pid (name) state parent …",
// where the name may hold anything, so the last bracket counts.
func parentOf(stat []byte) (int, bool) {
	_, after, found := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
	fields := strings.Fields(after)
	if !found || len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(fields[1])
	return parent, err == nil
}

// family is a process and all that descend from it, measured.
func (t processTable) family(root int) []processInfo {
	family := []processInfo{{pid: root}}
	for i := 0; i < len(family); i++ {
		family = append(family, t[family[i].pid]...)
	}
	for i := range family {
		family[i].memory = ownMemory(family[i].pid)
	}
	return family
}

func ownMemory(pid int) int64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 3 {
		return 0
	}
	resident, err1 := strconv.ParseInt(fields[1], 10, 64)
	shared, err2 := strconv.ParseInt(fields[2], 10, 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return (resident - shared) * int64(os.Getpagesize())
}

// isRenderer reports whether the process draws pages.
func (p processInfo) isRenderer() bool {
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.pid))
	return err == nil && bytes.Contains(cmdline, []byte("--type=renderer"))
}

func (p processInfo) kill() error {
	err := syscall.Kill(p.pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return errGone
	}
	return err
}
