package cbfs

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A proof of a chunk among a hundred thousand has some levels more than one among ten, and neither the empty ones of 256; what a proof leads through is all
// that its verification hashes.
//
// Spec: storage-cbfs §6.
func TestProofsGrowByLevels(t *testing.T) {
	data := bytes.Repeat([]byte{7}, ChunkBytes)
	a := Ask{Slot: 3, Ordinal: 5, Draw: 777}
	for _, n := range []int{1, 10, 1_000, 100_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			chunks := []Chunk{{Key: ShardKey(a.Slot, a.Ordinal), Root: ChunkRoot(data), Size: ChunkBytes}}
			for i := 1; i < n; i++ {
				chunks = append(chunks, Chunk{Key: ShardKey(9, uint64(i)), Root: digest.Hash{1}, Size: 1})
			}
			a.Root = ShardRoot(slices.Clone(chunks))
			p, err := Prove(slices.Clone(chunks), data, a)
			if err != nil || p.Verify(a) != nil {
				t.Fatal(err)
			}
			if depth, most := p.depth(), bits.Len(uint(n))+8; len(p.Path) != 10 || depth > most || len(p.Siblings) > depth || n == 1 && depth != 0 {
				t.Errorf("%d in the chunk, %d of %d levels beside it, want at most %d", len(p.Path), len(p.Siblings), depth, most)
			}
			deeper, level := *p, p.depth()
			deeper.Present[level/8] |= 1 << (7 - level%8)
			deeper.Siblings = append([]digest.Hash{{}}, p.Siblings...)
			if deeper.Verify(a) == nil {
				t.Error("the leaf is proven on another level too")
			}
		})
	}
}
