//go:build !linux

package browser

import "os/exec"

// dieWithParent has nothing to ask for here: the closing pipe alone ends the
// browser when trawl dies.
func dieWithParent(*exec.Cmd) {}

// killGroup ends the browser; its children follow when they notice.
func killGroup(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // already ended is what we want
}
