package catchup

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// begin lets a node learn that it is far behind.
func begin(n *Subsystem) {
	n.blocks.seek(1_000)
	n.ask()
}

// A peer that was asked nothing floods a node with answers under every number it may guess: ranges of real blocks, which are dear to check,
// states, chunks and proofs. None is looked into, nothing of them is kept, and what the node fetches from others arrives.
//
// Spec: WP "Network Layer"; commonware §5.7.
func TestFloodOfAnswers(t *testing.T) {
	o := newOrigin(t, 200)
	o.grow(40, 600, 3_000)
	ranges, err := collect(params.Calendar{}, serving(t, o.store), request{from: 1, count: 40})
	if err != nil || len(ranges.blocks) != 40 {
		t.Fatalf("%d blocks, %v", len(ranges.blocks), err)
	}
	torn := append([][]byte{{1, 2, 3}}, ranges.blocks...)
	var frames [][]byte
	for id := range uint64(64) {
		for _, x := range []reply{
			&chunkAnswer{id: id, operations: make([]byte, 1_000)}, // a report, if it were looked into
			&answer{id: id, top: 1 << 40, first: 1, blocks: ranges.blocks, finalization: ranges.finalization},
			&answer{id: id, top: 1 << 40, first: 1, blocks: torn, finalization: ranges.finalization}, // a report, if it were looked into
			&answer{id: id, top: 1 << 40, first: 1 << 40}, &epochProofAnswer{id: id, top: 1 << 40}, &pivotAnswer{id: id},
			&chunkAnswer{id: id},
		} {
			frames = append(frames, x.encode())
		}
	}
	synctest.Test(t, func(t *testing.T) {
		w, flooder := newWire(), link.Peer{66}
		w.add(t, 1, o.store, 0)
		w.add(t, 2, o.store, 0)
		d := disk.NewMemory()
		l := empty(t, o, d)
		n := w.add(t, 9, l, 20)
		begin(n)
		done := handed(n)
		w.run(t, func() bool {
			for _, f := range frames {
				n.heard(link.Delivered{From: flooder, Frame: f})
			}
			if n.blocks.bytes() != 0 || n.stranded {
				t.Fatal("something of the flood is kept or believed")
			}
			return done()
		})
		if len(w.reported) != 0 || n.budgets[flooder] != nil {
			t.Errorf("reported %v, budget %v", w.reported, n.budgets[flooder])
		}
		n.leave()
		_ = l.Close()
		if !sealedOn(t, d.Crash(nil), o.spec, o.store.Header().StateRoot) {
			t.Error("another root")
		}
	})
}

// The ways to answer a question about blocks so that the answer is dear to check, or brings nothing.
const (
	forgedVotes = 3 + iota
	forgedSeed
	tornBody
	tallClaim
	silence
	behindFlood
)

// dearAnswers gives each liar its way.
func dearAnswers(t *testing.T, o *origin) map[byte]func(any) any {
	t.Helper()
	raw, err := collect(params.Calendar{}, serving(t, o.store), request{from: 1, count: 1})
	if err != nil {
		t.Fatal(err)
	}
	first, err := block.Decode(raw.blocks[0])
	if err != nil {
		t.Fatal(err)
	}
	other := o.certify(first) // good, of another block
	change := func(how func(a *answer)) func(any) any {
		return func(x any) any {
			if a, ok := x.(*answer); ok && len(a.blocks) > 0 {
				c := *a.finalization
				y := *a
				y.finalization, y.blocks = &c, slices.Clone(a.blocks)
				how(&y)
				return &y
			}
			return x
		}
	}
	return map[byte]func(any) any{
		forgedVotes: change(func(a *answer) { a.finalization.Aggregate = other.Aggregate }),
		forgedSeed:  change(func(a *answer) { a.finalization.Seed = other.Seed }),
		tornBody: change(func(a *answer) {
			last := slices.Clone(a.blocks[len(a.blocks)-1])
			last[len(last)/2] ^= 1
			a.blocks[len(a.blocks)-1] = last
		}),
		tallClaim: change(func(a *answer) { *a = answer{id: a.id, top: 1 << 40, first: 1} }),
		silence: change(func(a *answer) {
			*a = answer{id: a.id + 1<<32, top: a.top, first: a.first, blocks: a.blocks, finalization: a.finalization}
		}),
		behindFlood: change(func(a *answer) { a.first = 1 << 40 }),
	}
}

// Most of a node's peers answer what they are asked so that it is dear to check or brings nothing, and a stranger floods it with good ranges under every
// number that may be asked. The node fetches every block nevertheless, from the one honest peer; each request costs it at most one check, and whoever lied is
// reported once for each lie.
//
// Spec: WP §6.1 (finalized: the block and its ancestors), "Network Layer"; commonware §3.4 (resolver), §5.7.
func TestFloodOfDearAnswers(t *testing.T) {
	const top, step = 40, 4
	o := newOrigin(t, 20)
	o.grow(top, 2, 100)
	spoilt := dearAnswers(t, o)
	good, err := collect(params.Calendar{}, serving(t, o.store), request{from: 1, count: top})
	if err != nil {
		t.Fatal(err)
	}
	for _, snapshot := range []unit.Height{0, 1_000} {
		t.Run(fmt.Sprint("a state is fetched from ", snapshot, " blocks on"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				w, honest, flooder := newWire(), link.Peer{1}, link.Peer{66}
				w.add(t, 1, o.store, 0)
				for id := byte(forgedVotes); id <= behindFlood; id++ {
					w.add(t, id, o.store, 0)
					w.spoil[link.Peer{id}] = spoilt[id]
				}
				l := empty(t, o, disk.NewMemory())
				n := w.add(t, 9, l, snapshot)
				for goal := unit.Height(step); goal <= top; goal += step {
					n.blocks.seek(goal)
					n.blocks.size = step
					n.ask()
					w.run(t, func() bool {
						flood(t, n, flooder, good)
						for who, reports := range w.reported { // order-free: each by itself
							if len(reports) > w.asked[who] || who == honest || who == flooder {
								t.Fatalf("%x was asked %d times and reported for %q", who[:1], w.asked[who], reports)
							}
						}
						n.blocks.durable(n.blocks.held, n.Clock.Now())
						n.blocks.size = step
						return n.blocks.held.height >= goal
					})
				}
				if n.blocks.held.hash != o.store.Header().Hash() {
					t.Error("another chain")
				}
				for _, id := range []byte{forgedVotes, forgedSeed, tornBody} {
					if p := (link.Peer{id}); len(w.reported[p]) == 0 {
						t.Errorf("peer %d was asked %d times and never reported", id, w.asked[p])
					}
				}
				t.Logf("%v; asked %v", time.Since(began), w.asked)
				n.leave()
				_ = l.Close()
			})
		})
	}
}

// flood tells a node good ranges under every number it may have asked under, from somebody who was not asked. Nothing of it may be kept.
func flood(t *testing.T, n *Subsystem, from link.Peer, a *answer) {
	t.Helper()
	before, held := n.blocks.bytes(), n.blocks.held
	for id := range uint64(16) {
		x := *a
		x.id = n.blocks.id + 8 - id
		n.take(from, &x)
	}
	if n.blocks.bytes() != before || n.blocks.held != held {
		t.Fatal("something of the flood is kept or believed")
	}
}

// A stranger asks for ranges, proofs, states and chunks without end, in one instant. It is given what one peer may have at once and one answer more; what all
// together may have is left for others, who are served.
//
// Spec: WP "Network Layer"; commonware §5.7.
func TestFloodOfRequests(t *testing.T) {
	o := newOrigin(t, 2_000)
	o.grow(20, 400, 4_000)
	length := o.store.State().Length()
	synctest.Test(t, func(t *testing.T) {
		w, flooder, other := newWire(), link.Peer{66}, link.Peer{67}
		n := w.add(t, 1, o.store, 0)
		n.all = served{times: allTimes}
		given := func(to link.Peer, rounds int) (bytes, answers int) {
			for i := range uint64(rounds) {
				for _, q := range [][]byte{
					(&chunkRequest{id: i, length: length, count: chunkOperations, foundation: true}).encode(), (&request{id: i, from: 1, count: 20}).encode(),
					(&pivotRequest{id: i}).encode(), (&epochProofRequest{id: i}).encode(),
				} {
					sent := w.bytes
					n.heard(link.Delivered{From: to, Frame: q})
					if w.bytes-sent > 100 {
						answers++
					}
					bytes += w.bytes - sent
				}
				w.queue = nil
			}
			return bytes, answers
		}
		bytes, answers := given(flooder, 3_000)
		if bytes > budgetBurst+chunkBytes+1<<20 || answers == 0 || answers == 3_000*4 {
			t.Errorf("%d bytes in %d answers", bytes, answers)
		}
		if again, _ := given(flooder, 100); again > 100*4*100 {
			t.Errorf("%d bytes beyond what it may have", again)
		}
		if _, answers := given(other, 1); answers == 0 {
			t.Error("beside a flood nobody is served")
		}
		if n.all.left <= 0 {
			t.Errorf("one peer was given all: %d bytes are left", n.all.left)
		}
	})
}
