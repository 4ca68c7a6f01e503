package process

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory is what a process takes of the machine's memory, in bytes.
type Memory struct {
	Resident     int64 // all its pages in memory
	Proportional int64 // the same, with pages that several processes share divided among them
}

// Memory reads it from the kernel; Linux only.
func (p *Process) Memory() (Memory, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", p.cmd.Process.Pid))
	if err != nil {
		return Memory{}, fmt.Errorf("read memory of a process: %w", err)
	}
	defer f.Close()
	var m Memory
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		switch name {
		case "Rss":
			m.Resident, err = kilobytes(rest)
		case "Pss":
			m.Proportional, err = kilobytes(rest)
		}
		if err != nil {
			return Memory{}, err
		}
	}
	if m.Resident == 0 && lines.Err() == nil {
		return Memory{}, fmt.Errorf("read memory of a process: the kernel tells none")
	}
	return m, lines.Err()
}

func kilobytes(text string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(text), " kB"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read memory of a process: %w", err)
	}
	return n << 10, nil
}

// ForgetPeak makes Peak count from now on.
func (p *Process) ForgetPeak() error {
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0); err != nil {
		return fmt.Errorf("reset memory peak of a process: %w", err)
	}
	return nil
}

// Peak is the most memory it had resident at once, in bytes.
func (p *Process) Peak() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("read memory peak of a process: %w", err)
	}
	for line := range strings.Lines(string(status)) {
		if peak, found := strings.CutPrefix(line, "VmHWM:"); found {
			return kilobytes(strings.TrimSpace(peak))
		}
	}
	return 0, fmt.Errorf("read memory peak of a process: the kernel tells none")
}
