package cbfs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lukechampine.com/blake3"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// plainRoot is the root of the tree of shards as the package's documentation says it, over keys written as texts of 256 bits.
func plainRoot(chunks map[digest.Hash]Chunk) digest.Hash {
	leaves := map[string][32]byte{}
	for key, c := range chunks {
		var written strings.Builder
		for _, one := range key {
			fmt.Fprintf(&written, "%08b", one)
		}
		leaf := append(append([]byte{}, key[:]...), c.Root[:]...)
		leaves[written.String()] = blake3.Sum256(binary.LittleEndian.AppendUint64(leaf, c.Size))
	}
	return plainSubtree("", leaves)
}

func plainSubtree(prefix string, leaves map[string][32]byte) digest.Hash {
	below := map[string][32]byte{}
	for key, leaf := range leaves {
		if strings.HasPrefix(key, prefix) {
			below[key] = leaf
		}
	}
	switch len(below) {
	case 0:
		return digest.Hash{}
	case 1:
		for _, leaf := range below {
			return leaf
		}
	}
	left, right := plainSubtree(prefix+"0", below), plainSubtree(prefix+"1", below)
	return blake3.Sum256(append(left[:], right[:]...))
}

// forest makes trees whose keys differ late as well as early.
type forest struct{ *rand.Rand }

func (f forest) key() (key digest.Hash) {
	for i := range key {
		key[i] = byte(f.Uint32())
	}
	for i := range f.IntN(32) { // bytes that many others have too
		key[i] = byte(f.IntN(4)) << 6
	}
	return key
}

func (f forest) chunk(key digest.Hash) Chunk {
	return Chunk{Key: key, Root: digest.Hash{byte(f.Uint32()), byte(f.Uint32())}, Size: 1 + uint64(f.IntN(ChunkBytes))}
}

func (f forest) chunks(most int) map[digest.Hash]Chunk {
	all := map[digest.Hash]Chunk{}
	for range f.IntN(most + 1) {
		c := f.chunk(f.key())
		all[c.Key] = c
		if f.IntN(3) == 0 { // another one beside it, down to the last bit
			near := c.Key
			near[f.IntN(32)] ^= 1 << f.IntN(8)
			all[near] = f.chunk(near)
		}
	}
	return all
}

func listOf(all map[digest.Hash]Chunk) []Chunk {
	list := slices.Collect(maps.Values(all))
	SortChunks(list)
	return list
}

// cutUp divides the chunks of a tree by the first bits of their keys.
func cutUp(list []Chunk, bits int) (trees []Subtree, load func(at int) ([]Chunk, error)) {
	parts := make([][]Chunk, 1<<bits)
	for _, c := range list {
		at := binary.BigEndian.Uint32(c.Key[:]) >> (32 - bits)
		parts[at] = append(parts[at], c)
	}
	for i := range parts {
		trees = append(trees, SubtreeOf(parts[i], bits))
	}
	return trees, func(at int) ([]Chunk, error) { return parts[at], nil }
}

// A part of a tree says what stands at each key that was asked for, and what the root becomes when chunks are set there; of all else it says that it does not
// know. Both are held to a tree that is built whole, by another program.
//
// Spec: storage-cbfs §2.2 (shard_root).
func TestPartialTrees(t *testing.T) {
	for seed := range uint64(3_000) {
		f := forest{rand.New(rand.NewPCG(seed, 1))}
		all := f.chunks(24)
		list, bits := listOf(all), f.IntN(5)
		trees, load := cutUp(list, bits)
		root := plainRoot(all)
		if got := Fold(trees); got.Root != root || int(got.Leaves) != len(all) || ShardRoot(slices.Clone(list)) != root {
			t.Fatalf("seed %d: the root of %d chunks is %s, want %s", seed, len(all), got.Root, root)
		}
		var keys []digest.Hash
		for range f.IntN(6) {
			if len(list) > 0 && f.IntN(2) == 0 {
				keys = append(keys, list[f.IntN(len(list))].Key)
			} else {
				keys = append(keys, f.key())
			}
		}
		made, err := Extract(trees, slices.Clone(keys), load)
		if err != nil {
			t.Fatal(err)
		}
		p, err := DecodePartial(made.Append(nil), root)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, key := range keys {
			c, there, err := p.Get(key)
			if want, in := all[key]; err != nil || there != in || c != want {
				t.Fatalf("seed %d: at %s stands %+v, %v, %v; want %+v", seed, key, c, there, err, want)
			}
		}
		for _, c := range list {
			if got, there, err := p.Get(c.Key); err == nil && (!there || got != c) {
				t.Fatalf("seed %d: %+v is not said to stand there", seed, c)
			}
		}
		for _, key := range keys {
			c := f.chunk(key)
			all[key] = c
			if err := p.Set(c); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if f.IntN(2) == 0 && p.Root() != plainRoot(all) { // sometimes in between, since hashes are kept
				t.Fatalf("seed %d: another root", seed)
			}
		}
		if got, want := p.Root(), plainRoot(all); got != want {
			t.Fatalf("seed %d: %s, want %s", seed, got, want)
		}
		after, err := DecodePartial(p.Append(nil), p.Root())
		if err != nil || after.Root() != p.Root() {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// What a part of a tree does not cover cannot be read of it nor set in it, and trying changes nothing.
//
// Spec: storage-cbfs §2.2 (shard_root).
func TestUncoveredKeys(t *testing.T) {
	f := forest{rand.New(rand.NewPCG(7, 7))}
	var list []Chunk
	for n := range uint64(500) {
		list = append(list, f.chunk(ShardKey(1, n)))
	}
	trees, load := cutUp(sorted(list), 3)
	p, err := Extract(trees, []digest.Hash{ShardKey(1, 5), ShardKey(2, 9)}, load)
	if err != nil {
		t.Fatal(err)
	}
	root, raw := p.Root(), p.Append(nil)
	refused := 0
	for n := range uint64(500) {
		_, _, err := p.Get(ShardKey(1, n))
		if failed := p.Set(f.chunk(ShardKey(1, n))); errors.Is(err, ErrUncovered) != errors.Is(failed, ErrUncovered) {
			t.Fatalf("chunk %d: %v, but %v", n, err, failed)
		} else if failed == nil {
			if p, err = DecodePartial(raw, root); err != nil {
				t.Fatal(err)
			}
			continue
		}
		refused++
		if p.Root() != root {
			t.Fatal("what is refused changes the root")
		}
	}
	if refused < 490 {
		t.Errorf("%d of 500 are refused", refused)
	}
	for name, size := range map[string]uint64{"empty": 0, "too large": ChunkBytes + 1} {
		t.Run(name, func(t *testing.T) {
			if err := p.Set(Chunk{Key: ShardKey(1, 5), Size: size}); !errors.Is(err, ErrChunkSize) || p.Root() != root {
				t.Error(err)
			}
		})
	}
	broken := errors.New("broken")
	if _, err := Extract(trees, []digest.Hash{ShardKey(1, 5)}, func(int) ([]Chunk, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func sorted(list []Chunk) []Chunk {
	SortChunks(list)
	return list
}

// The subtrees that are read for an answer are those on the way to its keys, each once.
func TestExtractReadsWhatIsAsked(t *testing.T) {
	var list []Chunk
	for n := range uint64(4_096) {
		list = append(list, Chunk{Key: ShardKey(0, n), Root: digest.Hash{1}, Size: 1})
	}
	trees, load := cutUp(sorted(list), 6)
	var keys []digest.Hash
	want := map[int]int{}
	for n := range uint64(10) {
		key := ShardKey(0, n*77)
		keys = append(keys, key)
		want[int(key[0]>>2)] = 1
	}
	read := map[int]int{}
	if _, err := Extract(trees, keys, func(at int) ([]Chunk, error) { read[at]++; return load(at) }); err != nil || !maps.Equal(read, want) {
		t.Errorf("%v are read, want %v; %v", read, want, err)
	}
}

// Proofs made of a part of a tree are those that are made of the whole, and there is none of a chunk that the tree has not.
//
// Spec: storage-cbfs §6.
func TestProofsOfPartialTrees(t *testing.T) {
	chunks, data, asks := sampleChunks()
	root := ShardRoot(slices.Clone(chunks))
	trees, load := cutUp(sorted(slices.Clone(chunks)), 2)
	for i, a := range asks {
		a.Root, a.Draw = root, 3
		p, err := Extract(trees, []digest.Hash{chunks[i].Key}, load)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Prove(data[i], a)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Verify(a); err != nil {
			t.Errorf("chunk %d: %v", i, err)
		}
		a.Slot += 100
		if _, err := p.Prove(data[i], a); err == nil {
			t.Errorf("chunk %d is proven to be another one", i)
		}
	}
}

// Bytes that were changed or cut off are no part of the tree, nor are forms that Append never writes.
//
// Spec: storage-cbfs §2.2 (shard_root).
func TestPartialForms(t *testing.T) {
	f := forest{rand.New(rand.NewPCG(3, 3))}
	all := f.chunks(40)
	trees, load := cutUp(listOf(all), 2)
	p, err := Extract(trees, []digest.Hash{f.key(), listOf(all)[0].Key}, load)
	if err != nil {
		t.Fatal(err)
	}
	root, raw := p.Root(), p.Append(nil)
	for cut := range raw {
		if _, err := DecodePartial(raw[:cut], root); !errors.Is(err, ErrPartialForm) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	for at := range len(raw) * 8 {
		bad := slices.Clone(raw)
		bad[at/8] ^= 1 << (at % 8)
		if got, err := DecodePartial(bad, root); err == nil {
			t.Fatalf("with bit %d changed it is read: %s", at, got.Root())
		}
	}
	leaf := func(key digest.Hash, size byte) []byte {
		return append(append(append([]byte{tagLeaf}, key[:]...), make([]byte, 32)...), size)
	}
	high := digest.Hash{0x80}
	for name, bad := range map[string][]byte{
		"a byte more":            append(slices.Clone(raw), 0),
		"an unknown tag":         {tags},
		"a fork of nothing":      {tagFork, tagEmpty, tagEmpty},
		"a fork of one, left":    append(append([]byte{tagFork}, leaf(digest.Hash{}, 1)...), tagEmpty),
		"a fork of one, right":   append([]byte{tagFork, tagEmpty}, leaf(high, 1)...),
		"a chunk of no bytes":    leaf(digest.Hash{}, 0),
		"a key on another side":  append(append([]byte{tagFork}, leaf(high, 1)...), leaf(high, 1)...),
		"a hash that is nothing": append([]byte{tagHash}, make([]byte, 32)...),
		"too deep":               append(bytes.Repeat([]byte{tagFork}, levels+1), bytes.Repeat([]byte{tagEmpty}, levels+2)...),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := DecodePartial(bad, root); !errors.Is(err, ErrPartialForm) {
				t.Error(err)
			}
		})
	}
	if _, err := DecodePartial(raw, digest.Hash{1}); !errors.Is(err, ErrPartialRoot) {
		t.Error(err)
	}
	if p, err := DecodePartial([]byte{tagEmpty}, digest.Hash{}); err != nil || p.Set(Chunk{Key: high, Size: 1}) != nil || p.Root() == (digest.Hash{}) {
		t.Error(err)
	}
}

func FuzzPartial(f *testing.F) {
	trees := forest{rand.New(rand.NewPCG(5, 5))}
	cut, load := cutUp(listOf(trees.chunks(20)), 1)
	p, err := Extract(cut, []digest.Hash{trees.key()}, load)
	if err != nil {
		f.Fatal(err)
	}
	root := p.Root()
	f.Add(p.Append(nil), root[:])
	f.Fuzz(func(t *testing.T, raw, root []byte) {
		if len(root) != digest.Size {
			return
		}
		if p, err := DecodePartial(raw, digest.Hash(root)); err == nil && !bytes.Equal(p.Append(nil), raw) {
			t.Error("a part of a tree has two forms")
		}
	})
}

// samplePartial has a node of each kind.
func samplePartial() *Partial {
	leaf := &node{leaf: &Chunk{Key: digest.Hash{0x40}, Root: digest.Hash{1}, Size: 300}}
	left := &node{sides: &[2]*node{{hash: digest.Hash{2}, known: true}, leaf}}
	return &Partial{&node{sides: &[2]*node{left, nil}}}
}
