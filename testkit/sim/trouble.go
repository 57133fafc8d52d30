package sim

import (
	"time"
)

// trouble starts what goes wrong for as long as the chaos lasts.
func (w *World) trouble() {
	if !w.chaos {
		return
	}
	if w.plan.Split > 0 {
		w.after(w.between(0, w.plan.Split), w.partition)
	}
	if w.plan.Crash > 0 {
		w.after(w.between(0, 2*w.plan.Crash), w.crashOne)
	}
	if w.plan.DiskFull || w.plan.DiskFail {
		w.after(w.between(time.Second, 3*time.Second), w.spoilDisk)
	}
}

// partition cuts links, one way or both, until the next time.
func (w *World) partition() {
	if !w.chaos {
		return
	}
	clear(w.severed)
	n := len(w.machines)
	switch w.rnd.IntN(3) {
	case 0: // two groups
		side := make([]bool, n)
		for i := range side {
			side[i] = w.rnd.IntN(2) == 0
		}
		for i := range n {
			for j := range n {
				w.severed[[2]int{i, j}] = side[i] != side[j]
			}
		}
	case 1: // single links, one way
		for i := range n {
			for j := range n {
				w.severed[[2]int{i, j}] = w.rnd.IntN(3) == 0
			}
		}
	}
	w.after(w.between(w.plan.Split/2, 2*w.plan.Split), w.partition)
}

// crashOne crashes a machine: now, or inside one of its next writes.
func (w *World) crashOne() {
	if !w.chaos {
		return
	}
	m := w.machines[w.rnd.IntN(len(w.machines))]
	if w.plan.Power && w.rnd.IntN(2) == 0 {
		m.fuse = 1 + w.rnd.IntN(12)
	} else {
		m.crash()
	}
	w.after(w.between(w.plan.Crash/2, 2*w.plan.Crash), w.crashOne)
}

// spoilDisk fills a disk up, or fails its next sync.
func (w *World) spoilDisk() {
	if !w.chaos {
		return
	}
	m := w.machines[w.rnd.IntN(len(w.machines))]
	d := m.chain
	if w.rnd.IntN(2) == 0 {
		d = m.journal
	}
	if w.plan.DiskFull && (!w.plan.DiskFail || w.rnd.IntN(2) == 0) {
		d.Capacity = 1
	} else {
		d.FailSync = func(string) bool { return true }
	}
	w.after(w.between(2*time.Second, 5*time.Second), w.spoilDisk)
}

// heal ends all trouble but the faulty validators'.
func (w *World) heal() {
	w.chaos = false
	clear(w.severed)
	for _, m := range w.machines {
		m.fuse = 0
		m.repair()
		m.boot()
	}
}
