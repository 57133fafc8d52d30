package sim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/supervision"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// machine is a computer: its disks, its clock, and the node that runs on it.
type machine struct {
	w       *World
	index   int
	name    string
	rank    int // -1 for an observer
	kind    string
	conduct faulty.Conduct // nil: honest
	peer    link.Peer
	skew    time.Duration

	chain, journal *disk.Memory
	fuse           int // disk operations until the power goes; 0: it stays
	lives          int
	life           *life // nil while it is down
	parked         bool  // it stays down
	durable        unit.Height
}

// life is one run of a machine's node.
type life struct {
	m         *machine
	number    int
	node      *node.Node
	receiver  link.Receiver
	sequence  *supervision.Sequence
	busy      bool
	over      bool
	connected map[int]*life // by machine, as this node sees it
	order     []int         // of connected
}

func (w *World) addMachine(rank int, kind string) {
	m := &machine{
		w: w, index: len(w.machines), rank: rank, kind: kind, conduct: faulty.New(kind), chain: disk.NewMemory(), journal: disk.NewMemory(),
		skew: w.between(-w.plan.Skew, w.plan.Skew),
	}
	m.name = fmt.Sprintf("machine %d (rank %d)", m.index, rank)
	if kind != "" {
		m.name += " " + kind
	}
	binary.BigEndian.PutUint32(m.peer[:], uint32(m.index)+1)
	m.peer[31] = byte(m.index)
	w.machines = append(w.machines, m)
}

func (m *machine) honest() bool { return m.conduct == nil }

// boot starts the machine on what its disks hold.
func (m *machine) boot() {
	if m.life != nil || m.parked {
		return
	}
	w := m.w
	m.lives++
	w.note(m.index, "boot", nil)
	l := &life{m: m, number: m.lives, connected: map[int]*life{}}
	l.sequence = supervision.NewSequence(w.plan.Seed ^ uint64(m.index)<<32 ^ uint64(m.lives)<<40)
	m.life = l
	if err := l.open(); err != nil {
		if l.over {
			return // the power went while it started
		}
		m.broke(err)
		return
	}
	if m.honest() {
		w.chain.Reopened(m.name, m.durable)
	}
	l.node.Tree().Spawn()
	for _, o := range w.machines {
		if o != m && o.life != nil {
			w.after(w.between(time.Millisecond, 20*time.Millisecond), func() { connect(l, o.life) })
		}
	}
}

// broke takes a failure at the start.
func (m *machine) broke(err error) {
	m.life.over, m.life = true, nil
	if errors.Is(err, disk.ErrFull) || errors.Is(err, disk.ErrInjected) {
		m.repair()
		m.w.after(time.Second, m.boot)
		return
	}
	m.w.violation("%s does not start: %v", m.name, err)
}

// repair is what an operator does about a disk.
func (m *machine) repair() {
	for _, d := range []*disk.Memory{m.chain, m.journal} {
		d.Capacity, d.FailSync = 0, nil
	}
}

// open wires the node.
func (l *life) open() error {
	m, w := l.m, l.m.w
	kept, err := ledger.OpenDiskFrom(&powered{l, m.chain}, "", w.setup.first, store.Options{Window: store.WindowMin})
	if err != nil {
		return err
	}
	m.durable = kept.Header().Height
	n, err := node.New(node.Config{
		Genesis: w.setup.spec, Store: kept, Journal: &powered{l, m.journal}, Interval: w.plan.Interval, Timeouts: w.plan.Timeouts,
		Link: &port{life: l}, Committees: w.committees(m), Workers: 1, Cores: 1,
		NewRunner: func() drain.Runner { return host.New(host.NewPrograms()) },
		Accuse:    func(e *simplex.Evidence) { w.accuse(m, e) },
		Restarts:  supervision.Limit{Restarts: 1_000, Within: time.Minute},
		Supervision: supervision.Config{
			Clock: &clock{l}, Scheduler: l, Seed: w.plan.Seed ^ uint64(m.index), Inject: l.inject,
		},
	})
	if err != nil {
		return err
	}
	n.Ledger.Subscribe(l.finalized)
	l.node = n
	return nil
}

// Schedule implements supervision.Scheduler.
func (l *life) Schedule(in *supervision.Inbox) {
	l.sequence.Schedule(in)
	if !l.busy && !l.over {
		l.busy = true
		l.m.w.busy = append(l.m.w.busy, l)
	}
}

// finalized is told every durable block of the node, once it is durable.
func (l *life) finalized(f *ledger.Final) {
	m := l.m
	if l.over {
		return
	}
	m.durable = max(m.durable, f.Height())
	m.w.note(m.index, "final", f.Hash[:])
	if m.honest() {
		m.w.chain.Durable(m.name, f.Block, f.State.Root())
	}
}

// inject panics a subsystem now and then. A turn that is lost twice is meant to stop a node, so whoever runs turns is left alone.
func (l *life) inject(subsystem string, _ any) {
	w := l.m.w
	if !w.chaos || w.plan.Panics == 0 || strings.HasPrefix(subsystem, "node/core/pvm") || strings.HasPrefix(subsystem, "node/core/system") {
		return
	}
	if w.chance(w.plan.Panics) {
		w.panics++
		w.note(l.m.index, subsystem, nil)
		panic("injected")
	}
}

// looked sees to what a step may have led to: a node that stopped itself.
func (l *life) looked() {
	if l.over {
		return
	}
	select {
	case h := <-l.node.Halted():
		l.halted(h)
	default:
	}
}

// halted takes a node that stopped itself: over a disk it was right to, over anything else it is a violation.
func (l *life) halted(h supervision.Halt) {
	m, w := l.m, l.m.w
	w.note(m.index, "halt", []byte(h.Reason))
	disks := strings.Contains(h.Reason, disk.ErrInjected.Error()) || strings.Contains(h.Reason, disk.ErrFull.Error())
	if m.honest() && !disks {
		w.violation("%s halts: %s: %s", m.name, h.Subsystem, h.Reason)
	}
	l.end(nil)
	m.repair()
	if m.honest() || disks {
		w.after(w.between(100*time.Millisecond, 2*time.Second), m.boot)
	}
}

// crash stops the machine. With power its disks lose any part of what was not synced.
func (m *machine) crash() {
	if m.life == nil {
		return
	}
	m.w.crashes++
	var keep func(string, int) int
	if m.w.plan.Power {
		keep = func(_ string, length int) int { return m.w.rnd.IntN(length + 1) }
	}
	m.life.end(keep)
	m.w.after(m.w.between(50*time.Millisecond, 3*time.Second), m.boot)
}

// end is the last of a life.
func (l *life) end(keep func(string, int) int) {
	m, w := l.m, l.m.w
	w.note(m.index, "down", nil)
	l.seal()
	l.over, m.life = true, nil
	m.chain, m.journal, m.fuse = m.chain.Crash(keep), m.journal.Crash(keep), 0
	for _, i := range l.order {
		o := l.connected[i]
		w.after(w.between(time.Millisecond, 500*time.Millisecond), func() { o.lose(l) })
	}
}

// seal puts the life's schedule into the trace.
func (l *life) seal() {
	l.m.w.note(l.m.index, "schedule", binary.BigEndian.AppendUint64(nil, l.sequence.Trace()))
}

// standings tells where every machine is, for reports.
func (w *World) standings() string {
	var out []string
	for _, m := range w.machines {
		text := fmt.Sprintf("%s: durable %d", m.name, m.durable)
		if m.life == nil {
			text += ", down"
		} else if m.life.node != nil {
			s := m.life.node.Replica.Status()
			text += fmt.Sprintf(", %v leader %d certified %d final %d peers %d/%d", s.Round, s.Leader, s.Certified, s.Finalized, s.Known, s.Peers)
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}
