package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Store is the state the registry lives in; *state.Overlay is one. An error is a failing source.
type Store interface {
	Lookup(key []byte) (value []byte, ok bool, err error)
	Scan(prefix, after []byte, limit int, fn func(key, value []byte) (more bool)) error
	Set(key, value []byte)
	Delete(key []byte)
}

// Registry is the validator registry during one block. Methods that return a reject of this package may have written before they found it: the
// caller undoes the turn.
type Registry struct {
	State  Store
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

func (g *Registry) save(addr account.Address, v *Validator) {
	g.State.Set(validatorKey(addr), v.Encode())
}

// each calls fn for every record, ascending by account. fn may write to the state: the list is taken first.
func (g *Registry) each(fn func(addr account.Address, v *Validator) error) error {
	type entry struct {
		addr account.Address
		v    *Validator
	}
	var list []entry
	var bad error
	prefix := params.StateKey(keyValidator)
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

// move adds to one balance what it takes from another.
func (g *Registry) move(from, to account.Address, amount unit.Amount) error {
	if err := g.take(from, amount); err != nil {
		return err
	}
	return g.credit(to, amount)
}

func (g *Registry) take(from account.Address, amount unit.Amount) error {
	a, err := g.account(from)
	if err != nil {
		return err
	}
	if a.Balance, err = a.Balance.Sub(amount); err != nil {
		return err
	}
	g.State.Set(from.Key(), a.Encode())
	return nil
}

func (g *Registry) credit(to account.Address, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	a, err := g.account(to)
	if err != nil {
		return err
	}
	if a.Balance, err = a.Balance.Add(amount); err != nil {
		return err
	}
	g.State.Set(to.Key(), a.Encode())
	return nil
}

func (g *Registry) account(addr account.Address) (account.Account, error) {
	raw, ok, err := g.State.Lookup(addr.Key())
	if err != nil || !ok {
		return account.Account{}, err
	}
	return account.Decode(raw)
}
