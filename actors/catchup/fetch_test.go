package catchup

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
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
	t.Cleanup(func() { o.store.Close() })
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

// A node fetches a state from several peers, chunk by chunk, proves it, and keeps it durably.
//
// Spec: commonware §5.7.
func TestFetch(t *testing.T) {
	o := newOrigin(t, 200)
	o.grow(40, 900, 5_000)
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		for id := range byte(3) {
			w.add(t, id+1, o.store, 0)
		}
		d := disk.NewMemory()
		l := empty(t, o, d)
		n := w.add(t, 9, l, 20)
		begin(n)
		w.run(t, handed(n))
		if len(w.reported) > 0 {
			t.Errorf("reported %v", w.reported)
		}
		n.leave()
		l.Close()
		if !sealedOn(t, d.Crash(nil), o.spec, o.store.Header().StateRoot) {
			t.Error("another root")
		}
	})
}

// lies are what a lying server does to its answers.
var lies = map[string]func(x any) any{
	"an operation changed": func(x any) any {
		if a, ok := x.(*chunkAnswer); ok && len(a.operations) > 0 {
			a.operations[len(a.operations)/2] ^= 1
		}
		return x
	},
	"another value, well-formed": func(x any) any {
		a, ok := x.(*chunkAnswer)
		if !ok || len(a.operations) == 0 {
			return x
		}
		config := state.Config{}
		list, err := config.SplitOperations(a.operations, chunkOperations)
		if err != nil {
			return x
		}
		a.operations = nil
		for i, raw := range list {
			if op, err := config.DecodeOperation(raw); err == nil && i == 3 {
				op.Kind, op.Key, op.Value, op.Next = state.Update, []byte("mine"), []byte("all"), []byte("next")
				raw = config.AppendOperation(nil, &op)
			}
			a.operations = append(a.operations, raw...)
		}
		return x
	},
	"an operation left out": func(x any) any {
		if a, ok := x.(*chunkAnswer); ok && len(a.operations) > 0 {
			config := state.Config{}
			_, rest, _ := config.SplitOperation(a.operations)
			a.operations = rest
		}
		return x
	},
	"another proof": func(x any) any {
		if a, ok := x.(*chunkAnswer); ok && len(a.proof.Digests) > 0 {
			a.proof.Digests[0][0]++
		}
		return x
	},
	"other nodes below": func(x any) any {
		if a, ok := x.(*chunkAnswer); ok && a.foundation != nil && len(a.foundation.Pinned) > 0 {
			a.foundation.Pinned[0][0]++
		}
		return x
	},
	"no nodes below": func(x any) any {
		if a, ok := x.(*chunkAnswer); ok {
			a.foundation = nil
		}
		return x
	},
	"another header": func(x any) any {
		if a, ok := x.(*pivotAnswer); ok && a.block != nil {
			b, err := block.Decode(a.block)
			if err != nil {
				return x
			}
			b.Header.StateRoot[0]++
			a.block = b.Encode()
		}
		return x
	},
	"another root of operations": func(x any) any {
		if a, ok := x.(*pivotAnswer); ok && a.target != nil {
			a.target.OpsRoot[0]++
		}
		return x
	},
	"a longer log": func(x any) any {
		if a, ok := x.(*pivotAnswer); ok && a.target != nil {
			a.target.Witness.Length += 256
		}
		return x
	},
	"another certificate": func(x any) any {
		if a, ok := x.(*pivotAnswer); ok && a.finalization != nil {
			a.finalization.Aggregate[5]++
		}
		return x
	},
}

// A server that lies is reported, whatever it lies about; the state is fetched from the others, and is the right one.
//
// Spec: commonware §5.7, §7.
func TestFetchFromLiar(t *testing.T) {
	o := newOrigin(t, 100)
	o.grow(30, 600, 3_000)
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWire()
				liar := link.Peer{1}
				w.spoil[liar] = lie
				w.add(t, 1, o.store, 0)
				d := disk.NewMemory()
				l := empty(t, o, d)
				n := w.add(t, 9, l, 20)
				begin(n)
				w.run(t, func() bool { return len(w.reported[liar]) > 0 })
				w.add(t, 2, o.store, 0)
				begin(n)
				w.run(t, handed(n))
				if len(w.reported) != 1 {
					t.Errorf("reported %v", w.reported)
				}
				n.leave()
				l.Close()
				if !sealedOn(t, d.Crash(nil), o.spec, o.store.Header().StateRoot) {
					t.Error("another root")
				}
			})
		})
	}
}

// A peer that claims to be far ahead and is not makes nobody give up its history.
//
// Spec: commonware §7.
func TestFetchNotWorthIt(t *testing.T) {
	o := newOrigin(t, 10)
	o.grow(10, 10, 100)
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		w.spoil[link.Peer{1}] = func(x any) any {
			if a, ok := x.(*answer); ok {
				a.top = 1_000_000
			}
			return x
		}
		w.add(t, 1, o.store, 0)
		l := empty(t, o, disk.NewMemory())
		defer l.Close()
		n := w.add(t, 9, l, 20)
		begin(n)
		tried := false
		w.run(t, func() bool {
			tried = tried || n.fetch != nil
			return tried && n.fetch == nil
		})
		snapshots, _ := n.Ledger.Snapshots()
		stage, err := snapshots.Stage()
		if err != nil {
			t.Fatal(err)
		}
		if _, _, begun := stage.Begun(); begun {
			t.Error("a state ten blocks ahead is fetched")
		}
		stage.Close()
		w.run(t, func() bool { return n.blocks.held.height == 10 })
	})
}

// When nobody holds the next block any more a state is fetched, however near it is; who serves it began with a snapshot itself.
//
// Spec: commonware §5.7 (pruning); WP "Storage and State Persistence".
func TestFetchStranded(t *testing.T) {
	o := newOrigin(t, 10)
	o.grow(30, 100, 500)
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		w.add(t, 1, o.store, 0)
		first := disk.NewMemory()
		l := empty(t, o, first)
		n := w.add(t, 9, l, 20)
		begin(n)
		w.run(t, handed(n))
		n.leave()
		l.Close()
		server := empty(t, o, first.Crash(nil))
		defer server.Close()
		loaded, err := server.Load()
		if err == nil {
			err = server.Adopt(loaded)
		}
		if err != nil {
			t.Fatal(err)
		}
		w = newWire()
		w.add(t, 1, server, 0)
		d := disk.NewMemory()
		l = empty(t, o, d)
		n = w.add(t, 9, l, 1_000)
		begin(n)
		w.run(t, handed(n))
		n.leave()
		l.Close()
		if !sealedOn(t, d.Crash(nil), o.spec, o.store.Header().StateRoot) || len(w.reported) > 0 {
			t.Errorf("another root, or reported %v", w.reported)
		}
	})
}

// A process that is killed at any moment of the collection goes on where it was: nothing that was synced is fetched again, and the state is the right one.
// The chain moves on meanwhile, so what is collected is continued up to a newer block.
//
// Spec: commonware §5.7 (the target may move while syncing); WP "Storage and State Persistence".
func TestFetchResumes(t *testing.T) {
	o := newOrigin(t, 2_000)
	o.grow(30, 900, 8_000)
	synctest.Test(t, func(t *testing.T) {
		d := disk.NewMemory()
		var last uint64
		done := false
		for life := 0; !done; life++ {
			w := newWire()
			w.add(t, 1, o.store, 0)
			l := empty(t, o, d)
			n := w.add(t, 9, l, 20)
			n.collect(true)
			begin(n)
			frames := 0
			w.run(t, func() bool {
				frames++
				done = handed(n)()
				return done || frames > 12+life
			})
			if n.fetch != nil && n.fetch.stage != nil {
				if _, length, ok := n.fetch.stage.Begun(); ok && length < last {
					t.Fatalf("life %d: %d operations, the life before had %d", life, length, last)
				} else if ok {
					last = length
				}
			}
			n.leave()
			l.Close()
			d = d.Crash(nil)
			if life == 2 {
				o.grow(5, 900, 8_000)
			}
			if life > 200 {
				t.Fatal("no end")
			}
		}
		if !sealedOn(t, d, o.spec, o.store.Header().StateRoot) {
			t.Error("another root")
		}
	})
}

// A disk that is full stops the collection with a reason; with room again it ends well.
func TestFetchFullDisk(t *testing.T) {
	o := newOrigin(t, 500)
	o.grow(30, 900, 8_000)
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		w.add(t, 1, o.store, 0)
		d := disk.NewMemory()
		l := empty(t, o, d)
		n := w.add(t, 9, l, 20)
		d.Capacity = 2 << 20
		begin(n)
		w.run(t, func() bool { return n.trouble != nil })
		if !errors.Is(n.trouble, disk.ErrFull) || n.Handle.Status().Trouble == "" {
			t.Errorf("%v, %+v", n.trouble, n.Handle.Status())
		}
		d.Capacity = 0
		w.run(t, handed(n))
		n.leave()
		l.Close()
		if !sealedOn(t, d.Crash(nil), o.spec, o.store.Header().StateRoot) {
			t.Error("another root")
		}
	})
}

// A request for what is not there, or no request at all, gets an answer without anything and costs the asker its budget.
func TestServeNothing(t *testing.T) {
	o := newOrigin(t, 10)
	o.grow(3, 10, 100)
	w := newWire()
	n := w.add(t, 1, o.store, 0)
	length := o.store.State().Length()
	for name, q := range map[string]chunkRequest{
		"a longer log":        {length: length + 1, from: 0, count: 1},
		"above the log":       {length: length, from: length, count: 1},
		"nothing":             {length: length, from: 0},
		"inside a block":      {length: length - 1, from: 0, count: 1},
		"no boundary":         {length: length, from: 3, count: 1, foundation: true},
		"everything at once":  {length: 1 << 63, from: 1 << 62, count: 1 << 63},
		"an overflowing span": {length: length, from: 1, count: ^uint64(0), foundation: true},
	} {
		a, err := n.showChunk(&q)
		if err != nil || len(a.operations) > 0 {
			t.Errorf("%s: %d bytes, %v", name, len(a.operations), err)
		}
	}
	if a, err := n.showChunk(&chunkRequest{length: length, from: 0, count: ^uint64(0)}); err != nil || len(a.operations) == 0 {
		t.Errorf("all of it: %v", err)
	}
	if a, err := n.showEpochProof(&epochProofRequest{1, 0}); err != nil || a.epochProof != nil || a.top != 3 {
		t.Errorf("the way out of an epoch that is not over: %+v, %v", a, err)
	}
}

// stateFrames are frames of every kind about states.
func stateFrames(t testing.TB) [][]byte {
	o := newOrigin(t, 10)
	o.grow(3, 10, 100)
	w := newWire()
	n := w.add(t, 1, o.store, 0)
	pivot, err := n.showPivot(&pivotRequest{1})
	if err != nil {
		t.Fatal(err)
	}
	chunk, err := n.showChunk(&chunkRequest{id: 2, length: o.store.State().Length(), count: 5, foundation: true})
	if err != nil {
		t.Fatal(err)
	}
	var list [][]byte
	requests := []reply{&epochProofRequest{3, 4}, &pivotRequest{5}, &chunkRequest{1, 2, 3, 4, true}}
	for _, x := range append(requests, pivot, chunk, &chunkAnswer{id: 3, wait: 77}, &epochProofAnswer{id: 1, top: 9}, &pivotAnswer{id: 8}) {
		list = append(list, x.encode())
	}
	return list
}
