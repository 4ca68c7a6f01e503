package browser

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes the kernel kill the browser when trawl dies, even by
// SIGKILL, and puts its children into one group.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup ends the browser and all its children.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // an empty group is what we want
}
