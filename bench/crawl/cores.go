package crawlbench

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
)

// onTwoCores confines this process, and all it starts, to two processors: the
// site and a crawler share them. Where the machine has no more, nothing changes.
func onTwoCores() (release func() error, err error) {
	if runtime.NumCPU() <= 2 {
		return func() error { return nil }, nil
	}
	all := "0-" + strconv.Itoa(runtime.NumCPU()-1)
	return func() error { return confine(all) }, confine("0,1")
}

// confine binds every thread there is; later ones inherit it from the thread that starts them.
func confine(processors string) error {
	out, err := exec.Command("taskset", "--all-tasks", "--pid", "--cpu-list", processors, strconv.Itoa(os.Getpid())).CombinedOutput()
	if err != nil {
		return fmt.Errorf("bind to processors %s: %w: %s", processors, err, out)
	}
	return nil
}
