//go:build !linux

package browser

import "errors"

var errGone = errors.New("process is gone")

// processInfo is one process; here nothing is known about it.
type processInfo struct {
	pid    int
	memory int64
}

// processTable is empty on systems whose table we cannot read.
type processTable []processInfo

func readProcesses() (processTable, error) {
	return nil, errors.New("process memory is only read on Linux")
}

func (processTable) family(int) []processInfo { return nil }
func (processInfo) isRenderer() bool          { return false }
func (processInfo) kill() error               { return errGone }
