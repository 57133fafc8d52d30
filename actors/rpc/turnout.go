package rpc

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// pastEpochs is how many finished epochs are told of.
const pastEpochs = 6

// Turnout implements Backend: from the state before the last block of each finished epoch, as far back as the node keeps it.
//
// Spec: WP "Slashing" (> 50 % of votes over 1,000 blocks).
func (n *Node) Turnout() (wire.Turnouts, error) {
	w := wire.Turnouts{Epochs: []wire.EpochTurnout{}}
	r, err := n.registry()
	if err != nil {
		return w, err
	}
	for epoch := r.set.Epoch; epoch > 0 && len(w.Epochs) < pastEpochs; {
		epoch--
		one, err := n.turnoutOf(r, epoch)
		if refused := (*Refusal)(nil); errors.As(err, &refused) {
			break // its state is not kept
		}
		if err != nil {
			return w, err
		}
		w.Epochs = append(w.Epochs, one)
	}
	return w, nil
}

// turnoutOf reads a finished epoch's. It never changes, and is remembered.
func (n *Node) turnoutOf(r *registry, epoch uint64) (wire.EpochTurnout, error) {
	first, last := r.calendar.First(epoch), r.calendar.Last(epoch)
	header, err := n.Ledger.Header(last)
	if err != nil {
		return wire.EpochTurnout{}, refusal(err)
	}
	key := header.Hash()
	if known, ok := n.turnouts.Find(key); ok {
		return known, nil
	}
	commit, err := n.stateAt(last - 1) // the boundary forgets who was absent
	if err != nil {
		return wire.EpochTurnout{}, err
	}
	w, err := turnoutIn(commit, epoch, first, last-1)
	if err != nil {
		return w, err
	}
	w.Last = uint64(last)
	n.turnouts.Put(key, w, pastEpochs*2)
	return w, nil
}

// turnoutIn reads an epoch's from the state after one of its blocks.
func turnoutIn(view state.Reader, epoch uint64, first, tip unit.Height) (wire.EpochTurnout, error) {
	w := wire.EpochTurnout{Epoch: epoch, First: uint64(first), Last: uint64(tip), Members: []wire.MemberTurnout{}}
	set, err := stake.SetAt(view, epoch)
	if errors.Is(err, stake.ErrNoEpoch) {
		return w, errNoRegistry
	}
	if err != nil {
		return w, err
	}
	list, err := stake.Turnouts(view, first, tip, len(set.Members))
	if err != nil {
		return w, err
	}
	for i, t := range list {
		w.Members = append(w.Members, wire.MemberTurnout{Address: set.Members[i].Address.String(), Missed: t.Missed, Counted: t.Counted})
	}
	return w, nil
}
