package sim

import (
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// spot is where a fault that is counted rather than timed strikes: a machine, what of it, and which one. For a frame what is the receiver.
type spot struct {
	node, what, unit string
	n                uint64
}

// expect lays out the faults the plan names.
func (w *World) expect() {
	w.planned = map[spot]Fault{}
	for _, f := range w.plan.Faults {
		if f.Unit != "" {
			w.planned[spot{f.Node, f.What + f.To, f.Unit, f.N}] = f
			continue
		}
		w.after(f.At, func() { w.strike(f) })
	}
}

// due is the planned fault of a spot.
func (w *World) due(node, what, unit string, n uint64) (Fault, bool) {
	if !w.chaos || len(w.planned) == 0 {
		return Fault{}, false
	}
	f, ok := w.planned[spot{node, what, unit, n}]
	return f, ok
}

// happened keeps a fault that took effect.
func (w *World) happened(f Fault) {
	w.faults = append(w.faults, f)
	w.tell("** %v", f)
}

// since is the time since the start.
func (w *World) since() time.Duration { return w.now.Sub(w.start) }

// strike lets a timed fault happen.
func (w *World) strike(f Fault) {
	f.At = w.since()
	m := w.machineOf(f.Node)
	switch {
	case f.Kind == Cut && w.chaos:
		w.cut(f)
	case m == nil:
	case f.Kind == Skew:
		w.strikeSkew(m, f.For)
	case !w.chaos:
	case f.Kind == Crash || f.Kind == Power:
		m.crash(f)
	case f.Kind == Full || f.Kind == Fail:
		m.spoil(f)
	}
}

// strikeSkew moves a machine's clock.
func (w *World) strikeSkew(m *machine, by time.Duration) {
	m.skew += by
	w.happened(Fault{Kind: Skew, Node: m.name, At: w.since(), For: by})
}

// machineOf is the machine of a name, or nil.
func (w *World) machineOf(name string) *machine {
	for _, m := range w.machines {
		if m.name == name {
			return m
		}
	}
	return nil
}

// trouble starts what the plan's rates make go wrong for as long as the chaos lasts.
func (w *World) trouble() {
	if !w.chaos {
		return
	}
	if w.plan.Split > 0 {
		w.after(w.between(0, w.plan.Split, drawSplit, 0), func() { w.partition(1) })
	}
	if w.plan.Crash > 0 {
		w.after(w.between(0, 2*w.plan.Crash, drawCrash, 0), func() { w.crashOne(1) })
	}
	if w.plan.DiskFull || w.plan.DiskFail {
		w.after(w.between(time.Second, 3*time.Second, drawSpoil, 0), func() { w.spoilOne(1) })
	}
}

// partition cuts links, one way or both, until the next time.
func (w *World) partition(n uint64) {
	if !w.chaos {
		return
	}
	f := Fault{Kind: Cut, At: w.since(), For: w.between(w.plan.Split/2, 2*w.plan.Split, drawSplit, n, 0)}
	shape := w.draw(drawSplit, n, 1) % 3
	for i, a := range w.machines {
		for j, b := range w.machines {
			side := func(k int) uint64 { return w.draw(drawSplit, n, 2, uint64(k)) & 1 }
			apart := shape == 0 && side(i) != side(j)                                              // two groups
			single := shape == 1 && i != j && w.draw(drawSplit, n, 3, uint64(i), uint64(j))%3 == 0 // single links, one way
			if apart || single {
				f.Links = append(f.Links, Direction{a.name, b.name})
			}
		}
	}
	w.after(f.For, func() { w.partition(n + 1) })
	if len(f.Links) > 0 {
		w.cut(f)
	}
}

// cut cuts links for some time.
func (w *World) cut(f Fault) {
	w.happened(f)
	var cut [][2]int
	for _, l := range f.Links {
		if a, b := w.machineOf(l.From), w.machineOf(l.To); a != nil && b != nil {
			cut = append(cut, [2]int{a.index, b.index})
			w.severed[[2]int{a.index, b.index}]++
		}
	}
	w.after(f.For, func() {
		if !w.chaos {
			return
		}
		for _, l := range cut {
			w.severed[l]--
		}
	})
}

// crashOne crashes a machine: now, or inside one of its next writes.
func (w *World) crashOne(n uint64) {
	if !w.chaos {
		return
	}
	m := w.machines[w.draw(drawCrash, n, 0)%uint64(len(w.machines))]
	f := Fault{
		Kind: Crash, Node: m.name, At: w.since(), For: w.between(50*time.Millisecond, 3*time.Second, drawCrash, n, 1),
	}
	if w.plan.Power {
		f.Kind, f.Keep = Power, w.draw(drawCrash, n, 2)
	}
	if w.plan.Power && w.draw(drawCrash, n, 3)&1 == 0 {
		f.At, f.Unit, f.N = 0, "op", m.ops+1+w.draw(drawCrash, n, 4)%12
		m.fuse = f
	} else {
		m.crash(f)
	}
	w.after(w.between(w.plan.Crash/2, 2*w.plan.Crash, drawCrash, n, 5), func() { w.crashOne(n + 1) })
}

// spoilOne fills a disk up, or fails its syncs.
func (w *World) spoilOne(n uint64) {
	if !w.chaos {
		return
	}
	m := w.machines[w.draw(drawSpoil, n, 0)%uint64(len(w.machines))]
	f := Fault{Kind: Fail, Node: m.name, What: chainDisk, At: w.since()}
	if w.draw(drawSpoil, n, 1)&1 == 0 {
		f.What = journalDisk
	}
	if w.plan.DiskFull && (!w.plan.DiskFail || w.draw(drawSpoil, n, 2)&1 == 0) {
		f.Kind = Full
	}
	m.spoil(f)
	w.after(w.between(2*time.Second, 5*time.Second, drawSpoil, n, 3), func() { w.spoilOne(n + 1) })
}

// spoil fills a disk up or fails its syncs until the machine is repaired.
func (m *machine) spoil(f Fault) {
	m.w.happened(f)
	d := m.disk(f.What)
	if f.Kind == Full {
		d.Capacity = 1
	} else {
		d.FailSync = func(string) bool { return true }
	}
}

// disk is one of a machine's disks.
func (m *machine) disk(what string) *disk.Memory {
	switch what {
	case journalDisk:
		return m.journal.Memory
	case sharesDisk:
		return m.shares.Memory
	}
	return m.chain.Memory
}

// inject panics a subsystem: at a planned command, or now and then. A turn that is lost twice costs a transaction or stops a node, so chance leaves
// whoever runs turns alone.
func (l *life) inject(subsystem string, _ any) {
	m, w := l.m, l.m.w
	if !w.chaos || l.over {
		return
	}
	what := strings.TrimPrefix(subsystem, "node/")
	m.commands[what]++
	n := m.commands[what]
	f, ok := w.due(m.name, what, "command", n)
	if !ok {
		if w.plan.Panics == 0 || strings.HasPrefix(what, "core/pvm") || strings.HasPrefix(what, "core/system") ||
			!w.chance(w.plan.Panics, drawPanic, m.id, keyOf(what), n) {
			return
		}
		f = Fault{Kind: Panic, Node: m.name, What: what, Unit: "command", N: n}
	}
	w.happened(f)
	w.panics++
	w.note(m.index, what, nil)
	panic("injected")
}

// heal ends all trouble but the faulty validators'.
func (w *World) heal() {
	w.chaos = false
	clear(w.severed)
	w.tell("** the network heals")
	for _, m := range w.machines {
		m.fuse = Fault{}
		m.repair()
		m.boot()
	}
}
