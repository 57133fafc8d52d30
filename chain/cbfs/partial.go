package cbfs

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The rejects of partial trees.
var (
	ErrPartialForm = errors.New("cbfs: not the encoding of a part of the tree of shards")
	ErrPartialRoot = errors.New("cbfs: the part is of a tree with another root")
	ErrUncovered   = errors.New("cbfs: the part of the tree does not say what stands there")
	ErrChunkSize   = errors.New("cbfs: a chunk has 1 to 1,048,576 bytes")
	errAbsent      = errors.New("cbfs: the tree has no such chunk")
)

// Partial is a part of the tree of shards: all of it on the way to some keys, and beside that way hashes alone. So it proves what stands at each of these
// keys, a chunk or nothing, and gives the root of the tree in which some of them have other chunks.
//
// Spec: storage-cbfs §2.2 (shard_root).
type Partial struct{ top *node }

// node is a subtree; nil is an empty one.
type node struct {
	hash  digest.Hash
	known bool      // hash is that of what is below
	leaf  *Chunk    // of a subtree of one chunk
	sides *[2]*node // of a subtree of two chunks and more; of which the hash alone is known where leaf is nil too
}

func (n *node) root() digest.Hash {
	switch {
	case n == nil:
		return digest.Hash{}
	case n.known:
	case n.leaf != nil:
		n.hash = n.leaf.leaf()
	default:
		n.hash = join(n.sides[0].root(), n.sides[1].root())
	}
	n.known = true
	return n.hash
}

func side(key digest.Hash, depth int) int {
	if bit(key, depth) {
		return 1
	}
	return 0
}

// Root is the root of the tree, with what was set.
func (p *Partial) Root() digest.Hash { return p.top.root() }

// Get tells which chunk stands at a key; false says that none does. Error: ErrUncovered.
func (p *Partial) Get(key digest.Hash) (c Chunk, there bool, err error) {
	n := p.top
	for depth := 0; n != nil && n.sides != nil; depth++ {
		n = n.sides[side(key, depth)]
	}
	switch {
	case n == nil:
		return Chunk{}, false, nil
	case n.leaf == nil:
		return Chunk{}, false, ErrUncovered
	case n.leaf.Key != key:
		return Chunk{}, false, nil
	}
	return *n.leaf, true, nil
}

// Set puts a chunk at its key, in the place of the one that stands there or where none does. Rejects, which change nothing: ErrUncovered, ErrChunkSize.
func (p *Partial) Set(c Chunk) error {
	if c.Size == 0 || c.Size > ChunkBytes {
		return ErrChunkSize
	}
	if _, _, err := p.Get(c.Key); err != nil {
		return err
	}
	at, depth := &p.top, 0
	for ; *at != nil && (*at).sides != nil; depth++ {
		(*at).known = false
		at = &(*at).sides[side(c.Key, depth)]
	}
	old := *at
	for ; old != nil && old.leaf.Key != c.Key; depth++ { // the two part where their keys do
		fork := &node{sides: new([2]*node)}
		*at = fork
		if mine, other := side(c.Key, depth), side(old.leaf.Key, depth); mine != other {
			fork.sides[other] = old
			old = nil
		}
		at = &fork.sides[side(c.Key, depth)]
	}
	*at = &node{leaf: &c}
	return nil
}

// Merge adds what another part of the same tree says. Nobody uses the other one afterwards. Reject: ErrPartialRoot.
func (p *Partial) Merge(other *Partial) error {
	if p.Root() != other.Root() {
		return ErrPartialRoot
	}
	p.top = merge(p.top, other.top)
	return nil
}

// merge gives a subtree as far as one of two says what is in it.
func merge(a, b *node) *node {
	switch {
	case a == nil || a.leaf != nil || b.leaf == nil && b.sides == nil:
		return a
	case a.sides == nil:
		return b
	}
	a.sides[0], a.sides[1] = merge(a.sides[0], b.sides[0]), merge(a.sides[1], b.sides[1])
	return a
}

// prune gives the subtree of sorted chunks as far as sorted keys lead.
func prune(chunks []Chunk, keys []digest.Hash, depth int) *node {
	switch {
	case len(chunks) == 0:
		return nil
	case len(keys) == 0:
		return &node{hash: subtree(chunks, depth), known: true}
	case len(chunks) == 1 || depth == levels:
		return &node{leaf: &chunks[0]}
	}
	at, middle := parting(chunks, chunkKey, depth), parting(keys, sameKey, depth)
	return &node{sides: &[2]*node{prune(chunks[:at], keys[:middle], depth+1), prune(chunks[at:], keys[middle:], depth+1)}}
}

// Subtree is what is known of the chunks whose keys begin with the same bits.
type Subtree struct {
	Root   digest.Hash
	Leaves uint32
}

// SubtreeOf is that of sorted chunks whose keys have so many first bits in common.
func SubtreeOf(chunks []Chunk, bits int) Subtree {
	return Subtree{subtree(chunks, bits), uint32(len(chunks))}
}

// Fold is the subtree above others: a power of two of them, in the order of the bits that their keys have behind those which all have in common.
//
// Spec: storage-cbfs §2.2 (shard_root).
func Fold(list []Subtree) Subtree {
	if len(list) == 1 {
		return list[0]
	}
	left, right := Fold(list[:len(list)/2]), Fold(list[len(list)/2:])
	switch all := left.Leaves + right.Leaves; {
	case all == left.Leaves && all < 2:
		return left
	case all == right.Leaves && all < 2:
		return right
	default:
		return Subtree{join(left.Root, right.Root), all}
	}
}

// Extract gives the part of a tree that says what stands at keys, which it sorts. The tree is that of a power of two of subtrees, in the order of the first
// bits of their keys; load gives the sorted chunks of those on the way to a key, each once. Error: that of load.
func Extract(list []Subtree, keys []digest.Hash, load func(at int) ([]Chunk, error)) (*Partial, error) {
	sortKeys(keys)
	x := extraction{load: load}
	top := x.node(list, 0, keys, 0)
	return &Partial{top}, x.err
}

type extraction struct {
	load func(at int) ([]Chunk, error)
	err  error
}

// node gives the node above subtrees, the first of which is that of the number first.
func (x *extraction) node(list []Subtree, first int, keys []digest.Hash, depth int) *node {
	leaves := uint32(0)
	for i := range list {
		leaves += list[i].Leaves
	}
	half := len(list) / 2
	switch {
	case leaves == 0 || x.err != nil:
		return nil
	case len(keys) == 0:
		return &node{hash: Fold(list).Root, known: true}
	case len(list) == 1:
		var chunks []Chunk
		chunks, x.err = x.load(first)
		return prune(chunks, keys, depth)
	case leaves == 1: // it stands where its subtree of one chunk begins
		if Fold(list[:half]).Leaves == 1 {
			return x.node(list[:half], first, keys, depth)
		}
		return x.node(list[half:], first+half, keys, depth)
	}
	middle := parting(keys, sameKey, depth)
	left := x.node(list[:half], first, keys[:middle], depth+1)
	return &node{sides: &[2]*node{left, x.node(list[half:], first+half, keys[middle:], depth+1)}}
}

func sortKeys(keys []digest.Hash) {
	slices.SortFunc(keys, func(a, b digest.Hash) int { return slices.Compare(a[:], b[:]) })
}

// Prove makes the proof of a block of a chunk, of which the bytes are given. Errors: ErrUncovered, and that the tree has no such chunk.
//
// Spec: storage-cbfs §6.
func (p *Partial) Prove(bytes []byte, a Ask) (*Proof, error) {
	key := ShardKey(a.Slot, a.Ordinal)
	if _, there, err := p.Get(key); err != nil || !there {
		return nil, errors.Join(err, errAbsent)
	}
	count := Blocks(uint64(len(bytes)))
	at := a.Draw % count
	proof := &Proof{Size: uint64(len(bytes)), Block: bytes[at*BlockBytes : min((at+1)*BlockBytes, uint64(len(bytes)))], Path: blockPath(bytes, at)}
	n := p.top
	for depth := 0; n.sides != nil; depth++ {
		mine := side(key, depth)
		if other := n.sides[1-mine]; other != nil {
			proof.Present[depth/8] |= 1 << (7 - depth%8)
			proof.Siblings = append(proof.Siblings, other.root())
		}
		n = n.sides[mine]
	}
	slices.Reverse(proof.Siblings)
	return proof, nil
}

// The tags of nodes.
const (
	tagEmpty = iota
	tagHash
	tagLeaf
	tagFork
	tags
)

// Append appends the canonical encoding, a tag for each node and behind it: nothing of an empty subtree; the hash; of a leaf 32 bytes of the key, 32 of the
// chunk's root and UInt size; of a fork the encodings of its left and of its right side.
func (p *Partial) Append(dst []byte) []byte { return p.top.write(dst) }

func (n *node) write(dst []byte) []byte {
	switch {
	case n == nil:
		return append(dst, tagEmpty)
	case n.sides != nil:
		return n.sides[1].write(n.sides[0].write(append(dst, tagFork)))
	case n.leaf != nil:
		dst = codec.AppendFixed(codec.AppendFixed(append(dst, tagLeaf), n.leaf.Key[:]), n.leaf.Root[:])
		return codec.AppendUint(dst, n.leaf.Size)
	}
	return codec.AppendFixed(append(dst, tagHash), n.hash[:])
}

// DecodePartial reads what Append wrote, and holds it to a root. Its work is bounded by a hash for each byte. Rejects: ErrPartialForm, ErrPartialRoot.
//
// Spec: storage-cbfs §2.2 (shard_root).
func DecodePartial(data []byte, root digest.Hash) (*Partial, error) {
	in := codec.NewReader(data)
	p := &Partial{readNode(in, digest.Hash{}, 0)}
	if err := in.Finish(); err != nil {
		return nil, errors.Join(ErrPartialForm, err)
	}
	if p.Root() != root {
		return nil, ErrPartialRoot
	}
	return p, nil
}

// readNode reads a node; its keys begin with the first depth bits of prefix.
func readNode(in *codec.Reader, prefix digest.Hash, depth int) *node {
	n := new(node)
	switch in.Tag(tags) {
	case tagEmpty:
		return nil
	case tagHash:
		in.Into(n.hash[:])
		if n.known = true; n.hash.IsZero() {
			in.Fail(ErrPartialForm, uint64(depth))
		}
	case tagLeaf:
		n.leaf = new(Chunk)
		in.Into(n.leaf.Key[:])
		in.Into(n.leaf.Root[:])
		n.leaf.Size = in.Uint()
		if n.leaf.Size == 0 || n.leaf.Size > ChunkBytes || !begins(n.leaf.Key, prefix, depth) {
			in.Fail(ErrPartialForm, uint64(depth))
		}
	case tagFork:
		if depth == levels {
			in.Fail(ErrPartialForm, levels)
			return nil
		}
		left := readNode(in, prefix, depth+1)
		prefix[depth/8] |= 1 << (7 - depth%8)
		right := readNode(in, prefix, depth+1)
		if left == nil && (right == nil || right.leaf != nil) || right == nil && left.leaf != nil { // of fewer than two chunks no fork is made
			in.Fail(ErrPartialForm, uint64(depth))
		}
		n.sides = &[2]*node{left, right}
	}
	return n
}

func begins(key, prefix digest.Hash, depth int) bool {
	for i := range depth {
		if bit(key, i) != bit(prefix, i) {
			return false
		}
	}
	return true
}
