package cbfs

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Sizes of what is proven.
const (
	BlockBytes = 1_024   // of a leaf of a chunk
	ChunkBytes = 1 << 20 // of a chunk at most, since a frame holds one
	maxPath    = 10      // levels of a chunk's tree
	levels     = 256     // of the tree of shards
)

// ProofLabel is what the randomness of challenges is drawn with.
//
// Spec: storage-cbfs §6.
const ProofLabel = "cbfs-por-v1"

// The rejects of proofs.
var (
	ErrProofForm = errors.New("cbfs: not the encoding of a proof")
	ErrProof     = errors.New("cbfs: the proof leads to another root")
)

// ChunkRoot is the BLAKE3 of a chunk, which is the root of BLAKE3's own tree over blocks of 1,024 bytes; a chunk has 1 to ChunkBytes bytes.
//
// Spec: storage-cbfs §6.
func ChunkRoot(chunk []byte) digest.Hash { return digest.Blake3(chunk) }

// ShardKey is where a chunk lies in the tree of shards.
func ShardKey(slot uint8, ordinal uint64) digest.Hash {
	return digest.Blake3([]byte("cbfs:shard-key:v1"), []byte{slot}, binary.BigEndian.AppendUint64(nil, ordinal))
}

// Chunk is a leaf of the tree of shards.
type Chunk struct {
	Key  digest.Hash // ShardKey
	Root digest.Hash // ChunkRoot
	Size uint64      // bytes
}

func (c *Chunk) leaf() digest.Hash {
	return digest.Blake3(c.Key[:], c.Root[:], binary.LittleEndian.AppendUint64(nil, c.Size))
}

// ShardRoot is the root of the tree of shards; that of no chunk is the zero hash. It sorts the chunks by their keys, which differ.
//
// Spec: storage-cbfs §2.2 (shard_root).
func ShardRoot(chunks []Chunk) digest.Hash {
	SortChunks(chunks)
	return subtree(chunks, 0)
}

// SortChunks sorts chunks by their keys.
func SortChunks(chunks []Chunk) {
	slices.SortFunc(chunks, func(a, b Chunk) int { return slices.Compare(a.Key[:], b.Key[:]) })
}

func subtree(chunks []Chunk, depth int) digest.Hash {
	switch {
	case len(chunks) == 0:
		return digest.Hash{}
	case len(chunks) == 1 || depth == levels:
		return chunks[0].leaf()
	}
	at := parting(chunks, chunkKey, depth)
	return join(subtree(chunks[:at], depth+1), subtree(chunks[at:], depth+1))
}

// parting is where those of a sorted list begin whose keys have a bit set; those before have the same bits in front of it.
func parting[T any](list []T, key func(*T) *digest.Hash, depth int) int {
	low, high := 0, len(list)
	for low < high {
		if middle := (low + high) / 2; bit(*key(&list[middle]), depth) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

func chunkKey(c *Chunk) *digest.Hash { return &c.Key }

func sameKey(key *digest.Hash) *digest.Hash { return key }

func bit(key digest.Hash, depth int) bool { return key[depth/8]>>(7-depth%8)&1 == 1 }

// Proof leads from a block of a chunk to the root of the shards.
//
// Spec: storage-cbfs §6.
type Proof struct {
	Size     uint64        // of the chunk
	Block    []byte        // at most BlockBytes
	Path     []digest.Hash // from the block up to the chunk's root
	Siblings []digest.Hash // from the chunk up to the root, those that are not zero
	Present  digest.Hash   // a bit for each level, that of the root first: its sibling is not zero; the last one is that beside the chunk's leaf
}

// Append appends the canonical encoding: UInt size ‖ Bytes block ‖ list of path ‖ 32 bytes ‖ list of siblings.
func (p *Proof) Append(dst []byte) []byte {
	dst = codec.AppendBytes(codec.AppendUint(dst, p.Size), p.Block)
	dst = codec.AppendLen(dst, len(p.Path))
	for _, h := range p.Path {
		dst = codec.AppendFixed(dst, h[:])
	}
	dst = codec.AppendLen(codec.AppendFixed(dst, p.Present[:]), len(p.Siblings))
	for _, h := range p.Siblings {
		dst = codec.AppendFixed(dst, h[:])
	}
	return dst
}

// DecodeProof reads what Append wrote. Reject: ErrProofForm.
func DecodeProof(data []byte) (*Proof, error) {
	r := codec.NewReader(data)
	p := &Proof{Size: r.Uint(), Block: r.Bytes(BlockBytes)}
	p.Path = make([]digest.Hash, r.Len(0, maxPath, digest.Size))
	for i := range p.Path {
		r.Into(p.Path[i][:])
	}
	r.Into(p.Present[:])
	p.Siblings = make([]digest.Hash, r.Len(0, levels, digest.Size))
	for i := range p.Siblings {
		r.Into(p.Siblings[i][:])
	}
	if err := r.Finish(); err != nil {
		return nil, errors.Join(ErrProofForm, err)
	}
	return p, nil
}

// Blocks is how many blocks a chunk of a size has.
func Blocks(size uint64) uint64 { return (size + BlockBytes - 1) / BlockBytes }

// Ask is what a challenge asks for.
type Ask struct {
	Root    digest.Hash // of the shards
	Slot    uint8
	Ordinal uint64 // of the chunk
	Draw    uint64 // which of its blocks, modulo their number
}

// Verify reports whether the proof answers. Its work is bounded by 256 hashes, ten of a path and one of a block. Reject: ErrProof.
//
// Spec: storage-cbfs §6.
func (p *Proof) Verify(a Ask) error {
	if p.Size == 0 || p.Size > ChunkBytes {
		return ErrProof
	}
	count := Blocks(p.Size)
	at := a.Draw % count
	length := uint64(BlockBytes)
	if at == count-1 {
		length = p.Size - at*BlockBytes
	}
	h, ok := blockRoot(p.Block, p.Path, at, count)
	if uint64(len(p.Block)) != length || !ok {
		return ErrProof
	}
	key := ShardKey(a.Slot, a.Ordinal)
	leaf := Chunk{Key: key, Root: h, Size: p.Size}
	h = leaf.leaf()
	rest := p.Siblings
	for depth := p.depth() - 1; depth >= 0; depth-- {
		var sibling digest.Hash
		if bit(p.Present, depth) {
			if len(rest) == 0 {
				return ErrProof
			}
			sibling, rest = rest[0], rest[1:]
		}
		if bit(key, depth) {
			h = join(sibling, h)
		} else {
			h = join(h, sibling)
		}
	}
	if len(rest) > 0 || h != a.Root {
		return ErrProof
	}
	return nil
}

// depth is on which level the chunk's leaf lies: that below the last one with a sibling, since a subtree of one leaf is that leaf.
func (p *Proof) depth() int {
	depth := levels
	for depth > 0 && !bit(p.Present, depth-1) {
		depth--
	}
	return depth
}

// Prove makes the proof of a chunk's block: chunks are all leaves of the tree of shards, which it sorts, bytes are those of the chunk. Error: that the tree has
// no such chunk.
func Prove(chunks []Chunk, bytes []byte, a Ask) (*Proof, error) {
	SortChunks(chunks)
	p := &Partial{prune(chunks, []digest.Hash{ShardKey(a.Slot, a.Ordinal)}, 0)}
	return p.Prove(bytes, a)
}

// ChallengeID is BLAKE3("cbfs:challenge:v1" ‖ relay ‖ volume_id ‖ slot ‖ height as be8 ‖ challenger), whose address is zero for the chain.
//
// Spec: storage-cbfs §2.7.
func ChallengeID(relay account.Address, volume digest.Hash, slot uint8, at unit.Height, challenger account.Address) digest.Hash {
	return digest.Blake3([]byte("cbfs:challenge:v1"), relay[:], volume[:], []byte{slot}, binary.BigEndian.AppendUint64(nil, uint64(at)), challenger[:])
}

// Randomness is what challenges are drawn from: HKDF(parent beacon, "cbfs-por-v1").
//
// Spec: storage-cbfs §6.
func Randomness(beacon []byte) digest.Hash { return sig.Randomness(beacon, ProofLabel) }

// Pick is which of count things a relay is asked about: the first eight bytes of BLAKE3(randomness ‖ relay ‖ height as be8), big-endian, modulo count.
func Pick(random digest.Hash, relay account.Address, at unit.Height, count uint64) uint64 {
	h := digest.Blake3(random[:], relay[:], binary.BigEndian.AppendUint64(nil, uint64(at)))
	return binary.BigEndian.Uint64(h[:]) % count
}

// Range draws what a challenge asks for of a slot's chunks: of BLAKE3(randomness ‖ challenge_id) the first eight bytes, big-endian, modulo their number are
// the chunk, the next eight the block (Ask.Draw).
func Range(random, id digest.Hash, chunks uint64) (ordinal, draw uint64) {
	h := digest.Blake3(random[:], id[:])
	return binary.BigEndian.Uint64(h[:]) % chunks, binary.BigEndian.Uint64(h[8:])
}
