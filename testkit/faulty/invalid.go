package faulty

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// bend makes a block invalid in one way, and reports whether the block allows it.
type bend func(f *invalid, h Hand, b *block.Block) bool

// Invalid lists the kinds that propose blocks which are invalid in one way each, to all alike, and behave otherwise.
func Invalid() []string {
	list := make([]string, 0, len(headerBends)+len(bodyBends))
	for kind := range headerBends { // order-free: sorted below
		list = append(list, kind)
	}
	for kind := range bodyBends { // order-free: sorted below
		list = append(list, kind)
	}
	slices.Sort(list)
	return list
}

// Offender is a Conduct whose proposals its validator is to be jailed for.
type Offender interface {
	// Offences is how many invalid proposals it has made.
	Offences() int
}

// newInvalid gives the conduct of a kind of Invalid, or nil.
func newInvalid(kind string) Conduct {
	how := headerBends[kind]
	if how == nil {
		how = bodyBends[kind]
	}
	if how == nil {
		return nil
	}
	return &invalid{bend: how, made: map[digest.Hash][]byte{}}
}

// invalid proposes blocks that are bent.
type invalid struct {
	straight
	bend     bend
	made     map[digest.Hash][]byte // frames by the block they were made of
	offences int
	heard    []*tx.Tx // of others' proposals, the newest last
}

// heardTxs bounds the transactions that are remembered.
const heardTxs = 32

// Offences implements Offender.
func (f *invalid) Offences() int { return f.offences }

func (f *invalid) Send(h Hand, to link.Peer, c link.Channel, frame []byte) {
	a, p, b := proposal(frame)
	if b == nil || p.Vote.Signer != h.Rank() {
		f.straight.Send(h, to, c, frame)
		return
	}
	hash := b.Hash()
	if f.made[hash] == nil {
		f.made[hash] = frame
		if f.bend(f, h, b) {
			f.offences++
			v := vote(h, subjectOf(b), p.Vote.Half)
			f.made[hash] = replica.EncodePeerMessage(&replica.Agreement{Epoch: a.Epoch, Message: &simplex.Propose{Vote: *v, Block: b.Encode()}})
		}
	}
	f.straight.Send(h, to, c, f.made[hash])
}

func (f *invalid) Hear(_ Hand, _ link.Peer, _ link.Channel, frame []byte) {
	if _, _, b := proposal(frame); b != nil {
		f.heard = append(f.heard, b.Txs...)
		f.heard = f.heard[max(0, len(f.heard)-heardTxs):]
	}
}
