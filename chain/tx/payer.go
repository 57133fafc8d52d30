package tx

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// payerPrefix begins the metadata of a transaction that names who pays its fees; the address follows, and then whatever the sender likes.
const payerPrefix = "cowboy-fee-payer:"

// PayerMetadata is metadata that names who pays the fees.
//
// Spec: entitlement-extras §5 (UseOwnerBalance).
func PayerMetadata(payer account.Address) []byte { return append([]byte(payerPrefix), payer[:]...) }

// Payer gives who pays the fees; named is false for the sender. It pays limits at maximum fees, gets back what they did not cost, and has granted the sender
// the action use-owner-balance in its own scope. The value moved is the sender's all the same.
//
// Spec: entitlement-extras §5 (UseOwnerBalance: delegated fee payment).
func (t *Tx) Payer() (payer account.Address, named bool) {
	if t.checkPayer() != nil || !bytes.HasPrefix(t.Metadata, []byte(payerPrefix)) {
		return t.From, false
	}
	return account.Address(t.Metadata[len(payerPrefix):][:account.AddressSize]), true
}

// checkPayer gives ErrPayer for metadata that begins to name a payer and names none: nobody, the sender, or an address of the protocol's.
func (t *Tx) checkPayer() error {
	rest, names := bytes.CutPrefix(t.Metadata, []byte(payerPrefix))
	if !names {
		return nil
	}
	if len(rest) < account.AddressSize {
		return ErrPayer
	}
	if payer := account.Address(rest[:account.AddressSize]); payer == t.From || payer.IsReserved() {
		return ErrPayer
	}
	return nil
}

// PayerAction is the action that a payer grants in its own scope.
//
// Spec: entitlement-extras §5.
func PayerAction() grant.Action { return grant.Action{Kind: grant.UseOwnerBalance} }

// Covered makes the checks of a payer that a transaction names and that is no card: its balance covers the limits at the maximum fees, and a record or a role
// allows the sender that much at a height. It gives a *FundsError of ErrPayer, or ErrPayer; any other error is a failing source.
//
// Spec: entitlement-extras §5 (UseOwnerBalance, max_amount_per_use, max_total_amount, RateLimit).
func (v Verified) Covered(r state.Reader, at unit.Height, payer *account.Account) error {
	fee, err := v.tx.MaxFee()
	if err != nil {
		return err
	}
	if payer.Balance < fee {
		return &FundsError{Class: ErrPayer, Have: payer.Balance, Need: fee}
	}
	owner, _ := v.tx.Payer()
	ok, err := grant.Covers(r, v.tx.From, grant.ActorScope(owner), PayerAction(), uint64(fee), at)
	if err == nil && !ok {
		err = ErrPayer
	}
	return err
}
