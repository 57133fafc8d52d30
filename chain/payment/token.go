package payment

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of payments in tokens. Amounts are 16 bytes, big-endian.
const (
	TopicTokenVerified = "payment.token_verified" // Key ‖ actor(20) ‖ gateway(20) ‖ asset(32) ‖ amount(16) ‖ UInt expires
	TopicTokenSettled  = "payment.token_settled"  // Key ‖ actor(20) ‖ gateway(20) ‖ asset(32) ‖ amount(16) ‖ fee(16)
	TopicTokenRefunded = "payment.token_refunded" // Key ‖ actor(20) ‖ asset(32) ‖ amount(16)
)

// accepts refuses an asset that cannot pay for a request: a token that is unknown, or has a hook, which could stop a payment or enter it again. Coins can.
// Reject: ErrToken.
func (b *Book) accepts(a Asset) error {
	if a.IsZero() {
		return nil
	}
	t, err := token.Load(b.State, a)
	if err == nil && (t == nil || t.Hook != nil) {
		err = ErrToken
	}
	return err
}

// kept gives the reject that a reject of the registry stands for.
func kept(err error) error {
	switch {
	case errors.Is(err, token.ErrBalance):
		return ErrFunds
	case errors.Is(err, token.ErrFrozen), errors.Is(err, token.ErrBusy), errors.Is(err, token.ErrUnknown):
		return ErrToken
	}
	return err
}

// debitTokens has the gate keep tokens of a payer. Rejects: ErrToken, ErrFunds.
func (b *Book) debitTokens(from account.Address, x *Record) error {
	if err := b.accepts(x.Asset); err != nil {
		return err
	}
	return kept(b.Tokens.Transfer(from, x.Asset, Home(), x.Amount))
}

// payTokens gives tokens that the gate keeps to a policy's treasury, without the protocol's fee, and that to the Treasury. Reject: ErrToken.
//
// Spec: gateway-payments-streams §F (500 basis points of the base amount, rounded down).
func (b *Book) payTokens(p *Policy, x *Record) (fee unit.Uint128, err error) {
	fee = Fee(x.Amount)
	rest, err := x.Amount.Sub(fee)
	if err != nil {
		return fee, err
	}
	if err := b.Tokens.Release(x.Asset, Home(), p.Treasury, rest); err != nil || fee.IsZero() {
		return fee, kept(err)
	}
	return fee, kept(b.Tokens.Release(x.Asset, Home(), account.System(account.Treasury), fee))
}

// tellVerified, tellSettled and tellRefunded emit what became of a payment.
func (b *Book) tellVerified(k Key, x *Record) {
	data := append(k.Append(nil), event(x.Actor, x.Gateway)...)
	if x.Asset.IsZero() {
		b.Emit(TopicVerified, numbers(data, x.Amount.Lo, uint64(x.Expires)))
		return
	}
	b.Emit(TopicTokenVerified, numbers(x.Amount.AppendBig(append(data, x.Asset[:]...)), uint64(x.Expires)))
}

func (b *Book) tellSettled(k Key, x *Record, fee unit.Uint128) {
	data := append(k.Append(nil), event(x.Actor, x.Gateway)...)
	if x.Asset.IsZero() {
		b.Emit(TopicSettled, numbers(data, x.Amount.Lo, fee.Lo))
		return
	}
	b.Emit(TopicTokenSettled, fee.AppendBig(x.Amount.AppendBig(append(data, x.Asset[:]...))))
}

func (b *Book) tellRefunded(key []byte, x *Record) {
	data := append(append([]byte(nil), key...), x.Actor[:]...)
	if x.Asset.IsZero() {
		b.Emit(TopicRefunded, numbers(data, x.Amount.Lo))
		return
	}
	b.Emit(TopicTokenRefunded, x.Amount.AppendBig(append(data, x.Asset[:]...)))
}
