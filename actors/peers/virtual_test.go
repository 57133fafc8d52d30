package peers_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/peers"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// air is a network of one goroutine: everything that happens later is a deadline of a virtual clock.
type air struct {
	clock  *supervision.VirtualClock
	random *rand.Rand
	radios map[netip.AddrPort]*radio
	cut    func(a, b *radio) bool

	prepare func(i int, r *radio) // is shown each radio that is made
}

// radio is one node's Network.
type radio struct {
	air     *air
	key     transport.Key
	at      netip.AddrPort
	host    transport.Handler
	conns   []transport.Peer // by identity
	blocked map[transport.ID]time.Time
	closed  bool
	open    bool                                    // it listens at all addresses of its machine
	twist   func(frame []byte) []byte               // what a liar does to its discovery frames
	watch   func(to transport.ID, discovery []byte) // what it sends is shown to
}

var _ peers.Network = (*radio)(nil)

func (a *air) later(f func()) {
	a.clock.AfterFunc(time.Duration(1+a.random.IntN(40))*time.Millisecond, f)
}

func (a *air) node(id transport.ID) *radio {
	for _, r := range a.radios { // at most one has it
		if r.key.ID() == id && !r.closed {
			return r
		}
	}
	return nil
}

func (r *radio) Self() transport.ID { return r.key.ID() }
func (r *radio) Address() netip.AddrPort {
	if r.open {
		return netip.AddrPortFrom(netip.IPv4Unspecified(), r.at.Port())
	}
	return r.at
}
func (r *radio) Peers() []transport.Peer                              { return r.conns }
func (r *radio) Block(id transport.ID, until time.Time)               { r.blocked[id] = until }
func (r *radio) Tallies() (t [transport.ChannelCount]transport.Tally) { return t }

func (r *radio) find(id transport.ID) (int, bool) {
	return slices.BinarySearchFunc(r.conns, id, func(p transport.Peer, id transport.ID) int { return p.ID.Compare(id) })
}

func (r *radio) Send(to transport.ID, c transport.Channel, frame []byte) transport.Outcome {
	if _, ok := r.find(to); !ok {
		return transport.Absent
	}
	if c == transport.Discovery && r.twist != nil {
		frame = r.twist(frame)
	}
	if c == transport.Discovery && r.watch != nil {
		r.watch(to, frame)
	}
	r.air.clock.AfterFunc(5*time.Millisecond, func() { // the same for all: a channel keeps its order
		if other := r.air.node(to); other != nil && !r.air.cut(r, other) {
			if _, ok := other.find(r.Self()); ok {
				other.host.Receive(&transport.Frame{From: r.Self(), Channel: c, Data: frame})
			}
		}
	})
	return transport.Queued
}

func (r *radio) Dial(target transport.Target) {
	r.air.later(func() {
		if r.closed {
			return
		}
		if why := r.connect(target); why != nil {
			r.host.Failed(target, why)
		}
	})
}

func (r *radio) connect(target transport.Target) error {
	other := r.air.radios[target.Address]
	if other == nil || other.closed || r.air.cut(r, other) {
		return transport.ErrTimeout
	}
	if other.Self() != target.ID {
		return transport.ErrIdentity
	}
	if r.air.clock.Now().Before(other.blocked[r.Self()]) || r.air.clock.Now().Before(r.blocked[other.Self()]) {
		return transport.ErrBlocked
	}
	if i, ok := r.find(other.Self()); ok {
		if r.conns[i].Purpose == target.Purpose || target.Purpose == transport.Lookup {
			return transport.ErrDuplicate
		}
		r.part(other, transport.ErrDuplicate)
	}
	r.join(other, target.Purpose, false)
	other.join(r, target.Purpose, true)
	return nil
}

func (r *radio) join(other *radio, purpose transport.Purpose, inbound bool) {
	p := transport.Peer{
		ID: other.Self(), Key: other.key.Public(), Address: other.at, Listen: other.at.Port(), Inbound: inbound, Purpose: purpose, Version: transport.Version,
	}
	i, _ := r.find(p.ID)
	r.conns = slices.Insert(slices.Clone(r.conns), i, p)
	r.host.Up(p)
}

// part ends the connection of two nodes for both.
func (r *radio) part(other *radio, why error) {
	for _, pair := range [][2]*radio{{r, other}, {other, r}} {
		if i, ok := pair[0].find(pair[1].Self()); ok {
			p := pair[0].conns[i]
			pair[0].conns = slices.Delete(slices.Clone(pair[0].conns), i, i+1)
			pair[0].host.Down(p, why)
		}
	}
}

func (r *radio) Drop(id transport.ID, why *transport.Refusal) {
	r.air.later(func() {
		i, ok := r.find(id)
		if other := r.air.node(id); ok && other != nil && (why.Code != transport.CodeDone || r.conns[i].Purpose == transport.Lookup) {
			r.part(other, why)
		}
	})
}

func (r *radio) Close() error {
	for _, p := range r.conns {
		if other := r.air.node(p.ID); other != nil {
			r.part(other, transport.ErrClosing)
		}
	}
	r.closed = true
	return nil
}

// world is n production subsystems on one goroutine.
type world struct {
	air       *air
	scheduler *supervision.Sequence
	members   []*member
	radios    []*radio
}

func newWorld(t *testing.T, n int, seed uint64) *world {
	boot := []transport.Target{{ID: testKey("virtual 0").ID(), Address: virtualAt(0)}}
	return newWorldOf(t, n, seed, func(int, *peers.Subsystem) {}, boot)
}

func virtualAt(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), 3000)
}

// newWorldOf makes a world whose subsystems are changed before they start.
func newWorldOf(t *testing.T, n int, seed uint64, change func(int, *peers.Subsystem), boot []transport.Target) *world {
	t.Helper()
	clock := supervision.NewVirtualClock(time.Unix(1_700_000_000, 0))
	w := &world{
		air: &air{clock: clock, random: rand.New(rand.NewPCG(seed, 3)), radios: map[netip.AddrPort]*radio{},
			cut: func(_, _ *radio) bool { return false }},
		scheduler: supervision.NewSequence(seed), radios: make([]*radio, n),
	}
	for i := range n {
		key := testKey(fmt.Sprintf("virtual %d", i))
		m := &member{Handle: peers.NewHandle(key), name: fmt.Sprint(i)}
		tree, err := supervision.New(supervision.Spec{
			Name: "network", Strategy: supervision.AllForOne, Limit: supervision.Limit{Restarts: 5, Within: time.Minute},
			Children: []supervision.Spec{{Name: "peers", Inbox: m.Inbox(), New: func() actor.Actor {
				s := &peers.Subsystem{
					Handle: m.Handle, Clock: clock, Observe: m.observe, Boot: boot, Book: book.Config{Seed: seed + uint64(i), Outbound: 3},
					Transport: transport.Config{Key: key, Network: "test"},
					Listen: func(_ transport.Config, h transport.Handler) (peers.Network, error) {
						r := &radio{air: w.air, key: key, at: virtualAt(i), host: h, blocked: map[transport.ID]time.Time{}}
						if prepare := w.air.prepare; prepare != nil {
							prepare(i, r)
						}
						w.air.radios[r.at], w.radios[i] = r, r
						return r, nil
					},
				}
				change(i, s)
				return s
			}}},
		}, supervision.Config{Clock: clock, Scheduler: w.scheduler, Seed: seed, Inject: func(_ string, command any) {
			if fmt.Sprintf("%T", command) == "peers.pardon" && m.bomb.Swap(false) {
				panic("injected")
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		tree.Spawn()
		w.members = append(w.members, m)
	}
	return w
}

// run lets virtual time pass.
func (w *world) run(d time.Duration) {
	for end := w.air.clock.Now().Add(d); w.air.clock.Now().Before(end); {
		w.scheduler.Run(1 << 20)
		w.air.clock.Advance(2 * time.Millisecond)
	}
	w.scheduler.Run(1 << 20)
}

// reached counts the nodes that can be reached from the first, over full connections.
func (w *world) reached() int {
	seen := map[transport.ID]bool{w.radios[0].Self(): true}
	for frontier := []*radio{w.radios[0]}; len(frontier) > 0; frontier = frontier[1:] {
		for _, p := range frontier[0].conns {
			if other := w.air.node(p.ID); p.Purpose == transport.Full && other != nil && !seen[p.ID] {
				seen[p.ID] = true
				frontier = append(frontier, other)
			}
		}
	}
	return len(seen)
}

// The production subsystem on one goroutine: nodes that know one bootstrap node become one network, heal after a partition, come back
// after a failure, and do all of it the same way again from the same seed.
func TestVirtualNetwork(t *testing.T) {
	const nodes = 12
	run := func(seed uint64) uint64 {
		w := newWorld(t, nodes, seed)
		w.run(time.Minute)
		if n := w.reached(); n != nodes {
			t.Fatalf("seed %d: %d nodes of %d are connected", seed, n, nodes)
		}
		half := map[*radio]bool{}
		for _, r := range w.radios[:nodes/2] {
			half[r] = true
		}
		w.air.cut = func(a, b *radio) bool { return half[a] != half[b] }
		for _, r := range w.radios[:nodes/2] {
			for _, other := range w.radios[nodes/2:] {
				r.part(other, transport.ErrTimeout)
			}
		}
		w.run(time.Minute)
		if n := w.reached(); n != nodes/2 {
			t.Errorf("seed %d: %d nodes are connected over a partition", seed, n)
		}
		w.air.cut = func(_, _ *radio) bool { return false }
		w.run(6 * time.Minute) // the longest delay between dials is five
		if n := w.reached(); n != nodes {
			t.Errorf("seed %d: %d nodes of %d are connected after the partition has healed", seed, n, nodes)
		}
		w.members[4].fail()
		w.run(time.Minute)
		if n := w.reached(); n != nodes {
			t.Errorf("seed %d: %d nodes of %d are connected after a restart", seed, n, nodes)
		}
		return w.scheduler.Trace()
	}
	seen := map[uint64]bool{}
	for seed := range uint64(2) {
		first, second := run(seed), run(seed)
		if first != second {
			t.Errorf("seed %d: traces %x and %x", seed, first, second)
		}
		seen[first] = true
	}
	if len(seen) != 2 {
		t.Error("different seeds gave the same schedule")
	}
}
