package store

import (
	"encoding/binary"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds of what a table is made of.
const (
	branchLeaves = 1_024 // of a branch on average, half of it at least where there are two branches
	maxTouched   = 1 << 16
	maxDirectory = 16 << 20
	maxBranch    = 16 * branchLeaves * leafSize // keys are hashes: none has much more than the average
	maxPage      = protocol.PageStripes*(4+digest.Size*protocol.MaxSlots) + 16
	leafSize     = 1 + 4 + 4 + digest.Size
)

// directory is what a table is made of, in memory.
type directory struct {
	k, m     uint8
	count    uint64        // stripes
	base     digest.Hash   // the root of the table that it was made from; zero for none, and where more was touched than is told
	touched  []uint64      // numbers that differ from the base, ascending
	pages    []digest.Hash // BLAKE3 of each
	branches []branchRef   // a power of two, in the order of the first bits of their keys
}

// branchRef is a branch of the tree of shards: the chunks whose keys begin with the same bits.
type branchRef struct {
	hash digest.Hash // BLAKE3 of its encoding; zero for one without chunks
	tree cbfs.Subtree
}

// branchBits is how many first bits of their keys divide so many chunks into branches.
func branchBits(chunks uint64) (bits int) {
	for chunks>>bits > branchLeaves {
		bits++
	}
	return bits
}

func (d *directory) slots() int { return int(d.k) + int(d.m) }

// bits is how many bits the keys of a branch have in common.
func (d *directory) bits() int { return branchBits(d.count * uint64(d.slots())) }

func (d *directory) trees() []cbfs.Subtree {
	list := make([]cbfs.Subtree, len(d.branches))
	for i := range list {
		list[i] = d.branches[i].tree
	}
	return list
}

// root is the shard_root.
func (d *directory) root() digest.Hash { return cbfs.Fold(d.trees()).Root }

// size is how much memory the directory takes, as much as its encoding.
func (d *directory) size() int {
	return directoryHead + 4 + 4*len(d.touched) + digest.Size*len(d.pages) + branchSize*len(d.branches) + digest.Size
}

const (
	directoryHead = 6 + digest.Size
	branchSize    = 2*digest.Size + 4
)

// encode is k u8 ‖ m u8 ‖ stripes be4 ‖ base ‖ touched be4, and a be4 for each ‖ the hashes of the pages ‖ for each branch: hash ‖ chunks be4 ‖ root of the
// subtree ‖ the BLAKE3 of all this.
func (d *directory) encode() []byte {
	dst := append(make([]byte, 0, d.size()), d.k, d.m)
	dst = append(binary.BigEndian.AppendUint32(dst, uint32(d.count)), d.base[:]...)
	dst = append(binary.BigEndian.AppendUint32(dst, uint32(len(d.touched))), protocol.EncodeNumbers(d.touched)...)
	for i := range d.pages {
		dst = append(dst, d.pages[i][:]...)
	}
	for i := range d.branches {
		b := &d.branches[i]
		dst = append(binary.BigEndian.AppendUint32(append(dst, b.hash[:]...), b.tree.Leaves), b.tree.Root[:]...)
	}
	sum := digest.Blake3(dst)
	return append(dst, sum[:]...)
}

// decodeDirectory reads what encode wrote, and holds it to the table's root. false says that it is something else.
func decodeDirectory(data []byte, root digest.Hash) (*directory, bool) {
	end := len(data) - digest.Size
	if end < directoryHead+4 || digest.Blake3(data[:end]) != digest.Hash(data[end:]) {
		return nil, false
	}
	d := &directory{k: data[0], m: data[1], count: uint64(binary.BigEndian.Uint32(data[2:])), base: digest.Hash(data[6:])}
	touched := int(binary.BigEndian.Uint32(data[directoryHead:]))
	if d.k == 0 || d.slots() > protocol.MaxSlots || d.count > protocol.MaxStripes || touched > maxTouched {
		return nil, false
	}
	d.touched, d.pages, d.branches = make([]uint64, touched), make([]digest.Hash, protocol.Pages(d.count)), make([]branchRef, 1<<d.bits())
	if len(data) != d.size() {
		return nil, false
	}
	data = data[directoryHead+4:]
	for i := range d.touched {
		d.touched[i] = uint64(binary.BigEndian.Uint32(data[4*i:]))
	}
	data = data[4*touched:]
	for i := range d.pages {
		d.pages[i] = digest.Hash(data[digest.Size*i:])
	}
	data = data[digest.Size*len(d.pages):]
	for i := range d.branches {
		one := data[branchSize*i:]
		tree := cbfs.Subtree{Root: digest.Hash(one[digest.Size+4:]), Leaves: binary.BigEndian.Uint32(one[digest.Size:])}
		d.branches[i] = branchRef{digest.Hash(one), tree}
	}
	return d, d.root() == root
}

// branch is the chunks of a branch in the order of their keys, and which they are.
type branch struct {
	chunks []cbfs.Chunk
	ids    []chunkID
}

// chunkID is which chunk of a table one is.
type chunkID struct {
	slot   uint8
	number uint32
}

func (b *branch) add(c cbfs.Chunk, id chunkID) {
	b.chunks, b.ids = append(b.chunks, c), append(b.ids, id)
}

// sort brings the chunks into the order of their keys.
func (b *branch) sort() {
	order := make([]int, len(b.ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return slices.Compare(b.chunks[x].Key[:], b.chunks[y].Key[:]) })
	var next branch
	for _, i := range order {
		next.add(b.chunks[i], b.ids[i])
	}
	*b = next
}

// encode is for each chunk: slot u8 ‖ number be4 ‖ size be4 ‖ root.
func (b *branch) encode() []byte {
	dst := make([]byte, 0, leafSize*len(b.ids))
	for i, id := range b.ids {
		dst = binary.BigEndian.AppendUint32(append(dst, id.slot), id.number)
		dst = append(binary.BigEndian.AppendUint32(dst, uint32(b.chunks[i].Size)), b.chunks[i].Root[:]...)
	}
	return dst
}

// decodeBranch reads what encode wrote, which was held to its hash.
func decodeBranch(data []byte) *branch {
	b := &branch{make([]cbfs.Chunk, len(data)/leafSize), make([]chunkID, len(data)/leafSize)}
	for i := range b.ids {
		one := data[leafSize*i:]
		id := chunkID{one[0], binary.BigEndian.Uint32(one[1:])}
		b.ids[i] = id
		b.chunks[i] = cbfs.Chunk{
			Key: cbfs.ShardKey(id.slot, uint64(id.number)), Root: digest.Hash(one[9:]), Size: uint64(binary.BigEndian.Uint32(one[5:])),
		}
	}
	return b
}

// branchOf is in which branch a key lies, where so many of its first bits count.
func branchOf(key digest.Hash, bits int) int {
	return int(uint64(binary.BigEndian.Uint32(key[:])) >> (32 - bits))
}
