package chapter

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Args are the arguments of a syscall or a handler, each of the Go type of its kind: []byte, string, uint64, unit.Amount, unit.Uint128, bool, account.Address,
// digest.Hash, or for Value what cbor.Parse gives. A missing optional one is nil. The accessors panic for another kind: a mistake of the chapter.
type Args []any

// Has reports whether an optional argument was given.
func (a Args) Has(i int) bool { return a[i] != nil }

// Bytes gives an argument of kind Bytes, nil for a missing one.
func (a Args) Bytes(i int) []byte { return optional[[]byte](a[i]) }

// Text gives an argument of kind Text, "" for a missing one.
func (a Args) Text(i int) string { return optional[string](a[i]) }

// Number gives an argument of kind Number, 0 for a missing one.
func (a Args) Number(i int) uint64 { return optional[uint64](a[i]) }

// Coins gives an argument of kind Coins in base units, 0 for a missing one.
func (a Args) Coins(i int) unit.Amount { return optional[unit.Amount](a[i]) }

// Wide gives an argument of kind Wide, 0 for a missing one.
func (a Args) Wide(i int) unit.Uint128 { return optional[unit.Uint128](a[i]) }

// Truth gives an argument of kind Truth, false for a missing one.
func (a Args) Truth(i int) bool { return optional[bool](a[i]) }

// Address gives an argument of kind Address, the zero address for a missing one.
func (a Args) Address(i int) account.Address { return optional[account.Address](a[i]) }

// Hash gives an argument of kind Hash, zeros for a missing one.
func (a Args) Hash(i int) digest.Hash { return optional[digest.Hash](a[i]) }

// Value gives an argument of kind Value, nil for None and a missing one.
func (a Args) Value(i int) any { return a[i] }

func optional[T any](v any) (t T) {
	if v == nil {
		return t
	}
	return v.(T)
}
