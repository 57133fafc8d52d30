package token

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the keys begin with, after the address of the registry. The last two are this implementation's.
//
// Spec: tokens §2.
const (
	underMints      = "tokens/mints/"      // token(32)
	underBalances   = "tokens/balances/"   // owner(20) ‖ "/" ‖ token(32)
	underAllowances = "tokens/allowances/" // owner(20) ‖ "/" ‖ spender(20) ‖ "/" ‖ token(32)
	underFrozen     = "tokens/frozen/"     // token(32) ‖ "/" ‖ account(20)
	underPermits    = "tokens/permits/"    // owner(20)
	underCreated    = "tokens/created/"    // actor(20)
)

// Home is the address of the registry.
func Home() account.Address { return account.System(account.FeesAndTokens) }

// Claims are the ranges of state keys of this package.
func Claims() []account.Claim {
	var list []account.Claim
	for _, c := range [...][2]string{
		{underMints, "tokens"}, {underBalances, "balances, by owner"}, {underAllowances, "allowances, by owner"}, {underFrozen, "frozen accounts, by token"},
		{underPermits, "permits used, by owner"}, {underCreated, "tokens created, by actor"},
	} {
		list = append(list, account.RecordClaim("token", Home(), c[0], c[1], false))
	}
	return list
}

// at makes a key of a prefix and parts that a slash stands between.
func at(prefix string, parts ...[]byte) []byte {
	key := account.KeyString(account.KindRecord, Home(), prefix)
	for i, p := range parts {
		if i > 0 {
			key = append(key, '/')
		}
		key = append(key, p...)
	}
	return key
}

func mintKey(id ID) []byte { return at(underMints, id[:]) }

func balanceKey(owner account.Address, id ID) []byte { return at(underBalances, owner[:], id[:]) }

func allowanceKey(owner, spender account.Address, id ID) []byte {
	return at(underAllowances, owner[:], spender[:], id[:])
}

func frozenKey(id ID, who account.Address) []byte { return at(underFrozen, id[:], who[:]) }

// quantity reads a quantity; an absent one is zero.
func quantity(r state.Reader, key []byte) (unit.Uint128, error) {
	raw, ok, err := r.Lookup(key)
	if err != nil || !ok {
		return unit.Uint128{}, err
	}
	return decodeWide(raw)
}

// keep writes a quantity; zero has no entry.
func keep(s state.Store, key []byte, n unit.Uint128) {
	if n.IsZero() {
		s.Delete(key)
		return
	}
	s.Set(key, n.AppendBig(nil))
}
