package entitle

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// MayHold reports whether an account may keep coins beyond a transaction: everybody but an actor whose manifest lacks econ.hold_balance. Errors: a failing
// state, and a manifest that is not one.
//
// Spec: ENT §9.7 (econ.hold_balance).
func MayHold(s state.Reader, addr account.Address, class account.Class) (bool, error) {
	if class != account.Actor {
		return true, nil
	}
	raw, found, err := s.Lookup(account.Key(account.KindActorMeta, addr))
	if err != nil || !found {
		return true, err
	}
	m, err := Parse(raw)
	if err != nil {
		return false, err
	}
	_, holds := m.Grant(HoldBalance)
	return holds, nil
}

// Passing lists the actors that coins reached in a turn although they may only pass them on, each with what it held before. The zero value is an empty
// list. Whoever moves coins to an actor that MayHold denies notes it here; when the turn ends, Keeper says who would keep some.
//
// Spec: ENT §9.7 (econ.hold_balance: only pass through funds within a single transaction).
type Passing []passing

type passing struct {
	actor  account.Address
	before unit.Amount
}

// Note adds an actor and what it held before coins reached it. Of one that is listed the first note counts.
func (p *Passing) Note(actor account.Address, before unit.Amount) {
	for _, known := range *p {
		if known.actor == actor {
			return
		}
	}
	*p = append(*p, passing{actor, before})
}

// Keeper is the first listed actor that holds more than before; ok is false if there is none.
//
// Spec: ENT §9.7 (econ.hold_balance).
func (p Passing) Keeper(r state.Reader) (actor account.Address, ok bool, err error) {
	for _, known := range p {
		a, err := account.Load(r, known.actor)
		if err != nil {
			return account.Address{}, false, err
		}
		if a.Balance > known.before {
			return known.actor, true, nil
		}
	}
	return account.Address{}, false, nil
}
