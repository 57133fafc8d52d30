package sim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/supervision"
	"github.com/cowboyinc/cowboy-go/testkit/check"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// machine is a computer: its disks, its clock, and the node that runs on it.
type machine struct {
	w       *World
	index   int
	id      uint64 // of the name, for draws
	name    string
	rank    int                   // in the first set, or -1
	keys    *genesis.DevValidator // nil for an observer
	public  *sig.BLSPublicKey     // of the voting key, once somebody asked
	signed  *check.Signed         // of whoever votes; twins have one
	kind    string
	conduct faulty.Conduct // nil: honest
	peer    link.Peer
	skew    time.Duration
	rnd     *rand.Rand // of the conduct
	pilot   *pilot

	chain, journal *simDisk
	shares         *simDisk
	ops            uint64 // disk operations
	fuse           Fault  // the operation at which chance cuts the power
	commands       map[string]uint64
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
	busy      bool // it is among the world's busy ones, or pauses
	over      bool
	connected map[int]*life // by machine, as this node sees it
	order     []int         // of connected
}

func (w *World) addMachine(name string, rank int, kind string) *machine {
	m := &machine{
		w: w, index: len(w.machines), id: keyOf(name), name: name, rank: rank, kind: kind, conduct: faulty.New(kind), commands: map[string]uint64{},
	}
	m.chain, m.journal, m.pilot = m.newDisk(chainDisk), m.newDisk(journalDisk), newPilot(m, &w.plan.Schedule)
	m.shares = m.newDisk(sharesDisk)
	if rank >= 0 {
		m.keys, m.signed = &w.setup.keys[rank], w.signed[rank]
	}
	m.rnd = rand.New(rand.NewPCG(w.draw(drawConduct, m.id), 0x51))
	if w.plan.Skew > 0 {
		w.strikeSkew(m, w.between(-w.plan.Skew, w.plan.Skew, drawSkew, m.id))
	}
	binary.BigEndian.PutUint32(m.peer[:], uint32(m.index)+1)
	m.peer[31] = byte(m.index)
	w.machines = append(w.machines, m)
	return m
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
	w.tell("%s boots on height %d", m.name, m.durable)
	l := &life{m: m, number: m.lives, connected: map[int]*life{}}
	m.pilot.boot()
	l.sequence = supervision.NewOrdered(m.pilot, l.seen())
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
			w.after(w.between(time.Millisecond, 20*time.Millisecond, drawConnect, m.id, uint64(m.lives), o.id), func() { connect(l, o.life) })
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
	for _, d := range []*simDisk{m.chain, m.journal, m.shares} {
		d.Capacity, d.FailSync = 0, nil
	}
}

// open wires the node.
func (l *life) open() error {
	m, w := l.m, l.m.w
	kept, err := ledger.OpenDiskFrom(&powered{m.chain, l}, "", w.setup.first, store.Options{Window: store.WindowMin})
	if err != nil {
		return err
	}
	m.durable = kept.Header().Height
	for h := w.chain.Height() + 1; m.honest() && h <= m.durable; h++ { // all of it arrived as the power went, and nobody was told
		b, err := kept.Block(h)
		if err != nil {
			return err
		}
		w.chain.Durable(m.name, b, b.Header.StateRoot)
	}
	var validator node.Validator
	if m.keys != nil {
		validator = node.Validator{Vote: m.keys.Vote, Share: m.keys.Share, Account: m.keys.Account}
	}
	n, err := node.New(node.Config{
		Genesis: w.setup.spec, Validator: validator, Store: kept, Journal: &powered{m.journal, l}, Shares: &powered{m.shares, l},
		Interval: w.plan.Interval, Timeouts: w.plan.Timeouts, Snapshot: unit.Height(w.plan.Snapshot),
		Link: &port{life: l}, Committees: w.committees(m), Workers: 1 + min(len(w.plan.Slow), 1), Cores: 1, Budget: w.plan.Budget, Perform: l.slowed(),
		NewRunner:   func() drain.Runner { return &fragile{w, host.New(host.NewPrograms())} },
		Accuse:      func(e *simplex.Evidence) { w.accuse(m, e) },
		BadProposal: func(s *replica.BadProposal) { w.suspects(m, s) },
		Disputed:    func(a *simplex.Accusation) { w.disputes(m, a) },
		Restarts:    supervision.Limit{Restarts: 1_000, Within: time.Minute},
		Supervision: supervision.Config{
			Clock: &clock{l}, Scheduler: l, System: w.system, Seed: w.plan.Seed ^ m.id, Inject: l.inject,
		},
		Intake: w.plant,
	})
	if err != nil {
		return err
	}
	n.Ledger.Subscribe(l.finalized)
	l.node = n
	return nil
}

// slowed stands before the workers of a network with slow actors.
func (l *life) slowed() func(executor.Performer) executor.Performer {
	if len(l.m.w.plan.Slow) == 0 {
		return nil
	}
	return func(to executor.Performer) executor.Performer { return &sluggish{life: l, to: to} }
}

// fragile is a machine that breaks over the turns its world says.
type fragile struct {
	w  *World
	to drain.Runner
}

// Run implements drain.Runner.
func (f *fragile) Run(t *drain.Turn) (drain.Outcome, error) {
	if f.w.breaks != nil && f.w.breaks(t) {
		panic("this turn breaks the machine")
	}
	return f.to.Run(t)
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
	w.tell("%s halts: %s: %s", m.name, h.Subsystem, h.Reason)
	disks := strings.Contains(h.Reason, disk.ErrInjected.Error()) || strings.Contains(h.Reason, disk.ErrFull.Error())
	if m.honest() && !disks {
		w.violation("%s halts: %s: %s", m.name, h.Subsystem, h.Reason)
	}
	l.end(nil)
	m.repair()
	if m.honest() || disks {
		w.after(w.between(100*time.Millisecond, 2*time.Second, drawHalt, m.id, uint64(m.lives)), m.boot)
	}
}

// crash stops the machine, in the way the fault says.
func (m *machine) crash(f Fault) {
	if m.life == nil {
		return
	}
	m.w.crashes++
	m.w.happened(f)
	m.life.end(f.keep())
	m.w.after(f.For, m.boot)
}

// end is the last of a life.
func (l *life) end(keep func(string, int) int) {
	m, w := l.m, l.m.w
	w.note(m.index, "down", nil)
	l.seal()
	l.over, m.life = true, nil
	m.chain.Memory, m.journal.Memory, m.shares.Memory, m.fuse = m.chain.Crash(keep), m.journal.Crash(keep), m.shares.Crash(keep), Fault{}
	for _, i := range l.order {
		o := l.connected[i]
		w.after(w.between(time.Millisecond, 500*time.Millisecond, drawLost, m.id, uint64(m.lives), o.m.id), func() { o.lose(l) })
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
