package govbench

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// watchPeak begins to watch the memory of this process; the function it gives
// tells the most it has held since, in MiB. Where the system does not count
// that, it is what the runtime holds at the end.
func watchPeak() func() float64 {
	reset := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o600) // 5: forget the peak so far
	return func() float64 {
		if kib, ok := peakResident(); ok && reset == nil {
			return kib / 1024
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.Sys-m.HeapReleased) / (1 << 20)
	}
}

// peakResident reads the highest resident size in KiB.
func peakResident() (float64, bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kib, err == nil
		}
	}
	return 0, false
}
