package token

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Load reads a token; nil for one that does not exist.
func Load(r state.Reader, id ID) (*Token, error) {
	raw, ok, err := r.Lookup(mintKey(id))
	if err != nil || !ok {
		return nil, err
	}
	return decodeToken(raw)
}

// Balance is what somebody has of a token.
func Balance(r state.Reader, id ID, owner account.Address) (unit.Uint128, error) {
	return quantity(r, balanceKey(owner, id))
}

// Allowance is what a spender may transfer of an owner's tokens.
func Allowance(r state.Reader, id ID, owner, spender account.Address) (unit.Uint128, error) {
	return quantity(r, allowanceKey(owner, spender, id))
}

// Frozen reports whether an account is frozen for a token.
func Frozen(r state.Reader, id ID, who account.Address) (bool, error) {
	_, ok, err := r.Lookup(frozenKey(id, who))
	return ok, err
}

// PermitNonce is the nonce that an owner's next permit must have.
func PermitNonce(r state.Reader, owner account.Address) (uint64, error) {
	return state.Number(r, at(underPermits, owner[:]))
}

// Holding is what an account has of a token.
type Holding struct {
	Token  ID
	Amount unit.Uint128
}

// Holdings is a page of what an account has: at most limit tokens, ascending, those after the given one. more says that there are others.
//
// Spec: tokens §2 (the tokens of an account are a scan of a prefix).
func Holdings(r state.Reader, owner account.Address, after *ID, limit int) (page []Holding, more bool, err error) {
	var last []byte
	if after != nil {
		last = balanceKey(owner, *after)
	}
	more, err = scan(r, append(at(underBalances, owner[:]), '/'), last, limit, func(id ID, value []byte) error {
		n, err := decodeWide(value)
		page = append(page, Holding{id, n})
		return err
	})
	return page, more, err
}

// Held is what one holder has of a token.
type Held struct {
	Owner account.Address
	Holding
}

// Balances is a page of all balances, by owner and then by token: at most limit of them, those after the given place. more says that there are others.
func Balances(r state.Reader, after *Held, limit int) (page []Held, more bool, err error) {
	var last []byte
	if after != nil {
		last = balanceKey(after.Owner, after.Token)
	}
	prefix := at(underBalances)
	scanned := r.Scan(prefix, last, limit+1, func(key, value []byte) bool {
		if more = len(page) == limit; more {
			return false
		}
		h := Held{Owner: account.Address(key[len(prefix):][:account.AddressSize])}
		h.Token = ID(key[len(key)-len(ID{}):])
		h.Amount, err = decodeWide(value)
		page = append(page, h)
		return err == nil
	})
	if scanned != nil {
		err = scanned
	}
	return page, more, err
}

// Entry is a token with its identifier.
type Entry struct {
	ID ID
	*Token
}

// List is a page of all tokens, as Holdings is one of an account's.
func List(r state.Reader, after *ID, limit int) (page []Entry, more bool, err error) {
	var last []byte
	if after != nil {
		last = mintKey(*after)
	}
	more, err = scan(r, at(underMints), last, limit, func(id ID, value []byte) error {
		t, err := decodeToken(value)
		page = append(page, Entry{id, t})
		return err
	})
	return page, more, err
}

// scan reads at most limit entries whose keys end with a token.
func scan(r state.Reader, prefix, after []byte, limit int, take func(id ID, value []byte) error) (more bool, err error) {
	taken := 0
	scanned := r.Scan(prefix, after, limit+1, func(key, value []byte) bool {
		if taken == limit {
			more = true
			return false
		}
		taken++
		err = take(ID(key[len(key)-len(ID{}):]), value)
		return err == nil
	})
	if scanned != nil {
		err = scanned
	}
	return more, err
}
