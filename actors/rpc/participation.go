package rpc

import (
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/stake"
)

// Agreement tells where this node is in it; replica.Handle's Status is one.
type Agreement func() replica.Status

// participation tells of the members of the present set by rank: what the chain counts of their votes, and whom this node is connected to.
func (n *Node) participation(r *registry) ([]wire.Participation, error) {
	turnouts, err := stake.Turnouts(r.view, r.calendar.First(r.set.Epoch), r.height, len(r.set.Members))
	if err != nil {
		return nil, err
	}
	list := make([]wire.Participation, len(turnouts))
	for i, t := range turnouts {
		list[i] = wire.Participation{Missed: t.Missed, Counted: t.Counted, Most: stake.MissedMost, Lately: t.Lately, Recent: t.Recent, Last: uint64(t.Last)}
	}
	if n.Agreement == nil {
		return list, nil
	}
	at := n.Agreement()
	if at.Round.Epoch != r.set.Epoch || at.Validators != len(list) {
		return list, nil // agreement is in another epoch: ranks there are others
	}
	met := make([]bool, len(list))
	for _, m := range at.Met {
		if int(m.Rank) < len(met) {
			met[m.Rank] = true
		}
	}
	for i := range list {
		list[i].Leads, list[i].Self = uint32(i) == at.Leader, uint32(i) == at.Rank
		if !list[i].Self {
			list[i].Connected = &met[i]
		}
	}
	return list, nil
}
