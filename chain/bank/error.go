package bank

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The rejects, by the names of the text where it has one.
//
// Spec: gateway-payments-streams §G.4 (errors).
var (
	ErrInactive  = errors.New("bank: BankInactive: the bank has not been activated on this chain")
	ErrBank      = errors.New("bank: BankNotFound: there is no bank of this number")
	ErrCard      = errors.New("bank: BankCardNotFound: there is no card at this address")
	ErrPaused    = errors.New("bank: BankPaused: the bank is paused")
	ErrNotPaused = errors.New("bank: BankNotPaused: the bank is not paused")
	ErrFrozen    = errors.New("bank: BankCardFrozen: the card is frozen")
	ErrNotFrozen = errors.New("bank: BankCardNotFrozen: the card is not frozen")
	ErrExpired   = errors.New("bank: BankCardExpired: the card has expired")
	ErrClosed    = errors.New("bank: BankCardClosed: the card is closed")
	ErrDenied    = errors.New("bank: BankPolicyDenied: the card's policy does not admit this receiver or kind of instruction")
	ErrCap       = errors.New("bank: BankCapExceeded: a cap of the card would be exceeded")
	ErrFunds     = errors.New("bank: OutOfFunds: the card, or its bank, does not have so much")
	ErrLocked    = errors.New("bank: PolicyLocked: the card's agent owns it and may not change its policy")
	ErrOwner     = errors.New("bank: NotCardOwner: only the owner of the card may do this")
	ErrOperator  = errors.New("bank: NotBankOperator: only the operator of the bank may do this")
	ErrAgent     = errors.New("bank: NotCardAgent: only the agent of the card, or its owner, may do this")
	ErrDefault   = errors.New("bank: BankCardIsDefault: the card is the default card of its agent")
	ErrPolicy    = errors.New("bank: BankPolicyInvalid: receivers and kinds are strictly ascending, at most 64 and 16")
	ErrTerms     = errors.New("bank: BankTermsInvalid: a field is beyond what it may hold")
	ErrToken     = errors.New("bank: BankTokenNotAllowed: no card pays in this token, or it has a hook")
	ErrVoucher   = errors.New("bank: FiatVoucherInvalid: the voucher is not one of the bank's signer, or has expired")
	ErrUsed      = errors.New("bank: FiatVoucherUsed: the voucher was used already")
	ErrAmount    = errors.New("bank: BankAmountInvalid: the amount is zero, or more than there can be")
)

// CapError is ErrCap with its numbers.
type CapError struct {
	Tier    Tier
	WouldBe unit.Uint128 // what the period would have spent, in units of the payment token; the greatest number where that is beyond 128 bits
	Cap     unit.Uint128
}

// Error implements error.
func (e *CapError) Error() string {
	return fmt.Sprintf("%v: %v would have spent %v of %v", ErrCap, e.Tier, e.WouldBe, e.Cap)
}

// Unwrap gives ErrCap.
func (e *CapError) Unwrap() error { return ErrCap }

// Refuses reports whether an error of a charge is a reject, and no failing store.
func Refuses(err error) bool {
	for _, reject := range [...]error{
		ErrInactive, ErrBank, ErrCard, ErrPaused, ErrNotFrozen, ErrFrozen, ErrExpired, ErrClosed, ErrDenied, ErrCap, ErrFunds, ErrToken, ErrAgent,
	} {
		if errors.Is(err, reject) {
			return true
		}
	}
	return false
}
