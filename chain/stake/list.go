package stake

import (
	"cmp"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Listed is a validator's record and the account it is stored under.
type Listed struct {
	Address account.Address
	*Validator
}

// All are the records of a state, ascending by account, after an account (zero: from the first) and at most limit (0: all). An error is a failing source, or
// a record that is not canonical.
func All(r state.Reader, after account.Address, limit int) (list []Listed, err error) {
	prefix := recordKey(keyValidator)
	var from []byte
	if after != (account.Address{}) {
		from = validatorKey(after)
	}
	var bad error
	err = r.Scan(prefix, from, limit, func(key, value []byte) bool {
		var v *Validator
		if v, bad = DecodeValidator(value); bad == nil {
			list = append(list, Listed{account.Address(key[len(prefix):]), v})
		}
		return bad == nil
	})
	return list, cmp.Or(err, bad)
}

// Owner is the account that registered a voting key; ok is false if nobody did.
func Owner(r state.Reader, key sig.BLSPublicKey) (addr account.Address, ok bool, err error) {
	raw, ok, err := r.Lookup(voteKey(key))
	if err != nil || !ok || len(raw) != account.AddressSize {
		return addr, false, err
	}
	return account.Address(raw), true, nil
}

// Next is the list of the next epoch, once it is closed; ok is false before, and where it was empty.
func Next(r state.Reader) (members []Member, ok bool, err error) {
	raw, ok, err := r.Lookup(recordKey(keyNext))
	if err != nil || !ok {
		return nil, false, err
	}
	members, err = DecodeMembers(raw)
	return members, err == nil, err
}
