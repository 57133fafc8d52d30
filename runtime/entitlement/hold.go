package entitlement

import "github.com/cowboyinc/cowboy-go/chain/account"

// State is where manifests are read; an overlay is one.
type State interface {
	Lookup(key []byte) (value []byte, ok bool, err error)
}

// MayHold reports whether an account may keep coins beyond a transaction: everybody but an actor whose manifest lacks econ.hold_balance. Errors: a failing
// state, and a manifest that is not one.
//
// Spec: ENT §9.7 (econ.hold_balance).
func MayHold(s State, addr account.Address, class account.Class) (bool, error) {
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
