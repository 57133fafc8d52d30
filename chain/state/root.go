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

// computeRoots computes the three roots from the nodes.
//
// Spec: commonware §5.4, §5.5.
func (c *Commit) computeRoots(h *mmr.Hasher) Roots {
	var plain, grafted [64]hash
	n := 0
	for i, p := range mmr.PeaksOf(c.length).All {
		if p.Height >= ChunkHeight {
			plain[i], grafted[i] = *c.plain(p), *c.grafted(p)
		} else {
			plain[i] = *c.tailNode(p)
			grafted[i] = plain[i]
		}
		n++
	}
	inactive, inactiveGrafted := c.inactive()
	r := Roots{
		Ops:     h.Root(c.length, inactive, plain[:n]),
		Grafted: h.Root(c.length, inactiveGrafted, grafted[:n]),
	}
	partial, _ := c.partialDigest(h)
	r.State = stateRoot(h, &r.Ops, &r.Grafted, c.length, partial)
	return r
}

// partialDigest is the digest of the incomplete last chunk of the bitmap; ok is
// false when the last chunk is complete.
//
// Spec: commonware §5.5.
func (c *Commit) partialDigest(h *mmr.Hasher) (d hash, ok bool) {
	if c.length%ChunkBits == 0 {
		return d, false
	}
	chunk := c.chunk(c.length / ChunkBits)
	return h.Sum(chunk[:]), true
}

// stateRoot joins the roots of operations and bitmap.
//
// Spec: commonware §5.5.
func stateRoot(h *mmr.Hasher, ops, grafted *hash, length uint64, partial hash) hash {
	next := length % ChunkBits
	if next == 0 {
		return h.Sum(ops[:], grafted[:])
	}
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], next)
	return h.Sum(ops[:], grafted[:], n[:], partial[:])
}
