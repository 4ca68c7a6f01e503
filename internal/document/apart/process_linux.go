package apart

import "syscall"

// processAttr puts the child into a group of its own, which is killed as a
// whole, and has the kernel kill it when we are gone.
func processAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
