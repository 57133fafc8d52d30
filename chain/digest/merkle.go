package digest

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// Function is a 32-byte hash of one byte string. A Merkle tree is parametrised
// by it; the chain uses keccak256.
type Function func(data []byte) Hash

// Keccak is Keccak256 of one byte string, the Function of the transaction and
// receipt roots.
func Keccak(data []byte) Hash { return Keccak256(data) }

// MerkleRoot is the root of the binary Merkle tree over leaves with keccak256:
//
//	leaf_i = H(be4 i ‖ leaves[i])
//	node   = H(left ‖ right); the last node of an odd level pairs with itself
//	empty  = H("") as the tree root
//	root   = H(be4 count ‖ tree root)
//
// The position in each leaf and the count in the root take away the ambiguity
// of the doubled last node. At most 2³²−1 leaves.
// Spec: commonware §6; WP "Storage and State Persistence".
func MerkleRoot(leaves []Hash) Hash {
	if len(leaves) == 0 {
		return emptyRoot
	}
	return MerkleRootWith(Keccak, leaves)
}

// emptyRoot is the root over no leaves, which most idle blocks have twice.
var emptyRoot = MerkleRootWith(Keccak, nil)

// MerkleRootWith is MerkleRoot with another hash function.
// Spec: commonware §6.
func MerkleRootWith(h Function, leaves []Hash) Hash {
	if len(leaves) == 0 {
		return sealRoot(h, 0, h(nil))
	}
	level := leafLevel(h, leaves)
	scratch := make([]byte, 2*Size)
	for len(level) > 1 {
		level = parents(h, level, level[:0], scratch)
	}
	return sealRoot(h, uint32(len(leaves)), level[0])
}

func leafLevel(h Function, leaves []Hash) []Hash {
	level := make([]Hash, len(leaves))
	scratch := make([]byte, 4+Size)
	for i, leaf := range leaves {
		level[i] = hashLeaf(h, uint32(i), leaf, scratch)
	}
	return level
}

func hashLeaf(h Function, position uint32, leaf Hash, scratch []byte) Hash {
	binary.BigEndian.PutUint32(scratch, position)
	copy(scratch[4:], leaf[:])
	return h(scratch[:4+Size])
}

func hashNode(h Function, left, right Hash, scratch []byte) Hash {
	copy(scratch, left[:])
	copy(scratch[Size:], right[:])
	return h(scratch[:2*Size])
}

func sealRoot(h Function, count uint32, top Hash) Hash {
	scratch := make([]byte, 4+Size)
	return hashLeaf(h, count, top, scratch)
}

// parents writes the level above into out, which may alias level: entry i of
// out is written after entries 2i and 2i+1 of level were read.
func parents(h Function, level, out []Hash, scratch []byte) []Hash {
	for i := 0; i < len(level); i += 2 {
		right := level[i]
		if i+1 < len(level) {
			right = level[i+1]
		}
		out = append(out, hashNode(h, level[i], right, scratch))
	}
	return out
}

// MerkleProof shows that leaves stand at positions in the tree with a given
// root: the leaf count and the sibling hashes a verifier cannot compute, level
// by level from the leaves and by index inside a level. A node that is its own
// sibling needs no hash.
// Spec: commonware §6.
type MerkleProof struct {
	LeafCount uint32
	Siblings  []Hash
}

// maxLevels bounds the height of a tree of at most 2³²−1 leaves.
const maxLevels = 32

var (
	// ErrMerkleProof reports a proof that does not lead to the root.
	ErrMerkleProof = errors.New("digest: Merkle proof does not match the root")
	// ErrMerklePosition reports positions that are empty, not strictly
	// ascending, or outside the tree.
	ErrMerklePosition = errors.New("digest: Merkle positions not ascending inside the tree")
)

// ProveMerkle proves the leaves at positions (strictly ascending, at least one)
// of the keccak256 tree over leaves, or gives ErrMerklePosition.
// Spec: commonware §6.
func ProveMerkle(leaves []Hash, positions ...uint32) (MerkleProof, error) {
	return ProveMerkleWith(Keccak, leaves, positions...)
}

// ProveMerkleWith is ProveMerkle with another hash function.
func ProveMerkleWith(h Function, leaves []Hash, positions ...uint32) (MerkleProof, error) {
	if !insideAscending(positions, uint32(len(leaves))) {
		return MerkleProof{}, ErrMerklePosition
	}
	proof := MerkleProof{LeafCount: uint32(len(leaves))}
	known := slices.Clone(positions)
	level := leafLevel(h, leaves)
	scratch := make([]byte, 2*Size)
	for len(level) > 1 {
		for i, p := range known {
			sibling := p ^ 1
			if i > 0 && known[i-1] == sibling || i+1 < len(known) && known[i+1] == sibling {
				continue
			}
			if int(sibling) < len(level) {
				proof.Siblings = append(proof.Siblings, level[sibling])
			}
		}
		known = halve(known)
		level = parents(h, level, level[:0], scratch)
	}
	return proof, nil
}

// halve maps the known positions of a level to the level above, without
// duplicates.
func halve(known []uint32) []uint32 {
	up := known[:0]
	for _, p := range known {
		if n := len(up); n == 0 || up[n-1] != p/2 {
			up = append(up, p/2)
		}
	}
	return up
}

func insideAscending(positions []uint32, count uint32) bool {
	for i, p := range positions {
		if p >= count || i > 0 && positions[i-1] >= p {
			return false
		}
	}
	return len(positions) > 0
}

// Verify checks that leaves[i] stands at positions[i] (strictly ascending) under
// root in the keccak256 tree. It gives ErrMerklePosition or ErrMerkleProof.
// Spec: commonware §6.
func (p MerkleProof) Verify(root Hash, positions []uint32, leaves []Hash) error {
	return p.VerifyWith(Keccak, root, positions, leaves)
}

// VerifyWith is Verify with another hash function.
func (p MerkleProof) VerifyWith(h Function, root Hash, positions []uint32, leaves []Hash) error {
	if len(positions) != len(leaves) || !insideAscending(positions, p.LeafCount) {
		return ErrMerklePosition
	}
	known := slices.Clone(positions)
	scratch := make([]byte, 2*Size)
	values := make([]Hash, len(leaves))
	for i, leaf := range leaves {
		values[i] = hashLeaf(h, positions[i], leaf, scratch)
	}
	rest := p.Siblings
	for width, levels := p.LeafCount, 0; width > 1; width, levels = width/2+width&1, levels+1 {
		if levels == maxLevels {
			return ErrMerkleProof
		}
		out := 0
		for i := 0; i < len(known); i++ {
			at := known[i]
			left, right := values[i], values[i]
			switch {
			case at&1 == 0 && i+1 < len(known) && known[i+1] == at+1:
				i++
				right = values[i]
			case at&1 == 0 && at+1 >= width:
				// The odd end is its own sibling.
			case len(rest) == 0:
				return ErrMerkleProof
			case at&1 == 0:
				right, rest = rest[0], rest[1:]
			default:
				left, rest = rest[0], rest[1:]
			}
			known[out], values[out] = at/2, hashNode(h, left, right, scratch)
			out++
		}
		known, values = known[:out], values[:out]
	}
	if len(rest) != 0 || sealRoot(h, p.LeafCount, values[0]) != root {
		return ErrMerkleProof
	}
	return nil
}

// Append appends the canonical encoding be4 leaf_count ‖ Vec of siblings.
// Spec: commonware §6.
func (p MerkleProof) Append(dst []byte) []byte {
	dst = codec.AppendLen(codec.AppendU32(dst, p.LeafCount), len(p.Siblings))
	for _, s := range p.Siblings {
		dst = codec.AppendFixed(dst, s[:])
	}
	return dst
}

// DecodeMerkleProof reads what Append wrote and nothing else, or gives a
// *codec.Error. Its size is bounded by the input's alone.
// Spec: commonware §6.
func DecodeMerkleProof(data []byte) (MerkleProof, error) {
	r := codec.NewReader(data)
	p := MerkleProof{LeafCount: r.U32()}
	n := r.Len(0, len(data)/Size, Size)
	if n > 0 {
		p.Siblings = make([]Hash, n)
	}
	for i := range p.Siblings {
		r.Into(p.Siblings[i][:])
	}
	if err := r.Finish(); err != nil {
		return MerkleProof{}, err
	}
	return p, nil
}
