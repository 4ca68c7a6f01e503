package apart

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// memory gives the resident bytes of the child and the programs it has started.
func (c *child) memory() (int64, error) {
	total, err := residentOf(c.pid())
	if err != nil {
		return 0, err
	}
	children, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", c.pid()))
	if err != nil {
		return total, nil
	}
	for _, file := range children {
		list, err := os.ReadFile(file)
		if err != nil {
			continue // that thread has ended
		}
		for _, field := range bytes.Fields(list) {
			if pid, err := strconv.Atoi(string(field)); err == nil {
				used, _ := residentOf(pid) // it may have ended meanwhile
				total += used
			}
		}
	}
	return total, nil
}

func residentOf(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0, fmt.Errorf("read memory of process %d: %q", pid, text)
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize()), err
}
