package rent

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

// Entry is an entry of an actor's storage as state has it: the part of its key after the actor's address, and its value.
type Entry struct{ Key, Value []byte }

// Bounds of an entry. A key is as long as state allows behind an address.
const (
	entryKeyMax   = state.KeyMax
	entryValueMax = params.MaxStorageValueBytes
)

func (e *Entry) append(dst []byte) []byte {
	return codec.AppendBytes(codec.AppendBytes(dst, e.Key), e.Value)
}

// AppendEntries appends entries as a piece of a restoration has them: Bytes key ‖ Bytes value of each.
func AppendEntries(dst []byte, list []Entry) []byte {
	for i := range list {
		dst = list[i].append(dst)
	}
	return dst
}

// ReadEntries reads what AppendEntries wrote: at least one entry, keys ascending. Anything else is ErrPiece.
func ReadEntries(data []byte) (list []Entry, err error) {
	r := codec.NewReader(data)
	for r.Err() == nil && r.Offset() < len(data) {
		e := Entry{r.Bytes(entryKeyMax), r.Bytes(entryValueMax)}
		if n := len(list); n > 0 && string(list[n-1].Key) >= string(e.Key) {
			return nil, ErrPiece
		}
		list = append(list, e)
	}
	if r.Finish() != nil || len(list) == 0 {
		return nil, ErrPiece
	}
	return list, nil
}

// Commitment grows over the entries of a storage in the order of their keys: a Merkle mountain range of their encodings, under BLAKE3. Its root follows from
// the entries alone.
//
// Spec: rent §9 (commitment); commonware §5.4.
type Commitment struct {
	leaves uint64
	peaks  []digest.Hash // largest first
}

// Add adds the next entry.
func (c *Commitment) Add(h *mmr.Hasher, e *Entry) {
	d := h.Leaf(mmr.LeafPosition(c.leaves), e.append(nil))
	c.leaves++
	// Every perfect tree that the leaf completes joins the one to its left; position counts the nodes as they come into being.
	position := mmr.LeafPosition(c.leaves - 1)
	for n := c.leaves; n%2 == 0; n /= 2 {
		position++
		left := c.peaks[len(c.peaks)-1]
		c.peaks = c.peaks[:len(c.peaks)-1]
		d = h.Node(position, &left, &d)
	}
	c.peaks = append(c.peaks, d)
}

// Root is the root over the entries so far, of which there is at least one; without any it is zero.
func (c *Commitment) Root(h *mmr.Hasher) digest.Hash {
	if c.leaves == 0 {
		return digest.Hash{}
	}
	r := mmr.NewRange(h, c.leaves, 0, c.peaks)
	return r.Root()
}

// Entries is how many entries there are.
func (c *Commitment) Entries() uint64 { return c.leaves }

func hasher() *mmr.Hasher { return mmr.NewHasher(state.Blake3) }

// Root is the commitment over a whole storage, in the order of its keys.
func Root(list []Entry) digest.Hash {
	var c Commitment
	h := hasher()
	for i := range list {
		c.Add(h, &list[i])
	}
	return c.Root(h)
}

// Prove proves that the entries [from, to) of a storage are those with these numbers under Root. It is for whoever restores an actor.
func Prove(list []Entry, from, to int) (mmr.Proof, error) {
	h := hasher()
	nodes := map[mmr.Node]digest.Hash{}
	var build func(n mmr.Node) digest.Hash
	build = func(n mmr.Node) (d digest.Hash) {
		if n.Height == 0 {
			d = h.Leaf(n.Position(), list[n.Start].append(nil))
		} else {
			left, right := build(n.Left()), build(n.Right())
			d = h.Node(n.Position(), &left, &right)
		}
		nodes[n] = d
		return d
	}
	var peaks []digest.Hash
	for _, peak := range mmr.PeaksOf(uint64(len(list))).All {
		peaks = append(peaks, build(peak))
	}
	r := mmr.NewRange(h, uint64(len(list)), 0, peaks)
	return r.Prove(uint64(from), uint64(to), func(n mmr.Node) (digest.Hash, error) {
		d, ok := nodes[n]
		if !ok {
			return d, errors.New("rent: no such node")
		}
		return d, nil
	})
}

// verify checks that entries are those of a storage from a number on.
func verify(d *Dormancy, from uint64, list []Entry, p *mmr.Proof) error {
	if p.Leaves != d.Entries || p.Inactive != 0 {
		return ErrProof
	}
	leaves := make([][]byte, len(list))
	for i := range list {
		leaves[i] = list[i].append(nil)
	}
	root, err := hasher().Reconstruct(p, from, leaves, nil)
	if err != nil || root != d.Root {
		return ErrProof
	}
	return nil
}
