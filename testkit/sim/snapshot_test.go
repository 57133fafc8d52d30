package sim

import (
	"flag"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var snapshots = flag.Int("snapshots", 2, "seeds of TestSnapshots")

// snapshotPlan is a network with short epochs, one of whose validators lies about blocks and states, and whose frames are lost and processes killed while
// a machine that lost its disk comes back.
func snapshotPlan(seed uint64) Plan {
	p := PlanOf(seed)
	p.Validators, p.Observers, p.Clients, p.Interval, p.Epoch, p.Snapshot = 4, 1, 2, 50*time.Millisecond, 16, 24
	p.Faulty = map[uint32]string{uint32(seed % 4): "liar"}
	p.Delay = [2]time.Duration{time.Millisecond, 15 * time.Millisecond}
	p.Loss, p.Dup, p.Split, p.Skew, p.Panics = 0.02, 0.02, 0, 0, 0.0005
	p.Crash, p.Power, p.DiskFull, p.DiskFail, p.Chaos = 1500*time.Millisecond, true, seed%3 == 0, seed%3 == 1, time.Hour
	return p
}

// TestSnapshots wipes a machine's disk in the middle of a chain and lets it come back by a snapshot while power fails inside its writes, disks fill up,
// subsystems panic and one server lies: nobody honest is reported, every block has the root it has everywhere, and the machine gets to where the others are.
//
// Spec: commonware §5.7, §7; WP "Storage and State Persistence".
func TestSnapshots(t *testing.T) {
	taken := 0
	for seed := range uint64(*snapshots) {
		w, err := NewWorld(snapshotPlan(seed))
		if err != nil {
			t.Fatal(err)
		}
		m := w.machines[4]
		reached := func(h unit.Height) func() bool { return func() bool { return w.chain.Height() >= h } }
		w.RunUntil(time.Hour, reached(10))
		m.parked = true
		if m.life != nil {
			m.life.end(nil)
		}
		w.RunUntil(time.Hour, reached(50))
		m.wipe()
		m.parked = false
		m.boot()
		w.RunUntil(time.Hour, reached(w.chain.Height()+50))
		w.heal()
		target := w.chain.Height() + 10
		if !w.RunUntil(w.now.Sub(w.start)+5*time.Minute, func() bool { return w.lowest() >= target }) {
			t.Errorf("seed %d: no progress to height %d: %s", seed, target, w.standings())
		}
		for _, v := range w.chain.Wrong {
			t.Errorf("seed %d: %s", seed, v)
		}
		if first := m.life.node.Ledger.First(); first > 0 {
			taken++
		}
		t.Logf("seed %d: %s", seed, w.standings())
	}
	if taken < *snapshots*3/4 {
		t.Errorf("%d of %d came back by a snapshot", taken, *snapshots)
	}
}

// wipe empties a machine's chain disk; what it signed stays known.
func (m *machine) wipe() {
	m.chain.Memory = disk.NewMemory()
	m.durable = 0
	m.w.chain.Wiped(m.name)
}

// TestSnapshotTwice plays a plan twice to the same trace.
//
// Spec: commonware §7 (a run is a function of its seed).
func TestSnapshotTwice(t *testing.T) {
	var traces []uint64
	for range 2 {
		w, err := NewWorld(snapshotPlan(3))
		if err != nil {
			t.Fatal(err)
		}
		w.RunUntil(time.Hour, func() bool { return w.chain.Height() >= 26 })
		if m := w.machines[4]; m.life != nil {
			m.life.end(nil)
		}
		w.machines[4].wipe()
		w.machines[4].boot()
		w.RunUntil(time.Hour, func() bool { return w.chain.Height() >= 45 })
		traces = append(traces, w.result().Trace)
	}
	if traces[0] != traces[1] {
		t.Errorf("traces %x and %x", traces[0], traces[1])
	}
}
