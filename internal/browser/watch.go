package browser

import (
	"errors"
	"fmt"
	"time"
)

// errTooHeavy says that a page's process took more memory than one may.
var errTooHeavy = fmt.Errorf("page used too much memory: %w", errCrashed)

// watchEvery is how often memory is looked at: a page can allocate about a
// gigabyte in that time.
const watchEvery = 250 * time.Millisecond

// watch keeps an eye on the browsers until the pool closes: it measures them,
// ends page processes that are out of hand, and closes browsers nobody uses.
func (p *Pool) watch() {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-p.life.Done():
			return
		case <-ticker.C:
			p.look()
		}
	}
}

func (p *Pool) look() {
	var snapshot processTable
	for _, s := range p.seats {
		b := s.sitting()
		if b == nil {
			continue
		}
		if b.isLost() || b.isIdle() {
			s.clear(b)
			continue
		}
		if b.process == nil || !b.isBusy() {
			continue
		}
		if snapshot == nil {
			var err error
			if snapshot, err = readProcesses(); err != nil {
				return // no such table here: recycling goes by pages and age
			}
		}
		p.weigh(b, snapshot)
	}
}

// weigh measures a browser and ends page processes that are too heavy. Its
// other pages go on.
func (p *Pool) weigh(b *lodger, processes processTable) {
	family := processes.family(b.process.cmd.Process.Pid)
	var total int64
	for _, member := range family {
		total += member.memory
		if member.memory < p.opts.PageMemory || !member.isRenderer() {
			continue
		}
		p.opts.Logger.Warn("page uses too much memory, ending it", "pid", member.pid, "bytes", member.memory)
		b.heavy.Store(true)
		if err := member.kill(); err != nil && !errors.Is(err, errGone) {
			p.opts.Logger.Warn("page process could not be ended", "pid", member.pid, "error", err)
		}
	}
	b.memory.Store(total)
}
