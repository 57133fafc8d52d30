package catchup

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

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
		_ = l.Close()
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
				_ = l.Close()
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
		_ = stage.Close()
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
		_ = l.Close()
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
		_ = l.Close()
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
			_ = l.Close()
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
		_ = l.Close()
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
		t.Run(name, func(t *testing.T) {
			a, err := n.showChunk(&q)
			if err != nil || len(a.operations) > 0 {
				t.Errorf("%s: %d bytes, %v", name, len(a.operations), err)
			}
		})
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
