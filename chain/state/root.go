package state

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

// inactive counts the leading peaks below the floor as the two roots see them:
// the grafted tree counts only peaks made of complete chunks.
//
// Spec: commonware §5.4, §5.5.
func (c *Commit) inactive() (plain, grafted int) {
	return mmr.Inactive(c.length, c.floor, 0), mmr.Inactive(c.length, c.floor, ChunkHeight)
}

// computeRoots computes the three roots from the nodes. What base, a state of the same store, has folded already is taken from it.
//
// Spec: commonware §5.4, §5.5.
func (c *Commit) computeRoots(h *mmr.Hasher, base *Commit) {
	n := mmr.PeaksOf(c.length).Len()
	both := make([]hash, 2*n)
	plain, grafted := both[:n:n], both[n:]
	for i, p := range mmr.PeaksOf(c.length).All {
		if p.Height >= ChunkHeight {
			plain[i], grafted[i] = *c.plain(p), *c.grafted(p)
		} else {
			plain[i] = *c.tailNode(p)
			grafted[i] = plain[i]
		}
	}
	inactive, inactiveGrafted := c.inactive()
	c.plainPeaks = base.plainPeaks.Next(h, c.length, inactive, plain)
	c.peaks = base.peaks.Next(h, c.length, inactiveGrafted, grafted)
	c.partial = nil
	if c.length%ChunkBits != 0 {
		chunk := c.chunk(c.length / ChunkBits)
		d := h.Sum(chunk[:])
		c.partial = &d
	}
	c.roots.Ops, c.roots.Grafted = c.plainPeaks.Root(), c.peaks.Root()
	c.roots.State = stateRoot(h, &c.roots.Ops, &c.roots.Grafted, c.length, c.partial)
}

// stateRoot joins the roots of operations and bitmap; partial is the digest of the
// incomplete last chunk, if there is one.
//
// Spec: commonware §5.5.
func stateRoot(h *mmr.Hasher, ops, grafted *hash, length uint64, partial *hash) hash {
	next := length % ChunkBits
	if next == 0 {
		return h.Sum(ops[:], grafted[:])
	}
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], next)
	return h.Sum(ops[:], grafted[:], n[:], partial[:])
}
