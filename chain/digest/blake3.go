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
	begin  uint64 // groups that are before it, where it is a part of a larger tree
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
	value := guts.ChainingValue(guts.CompressBuffer(group, groupBytes, &guts.IV, (t.begin+t.groups)<<groupLevel, 0))
	level := bits.TrailingZeros64(^t.groups) // subtrees of as many groups as this one has with them
	for _, left := range t.above[:level] {
		value = guts.ChainingValue(guts.ParentNode(left, value, &guts.IV, 0))
	}
	t.above[level] = value
	t.groups++
}

// top is the node over all of it.
func (t *tree) top() guts.Node {
	node := guts.CompressBuffer(&t.rest, t.size, &guts.IV, (t.begin+t.groups)<<groupLevel, 0)
	for left := t.groups; left > 0; left &= left - 1 {
		node = guts.ParentNode(t.above[bits.TrailingZeros64(left)], guts.ChainingValue(node), &guts.IV, 0)
	}
	return node
}

func (t *tree) sum() Hash { return root(t.top()) }

// root is the hash of a tree by its top.
func root(top guts.Node) (h Hash) {
	top.Flags |= guts.FlagRoot
	out := guts.WordsToBytes(guts.CompressNode(top))
	copy(h[:], out[:])
	return h
}

// PieceBytes is how long each piece of an input but the last one is.
const PieceBytes = 1 << 20

// Piece is the subtree of a piece of an input. Two are equal if the bytes are, and their places.
type Piece struct{ top guts.Node }

// PieceOf hashes one piece by its number, of an input whose pieces come in any order.
func PieceOf(data []byte, number uint64) Piece {
	t := tree{begin: number * (PieceBytes / groupBytes)}
	t.write(data)
	return Piece{t.top()}
}

// Blake3Of is the BLAKE3 of an input by its pieces, at least one.
//
// Source: the paper on BLAKE3, §2.1.
func Blake3Of(pieces []Piece) Hash {
	var above [64][8]uint32
	last := uint64(len(pieces) - 1)
	for i := range last {
		value := guts.ChainingValue(pieces[i].top)
		level := bits.TrailingZeros64(^i)
		for _, left := range above[:level] {
			value = guts.ChainingValue(guts.ParentNode(left, value, &guts.IV, 0))
		}
		above[level] = value
	}
	top := pieces[last].top
	for left := last; left > 0; left &= left - 1 {
		top = guts.ParentNode(above[bits.TrailingZeros64(left)], guts.ChainingValue(top), &guts.IV, 0)
	}
	return root(top)
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
