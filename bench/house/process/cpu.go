package process

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit in which Linux tells processor time to programs, on every
// machine Go runs on.
const tick = 10 * time.Millisecond

// CPU gives the processor time a server has used so far; Linux only. On a
// machine that others use, too, it says more than the clock on the wall.
func (p *Process) CPU() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("read processor time: %w", err)
	}
	return processorTime(string(text))
}

// OwnCPU gives the processor time of this very process.
func OwnCPU() (time.Duration, error) {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, fmt.Errorf("read processor time: %w", err)
	}
	return processorTime(string(text))
}

// processorTime reads the 14th and 15th field. The second one is the name of
// the program in brackets and may hold anything.
func processorTime(stat string) (time.Duration, error) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0, errors.New("read processor time: the line is too short")
	}
	user, err := strconv.ParseInt(fields[11], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read processor time: %w", err)
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read processor time: %w", err)
	}
	return time.Duration(user+system) * tick, nil
}
