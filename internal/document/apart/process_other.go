//go:build !linux

package apart

import "syscall"

// processAttr puts the child into a group of its own. When we are gone it ends
// because its input does.
func processAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// memory is not measured here; the readers' own limits remain.
func (c *child) memory() (int64, error) { return 0, nil }
