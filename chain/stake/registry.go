package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Registry is the validator registry during one block. Methods that return a reject of this package may have written before they found it: the
// caller undoes the turn.
type Registry struct {
	State  state.Store
	Chain  sig.Namespace
	Params *params.Params
	Height unit.Height // of the block
	Events []block.Event
}

// The topics of the registry's events. Their data is the validator's address and what the function that emits them says.
const (
	TopicRegistered = "validator.registered" // UInt stake
	TopicAdded      = "validator.stake_added"
	TopicExit       = "validator.exit_requested" // UInt amount; zero: everything
	TopicWithdrawn  = "validator.withdrawn"
	TopicJailed     = "validator.jailed"   // UInt until
	TopicUnjailed   = "validator.unjailed" // nothing
	TopicSlashed    = "validator.slashed"  // UInt amount
	TopicEpoch      = "epoch.decided"      // of no validator: UInt epoch, UInt members, bool whether the set and the key are new
)

func (g *Registry) epoch() uint64 { return g.Params.Calendar.Epoch(g.Height) }

func (g *Registry) emit(topic string, addr account.Address, numbers ...uint64) {
	data := addr[:]
	for _, n := range numbers {
		data = codec.AppendUint(data, n)
	}
	g.Events = append(g.Events, block.Event{Actor: home(), Topic: []byte(topic), Data: data})
}

// load reads the record of an account that must have one.
func (g *Registry) load(addr account.Address) (*Validator, error) {
	v, ok, err := Load(g.State, addr)
	if err == nil && !ok {
		err = ErrNoValidator
	}
	return v, err
}

// save writes a record, and what it counts for in votes.
func (g *Registry) save(addr account.Address, v *Validator) error {
	g.State.Set(validatorKey(addr), v.Encode())
	return g.checkpoint(addr, v.weight())
}

// each calls fn for every record, ascending by account. fn may write to the state: the list is taken first.
func (g *Registry) each(fn func(addr account.Address, v *Validator) error) error {
	type entry struct {
		addr account.Address
		v    *Validator
	}
	var list []entry
	var bad error
	prefix := recordKey(keyValidator)
	err := g.State.Scan(prefix, nil, 0, func(key, value []byte) bool {
		var v *Validator
		if v, bad = DecodeValidator(value); bad == nil {
			list = append(list, entry{account.Address(key[len(prefix):]), v})
		}
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	for i := 0; err == nil && i < len(list); i++ {
		err = fn(list[i].addr, list[i].v)
	}
	return err
}
