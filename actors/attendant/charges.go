package attendant

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// chargesMax bounds the evidence that waits.
	chargesMax = 64
	// turnBlocks is how long a member waits for each member whose turn comes before its own.
	turnBlocks = 2
	// triesMax bounds what a charge costs that the chain does not take.
	triesMax = 8
)

// charge is evidence on its way to the chain.
type charge struct {
	evidence *simplex.Evidence
	raw      []byte
	since    unit.Height // of the newest block when it was first looked at; zero: it was not
	tries    int         // transactions that were on chain with it, or gave their place to another
}

// charges are what waits, oldest first.
type charges struct{ list []*charge }

// add takes evidence and reports whether it is new: one of a kind for each validator and round, since more of them are not punished.
func (c *charges) add(e *simplex.Evidence) bool {
	same := func(x *charge) bool {
		o := x.evidence
		return o.Signer == e.Signer && o.First.Subject.Round == e.First.Subject.Round && o.Offence == e.Offence
	}
	if len(c.list) >= chargesMax || slices.ContainsFunc(c.list, same) {
		return false
	}
	c.list = append(c.list, &charge{evidence: e, raw: e.Encode()})
	return true
}

func (c *charges) raw() [][]byte {
	list := make([][]byte, len(c.list))
	for i, x := range c.list {
		list[i] = x.raw
	}
	return list
}

// settle drops what a state leaves nothing to do about, and reports whether that was something.
func (c *charges) settle(height unit.Height, v state.Reader) (dropped bool, err error) {
	kept := c.list[:0]
	for _, x := range c.list {
		done, err := stake.Settled(v, x.evidence, height)
		if err != nil {
			return false, err
		}
		if !done && x.tries < triesMax {
			kept = append(kept, x)
		}
		if x.since == 0 {
			x.since = height
		}
	}
	dropped = len(kept) < len(c.list)
	clear(c.list[len(kept):])
	c.list = kept
	return dropped, nil
}

// next is the first charge whose turn has come for the holder of a voting key: the member after the guilty one first, who is no member last.
func (c *charges) next(height unit.Height, set *stake.Set, key beacon.Key) *charge {
	if len(c.list) == 0 {
		return nil // the key costs a multiplication
	}
	n := uint32(len(set.Members))
	rank, member := set.Find(key.PublicKey().Bytes())
	for _, x := range c.list {
		turn := n
		if member {
			turn = (rank + n - 1 - x.evidence.Signer%n) % n
		}
		if height >= x.since+unit.Height(turn*turnBlocks) {
			return x
		}
	}
	return nil
}
