package grant

import (
	"cmp"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// errBound ends a search that has read as much as its price covers.
var errBound = errors.New("grant: too many entries")

// bounded is a state of which so many entries may be read.
type bounded struct {
	state.Reader
	left int
}

func (b *bounded) take() error {
	if b.left == 0 {
		return errBound
	}
	b.left--
	return nil
}

// Lookup implements state.Reader.
func (b *bounded) Lookup(key []byte) ([]byte, bool, error) {
	value, ok, err := b.Reader.Lookup(key)
	if err == nil && ok {
		err = b.take()
	}
	return value, ok, err
}

// Scan implements state.Reader.
func (b *bounded) Scan(prefix, after []byte, limit int, fn func(key, value []byte) bool) error {
	var full error
	err := b.Reader.Scan(prefix, after, limit, func(key, value []byte) bool {
		full = b.take()
		return full == nil && fn(key, value)
	})
	if err == nil {
		err = full
	}
	return err
}

// find gives the first record or role that allows a use, nil for none, of those that so many entries hold.
func find(r state.Reader, grantee account.Address, s Scope, a Action, amount unit.Uint128, at unit.Height, entries int) (found *permit, err error) {
	err = each(&bounded{r, entries}, grantee, s, a, at, func(p *permit) (bool, error) {
		if !p.allows(amount, at) {
			return true, nil
		}
		found = p
		return false, nil
	})
	if errors.Is(err, errBound) {
		err = nil
	}
	return found, err
}

// Covers reports whether a Draw of an amount would find a record or a role. It counts nothing.
//
// Spec: entitlement-extras §5 (UseOwnerBalance).
func Covers(r state.Reader, grantee account.Address, s Scope, a Action, amount uint64, at unit.Height) (bool, error) {
	p, err := find(r, grantee, s, a, unit.Wide(amount), at, params.PayerEntries)
	return p != nil, err
}

// Drawn is an amount that a use has counted and part of which may come back.
type Drawn struct {
	grantee account.Address
	permit  *permit
}

// Draw is Use for an amount of which a part may not be needed. It looks at as many entries as the price of naming a payer covers, and removes none that are
// expired. Rejects: ErrScope, ErrQuota where nothing allows it.
//
// Spec: entitlement-extras §5 (UseOwnerBalance).
func Draw(to state.Store, grantee account.Address, s Scope, a Action, amount uint64, at unit.Height) (*Drawn, error) {
	p, err := find(to, grantee, s, a, unit.Wide(amount), at, params.PayerEntries)
	if err != nil || p == nil {
		return nil, cmp.Or(err, ErrQuota)
	}
	p.count(to, grantee, unit.Wide(amount), at)
	return &Drawn{grantee, p}, nil
}

// Return takes what was not needed off the total of the records that Draw counted on, as far as they are still there: one that was granted anew meanwhile has
// another serial number.
func (d *Drawn) Return(to state.Store, amount uint64) error {
	if d.permit.role != nil {
		a, err := LoadAssignment(to, d.grantee, d.permit.ids[0])
		if err != nil || a == nil {
			return err
		}
		a.Counters.Total -= min(amount, a.Counters.Total)
		to.Set(assignmentKey(d.grantee, d.permit.ids[0]), a.Encode())
		return nil
	}
	for i, id := range d.permit.ids {
		r, err := Load(to, id)
		if err != nil {
			return err
		}
		if r == nil || r.Serial != d.permit.records[i].Serial {
			continue
		}
		r.Counters.Total -= min(amount, r.Counters.Total)
		to.Set(recordKey(id), r.Encode())
	}
	return nil
}
