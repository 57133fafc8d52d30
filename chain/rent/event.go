package rent

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the events of this chapter, all of 0x09. The data of each begins with the actor's address; numbers are UInt.
//
// Spec: rent §11.
const (
	TopicOverdue  = "RentOverdue"       // actor, epoch, debt
	TopicImminent = "EvictionImminent"  // actor, epoch, debt, epochs_left
	TopicEvicted  = "ActorEvicted"      // actor, storage_root, bytes, bond_forfeited
	TopicCaughtUp = "RentCaughtUp"      // actor, paid
	TopicRestored = "ActorRestored"     // actor, payer, paid
	TopicQuota    = "QuotaChanged"      // actor, old, new, bond
	TopicPrepaid  = "RentPrepaid"       // actor, payer, paid_through, paid
	TopicConfig   = "RentConfigUpdated" // the new parameters
)

// Event is something a person or another actor is told.
type Event struct {
	Topic string
	Data  []byte
}

// Notes are what a rule has caused beyond its writes.
type Notes struct {
	Events []Event
	Burned unit.Amount // coins that are no more
	Bonds  unit.Amount // of Burned: bonds that were forfeited
}

// Add adds what another rule has caused.
func (n *Notes) Add(m Notes) {
	n.Events = append(n.Events, m.Events...)
	n.Burned += m.Burned // coins of balances, which together fit
	n.Bonds += m.Bonds
}

func (n *Notes) tell(topic string, addr account.Address, rest []byte) {
	n.Events = append(n.Events, Event{topic, append(addr[:], rest...)})
}

func uints(list ...uint64) (dst []byte) {
	for _, n := range list {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

func (n *Notes) evicted(addr account.Address, root digest.Hash, bytes uint64, bond unit.Amount) {
	n.tell(TopicEvicted, addr, codec.AppendUint(codec.AppendUint(codec.AppendFixed(nil, root[:]), bytes), uint64(bond)))
}

func (n *Notes) by(topic string, addr, payer account.Address, list ...uint64) {
	n.tell(topic, addr, append(codec.AppendFixed(nil, payer[:]), uints(list...)...))
}
