package relay

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A slot is confirmed where its chunks have the bytes that the commit says, and a byte more each; the sum is right however a table came from others.
//
// Spec: storage-cbfs §6 (rent), §8 (volume size).
func TestWhatIsUnpaidIsNotConfirmed(t *testing.T) {
	p := newPair(t)
	r := rand.New(rand.NewPCG(3, 4))
	stripe := func() protocol.Stripe {
		return protocol.Stripe{Size: 1 + r.Uint32N(1<<20), Roots: []digest.Hash{{byte(r.Uint32()), byte(r.Uint32()), 1}, {byte(r.Uint32()), 2}}}
	}
	table := &protocol.Table{K: 1, M: 1}
	for n, grow := range []int{1_000, 0, 30, 1, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			table = &protocol.Table{K: 1, M: 1, Stripes: slices.Clone(table.Stripes)}
			for range min(len(table.Stripes), 5) {
				table.Stripes[r.IntN(len(table.Stripes))] = stripe()
			}
			for range grow {
				table.Stripes = append(table.Stripes, stripe())
			}
			p.commit(t, table)
			bytes := uint64(0)
			for i := range table.Stripes {
				bytes += uint64(table.Stripes[i].Size)
			}
			got, err := p.ours.table(t.Context(), p.volume, p.volume.Root, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				raw  uint64
				want error
			}{{bytes - p.volume.Chunks, nil}, {bytes - p.volume.Chunks - 1, errUnpaid}, {1, errUnpaid}} {
				t.Run(fmt.Sprint(c.raw, " bytes"), func(t *testing.T) {
					p.volume.Raw = c.raw
					if err := p.ours.paid(t.Context(), p.volume, p.volume.Root, got); err != c.want {
						t.Errorf("%v, want %v", err, c.want)
					}
				})
			}
			a := act{what: mending, held: Held{vol, 1}, root: p.volume.Root}
			if err := p.ours.mend(t.Context(), a); err != errUnpaid || p.shards.Load() > 0 {
				t.Errorf("%v, %d chunks are asked for", err, p.shards.Load())
			}
			p.volume.Slots[1].Root = p.volume.Root
		})
	}
}

// A mending ends once it is without hope, so that others have the mender.
//
// Spec: storage-cbfs §4 (self-heal).
func TestMendingWithoutHopeEnds(t *testing.T) {
	p := newPair(t)
	table := &protocol.Table{K: 1, M: 1}
	for n := range 3_000 {
		table.Stripes = append(table.Stripes, protocol.Stripe{Size: 1, Roots: []digest.Hash{{byte(n), byte(n >> 8), 1}, {byte(n), byte(n >> 8), 2}}})
	}
	p.commit(t, table)
	err := p.ours.mend(t.Context(), act{what: mending, held: Held{vol, 1}, root: p.volume.Root})
	if asked := p.shards.Load(); !errors.Is(err, errHopeless) || asked < mendMost || asked > 3*mendMost {
		t.Errorf("%v, %d chunks are asked for", err, asked)
	}
}
