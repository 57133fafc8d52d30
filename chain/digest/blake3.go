package digest

import (
	"hash"
	"math/bits"

	"github.com/zeebo/blake3"
	"lukechampine.com/blake3/guts"
)

const (
	shortBytes = 256                           // up to so many bytes, parts are copied together
	groupBytes = guts.MaxSIMD * guts.ChunkSize // what is hashed at a time
	groupLevel = 4                             // of a group in the tree: it has 16 chunks
)

// Blake3 is the 32-byte BLAKE3 of the concatenated parts.
func Blake3(parts ...[]byte) (h Hash) {
	if len(parts) == 1 && len(parts[0]) < groupBytes {
		return blake3.Sum256(parts[0])
	}
	var short [shortBytes]byte // a streaming hash has tables of its own, which cost more than a few blocks
	joined := short[:0]
	for _, p := range parts {
		if len(joined)+len(p) > shortBytes {
			return longBlake3(parts)
		}
		joined = append(joined, p...)
	}
	return blake3.Sum256(joined)
}

func longBlake3(parts [][]byte) (h Hash) {
	var t tree
	for _, p := range parts {
		t.write(p)
	}
	return t.sum()
}

// NewBlake3 is a streaming BLAKE3; Sum gives 32 bytes.
func NewBlake3() hash.Hash { return &tree{} }

// tree hashes 16 chunks at a time, which package guts does at once on processors with AVX-512; package blake3 does 8 at once at most, by AVX2. It keeps the
// subtrees that are complete, the larger ones above.
//
// Source: the paper on BLAKE3, §2.1, §5.1.2 (incremental hashing).
type tree struct {
	groups uint64 // that are in the subtrees
	above  [64 - groupLevel][8]uint32
	rest   [groupBytes]byte // the last group is not hashed before more comes, since it may be the root
	size   int              // of the rest
}

func (t *tree) write(p []byte) {
	if t.size > 0 {
		n := copy(t.rest[t.size:], p)
		t.size += n
		if p = p[n:]; len(p) == 0 {
			return
		}
		t.push(&t.rest)
		t.size = 0
	}
	for ; len(p) > groupBytes; p = p[groupBytes:] {
		t.push((*[groupBytes]byte)(p))
	}
	t.size = copy(t.rest[:], p)
}

// push takes a group that is full and has others behind it.
func (t *tree) push(group *[groupBytes]byte) {
	value := guts.ChainingValue(guts.CompressBuffer(group, groupBytes, &guts.IV, t.groups<<groupLevel, 0))
	level := bits.TrailingZeros64(^t.groups) // subtrees of as many groups as this one has with them
	for _, left := range t.above[:level] {
		value = guts.ChainingValue(guts.ParentNode(left, value, &guts.IV, 0))
	}
	t.above[level] = value
	t.groups++
}

func (t *tree) sum() (h Hash) {
	node := guts.CompressBuffer(&t.rest, t.size, &guts.IV, t.groups<<groupLevel, 0)
	for left := t.groups; left > 0; left &= left - 1 {
		node = guts.ParentNode(t.above[bits.TrailingZeros64(left)], guts.ChainingValue(node), &guts.IV, 0)
	}
	node.Flags |= guts.FlagRoot
	out := guts.WordsToBytes(guts.CompressNode(node))
	copy(h[:], out[:])
	return h
}

// Write implements hash.Hash.
func (t *tree) Write(p []byte) (int, error) {
	t.write(p)
	return len(p), nil
}

// Sum implements hash.Hash.
func (t *tree) Sum(b []byte) []byte {
	h := t.sum()
	return append(b, h[:]...)
}

// Reset implements hash.Hash.
func (t *tree) Reset() { t.groups, t.size = 0, 0 }

// Size implements hash.Hash.
func (*tree) Size() int { return Size }

// BlockSize implements hash.Hash.
func (*tree) BlockSize() int { return guts.BlockSize }
