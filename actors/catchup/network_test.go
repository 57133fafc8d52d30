package catchup

import (
	"fmt"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// origin is a chain that others fetch: real validators' certificates over blocks whose state anybody can compute.
type origin struct {
	t         testing.TB
	spec      *genesis.Spec
	keys      []genesis.DevValidator
	namespace sig.Namespace
	store     ledger.Store
	value     int // bytes of a value
}

func newOrigin(t testing.TB, value int) *origin {
	t.Helper()
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	o := &origin{t: t, spec: spec, namespace: sig.NewNamespace(1), value: value}
	if o.keys, _, err = genesis.DevValidators(4); err != nil {
		t.Fatal(err)
	}
	if o.store, err = ledger.OpenDisk(disk.NewMemory(), "", spec, store.Options{Window: 64}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.store.Close() })
	return o
}

// grow adds blocks that write keys in turn.
func (o *origin) grow(blocks, writes, keys int) {
	o.t.Helper()
	for range blocks {
		h := o.store.Header().Height + 1
		overlay := o.store.State().Overlay()
		for i := range writes {
			k := digest.Blake3(fmt.Appendf(nil, "%d", (int(h)*writes+i)%keys))
			overlay.Set(k[:], append(k[:], make([]byte, o.value)...))
		}
		o.commit(overlay)
	}
}

// commit makes the next block of what was written.
func (o *origin) commit(overlay *state.Overlay) {
	o.t.Helper()
	parent := o.store.Header()
	h := parent.Height + 1
	c, err := overlay.Commit(h)
	if err != nil {
		o.t.Fatal(err)
	}
	b := &block.Block{Header: block.Header{
		Version: 1, ChainID: 1, Height: h, View: uint64(h), ParentHash: parent.Hash(), TxRoot: block.TxRoot(nil), StateRoot: c.Root(),
	}}
	f := &ledger.Final{Block: b, Hash: b.Hash(), State: c, Certificates: []*sig.Certificate{o.certify(b)}}
	if err := o.store.Append(f); err != nil {
		o.t.Fatal(err)
	}
}

func (o *origin) certify(b *block.Block) *sig.Certificate {
	o.t.Helper()
	c := &sig.Certificate{Kind: sig.Finalization, Signers: sig.NewSigners(4)}
	c.Subject = sig.Subject{BlockHash: b.Hash(), Height: uint64(b.Header.Height), Round: b.Header.Round()}
	var signatures []sig.BLSSignature
	var partials []bls.Partial
	for rank := range 3 {
		c.Signers.Add(rank)
		signatures = append(signatures, o.keys[rank].Vote.Sign(c.Preimage(o.namespace)))
		partials = append(partials, o.keys[rank].Share.Sign(o.namespace.Seed(c.Subject.Round)))
	}
	var err error
	if c.Aggregate, err = bls.Aggregate(signatures); err == nil {
		c.Seed, err = bls.Recover(3, partials)
	}
	if err != nil {
		o.t.Fatal(err)
	}
	return c
}

// wire connects the subsystems under test. A frame is queued and delivered by run.
type wire struct {
	nodes    map[link.Peer]*Subsystem
	queue    []func()
	reported map[link.Peer][]string
	spoil    map[link.Peer]func(any) any // what a peer's answers become
	asked    map[link.Peer]int           // requests that a peer was sent
	bytes    int
}

func newWire() *wire {
	return &wire{nodes: map[link.Peer]*Subsystem{}, reported: map[link.Peer][]string{}, spoil: map[link.Peer]func(any) any{}, asked: map[link.Peer]int{}}
}

type port struct {
	link.Alone
	self link.Peer
	wire *wire
}

func (p *port) Self() link.Peer { return p.self }
func (p *port) Report(who link.Peer, why string) {
	p.wire.reported[who] = append(p.wire.reported[who], why)
}
func (p *port) Send(to link.Peer, _ link.Channel, frame []byte) {
	w := p.wire
	if spoil := w.spoil[p.self]; spoil != nil {
		x, err := decode(frame)
		if err != nil {
			panic(err)
		}
		if x = spoil(x); x == nil {
			return
		}
		frame = x.(reply).encode()
	}
	w.bytes += len(frame)
	if frame[0]%2 == 0 { // requests have the even tags
		w.asked[to]++
	}
	w.queue = append(w.queue, func() {
		if s := w.nodes[to]; s != nil {
			s.heard(link.Delivered{From: p.self, Frame: frame})
			s.ask()
		}
	})
}

// run delivers frames, and lets time pass when there are none, until done.
func (w *wire) run(t testing.TB, done func() bool) {
	t.Helper()
	for range 100_000 {
		if done() {
			return
		}
		if len(w.queue) > 0 {
			next := w.queue[0]
			w.queue = w.queue[1:]
			next()
			continue
		}
		<-time.After(lookEvery)
		for _, s := range w.nodes { // order-free: each looks by itself
			s.look()
			s.ask()
		}
	}
	t.Fatal("no end")
}

// serving publishes a store for reading.
func serving(t testing.TB, s ledger.Store) *ledger.Handle {
	t.Helper()
	h := ledger.NewHandle()
	l := &ledger.Subsystem{Handle: h, Store: s}
	l.Receive(message{what: &actor.Started{}})
	return h
}

type message struct {
	actor.Context
	what any
}

func (m message) Message() any { return m.what }

func (w *wire) add(t testing.TB, id byte, s ledger.Store, behind unit.Height) *Subsystem {
	t.Helper()
	p := link.Peer{id}
	n := &Subsystem{
		Handle: NewHandle(), Ledger: serving(t, s), Link: &port{self: p, wire: w}, Clock: supervision.RealClock{}, Snapshot: behind,
		Calendar: params.Calendar{}, Replica: replica.NewHandle(), Memory: budget.NewAccount(aheadBytes * budget.Decoded),
		Committees: &replica.Registered{Namespace: sig.NewNamespace(1), State: s.State},
	}
	n.budgets, n.all = map[link.Peer]*served{}, served{times: 1 << 10} // the peers here are asked without a pause
	tip := n.Ledger.Tip()
	n.blocks.room = aheadBytes
	n.blocks.start(place{tip.Header.Height, tip.Hash}, n.Clock.Now())
	for other, o := range w.nodes { // order-free: everybody hears of everybody
		n.blocks.up(other)
		o.blocks.up(p)
	}
	w.nodes[p] = n
	return n
}

// sealedOn reports whether a disk holds a snapshot with a root.
func sealedOn(t testing.TB, d disk.Disk, spec *genesis.Spec, root digest.Hash) bool {
	t.Helper()
	l, err := ledger.OpenDisk(d, "", spec, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	loaded, err := l.Load()
	if err != nil {
		t.Error(err)
		return false
	}
	defer loaded.Close()
	return loaded.Header.StateRoot == root
}

func empty(t testing.TB, o *origin, d disk.Disk) *ledger.Disk {
	t.Helper()
	l, err := ledger.OpenDisk(d, "", o.spec, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// handed reports whether a node has handed its snapshot to the ledger. The ledger's command is never taken here, so the snapshot stays staged.
func handed(n *Subsystem) func() bool {
	return func() bool { return n.fetch != nil && n.fetch.adopting > 0 }
}
