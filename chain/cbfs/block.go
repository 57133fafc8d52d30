package cbfs

import (
	"math/bits"
	"slices"

	"lukechampine.com/blake3/guts"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The tree of BLAKE3 (section 2.1 of its paper) has the blocks of a chunk as leaves; the left side of a node has the largest power of two of blocks that
// leaves some for the right one. Every value of it is known to whoever has the chunk, so a path through it proves a block against the chunk's plain hash.

// split is how many of a node's blocks lie on its left side; count is at least 2.
func split(count uint64) uint64 { return 1 << (bits.Len64(count-1) - 1) }

// value is the chaining value of a node that is not the root; its blocks begin with number first.
func value(data []byte, first uint64) digest.Hash {
	count := Blocks(uint64(len(data)))
	if count == 1 {
		return chain(guts.CompressChunk(data, &guts.IV, first, 0), 0)
	}
	left := split(count)
	return above(value(data[:left*BlockBytes], first), value(data[left*BlockBytes:], first+left), 0)
}

// chain is the chaining value of a node with one more flag.
func chain(n guts.Node, flag uint32) (h digest.Hash) {
	n.Flags |= flag
	words := guts.CompressNode(n)
	whole := guts.WordsToBytes(words)
	copy(h[:], whole[:])
	return h
}

// above is the value of a node over two; flag is that of the root, or none.
func above(left, right digest.Hash, flag uint32) digest.Hash {
	return chain(guts.ParentNode(words(left), words(right), &guts.IV, 0), flag)
}

func words(h digest.Hash) (w [8]uint32) {
	var whole [guts.BlockSize]byte
	copy(whole[:], h[:])
	all := guts.BytesToWords(whole)
	copy(w[:], all[:])
	return w
}

// blockPath gives the values beside the way from a block up to the root, the lowest first.
func blockPath(chunk []byte, at uint64) (path []digest.Hash) {
	first := uint64(0)
	for count := Blocks(uint64(len(chunk))); count > 1; count = Blocks(uint64(len(chunk))) {
		left := split(count)
		one, other := chunk[:left*BlockBytes], chunk[left*BlockBytes:]
		if at-first < left {
			path = append(path, value(other, first+left))
			chunk = one
		} else {
			path = append(path, value(one, first))
			chunk = other
			first += left
		}
	}
	slices.Reverse(path)
	return path
}

// blockRoot leads from a block, which is the one with number at of count and has 1 to BlockBytes bytes, to the root; false where the path is too long or short.
func blockRoot(block []byte, path []digest.Hash, at, count uint64) (root digest.Hash, ok bool) {
	var right [maxPath]bool // the side of each level, that of the root first
	depth := 0
	for first := uint64(0); count > 1; depth++ {
		left := split(count)
		if right[depth] = at-first >= left; right[depth] {
			first, count = first+left, count-left
		} else {
			count = left
		}
	}
	if len(path) != depth || len(block) == 0 || len(block) > BlockBytes {
		return root, false
	}
	flag := func(level int) uint32 { // of the node at a level counted from the root
		if level == 0 {
			return guts.FlagRoot
		}
		return 0
	}
	root = chain(guts.CompressChunk(block, &guts.IV, at, 0), flag(depth))
	for i, sibling := range path {
		level := depth - 1 - i
		if right[level] {
			root = above(sibling, root, flag(level))
		} else {
			root = above(root, sibling, flag(level))
		}
	}
	return root, true
}
