package catchup

import (
	"testing"
	"testing/synctest"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

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
		l.Close()
		if !sealedOn(t, d.Crash(nil), o.spec, o.store.Header().StateRoot) {
			t.Error("another root")
		}
	})
}
