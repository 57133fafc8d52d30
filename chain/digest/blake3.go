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
	begin uint64 // groups that are before it, where it is a part of a larger tree
	subtrees
	rest [groupBytes]byte // the last group is not hashed before more comes, since it may be the root
	size int              // of the rest
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
	t.add(guts.CompressBuffer(group, groupBytes, &guts.IV, (t.begin+t.count)<<groupLevel, 0))
}

// top is the node over all of it.
func (t *tree) top() guts.Node {
	return t.over(guts.CompressBuffer(&t.rest, t.size, &guts.IV, (t.begin+t.count)<<groupLevel, 0))
}

// subtrees are those over what has others behind it, each of a power of two of leaves, the larger ones above. Leaves are groups, or pieces.
type subtrees struct {
	count uint64 // of leaves
	above [64][8]uint32
}

// add takes the next leaf.
func (s *subtrees) add(leaf guts.Node) {
	value := guts.ChainingValue(leaf)
	level := bits.TrailingZeros64(^s.count) // subtrees of as many leaves as this one has with them
	for _, left := range s.above[:level] {
		value = guts.ChainingValue(guts.ParentNode(left, value, &guts.IV, 0))
	}
	s.above[level] = value
	s.count++
}

// over is the node over all of them and the last leaf, which is not added.
func (s *subtrees) over(last guts.Node) guts.Node {
	for left := s.count; left > 0; left &= left - 1 {
		last = guts.ParentNode(s.above[bits.TrailingZeros64(left)], guts.ChainingValue(last), &guts.IV, 0)
	}
	return last
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
	var s subtrees
	last := len(pieces) - 1
	for _, one := range pieces[:last] {
		s.add(one.top)
	}
	return root(s.over(pieces[last].top))
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
func (t *tree) Reset() { t.count, t.size = 0, 0 }

// Size implements hash.Hash.
func (*tree) Size() int { return Size }

// BlockSize implements hash.Hash.
func (*tree) BlockSize() int { return guts.BlockSize }
