package cbfs

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Two parts of a tree together say what each of them says, and lead to the root of a tree in which chunks of both were set; parts of two trees are not joined.
//
// Spec: storage-cbfs §2.2 (shard_root).
func TestPartsOfOneTree(t *testing.T) {
	f := forest{rand.New(rand.NewPCG(21, 22))}
	part := func(list []Chunk, keys []digest.Hash) *Partial {
		p, err := Extract([]Subtree{SubtreeOf(list, 0)}, slices.Clone(keys), func(int) ([]Chunk, error) { return list, nil })
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for range 500 {
		all := f.chunks(30)
		list := listOf(all)
		SortChunks(list)
		var keys [2][]digest.Hash
		for _, c := range list {
			if n := f.IntN(4); n < 2 {
				keys[n] = append(keys[n], c.Key)
			}
		}
		for i := range keys {
			keys[i] = append(keys[i], f.key())
		}
		p, q := part(list, keys[0]), part(list, keys[1])
		if err := p.Merge(q); err != nil {
			t.Fatal(err)
		}
		for _, key := range slices.Concat(keys[0], keys[1]) {
			want, there := all[key]
			if got, is, err := p.Get(key); err != nil || is != there || got != want {
				t.Fatalf("%v %v %v, want %v %v", got, is, err, want, there)
			}
		}
		for _, key := range slices.Concat(keys[0], keys[1]) {
			if f.IntN(2) == 0 {
				all[key] = f.chunk(key)
				if err := p.Set(all[key]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if p.Root() != plainRoot(all) {
			t.Fatal("another root")
		}
		other := f.chunks(30)
		extra := f.key()
		other[extra] = f.chunk(extra)
		next := listOf(other)
		SortChunks(next)
		if err := p.Merge(part(next, keys[0])); !errors.Is(err, ErrPartialRoot) {
			t.Fatal(err)
		}
	}
}
