package payment

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The rejects of an intent.
var (
	ErrIntent    = errors.New("payment: the intent is not of this form")
	ErrSignature = errors.New("payment: the intent is not signed by its payer for this chain")
	ErrExpired   = errors.New("payment: the intent is past its valid_before")
	ErrOther     = errors.New("payment: the intent is for another actor, request, asset or amount")
)

// Kind is what an intent buys.
type Kind uint8

// The kinds.
const (
	PayRequest Kind = iota
	PayPass
	PayEpoch
	kinds
)

// Intent is the word of a payer that an actor may have an amount for one request (PaymentIntent).
//
// Spec: gateway-payments-streams §F (as built, with chain_id and a domain).
type Intent struct {
	Kind        Kind
	Payer       account.Address
	Actor       account.Address
	Asset       Asset
	Amount      unit.Uint128
	Nonce       uint64 // counts once a payer
	ValidBefore unit.Height
	RequestHash digest.Hash
	PassID      digest.Hash // of a pass; zero for any other kind
	Signature   sig.Signature
}

// intentDomain begins what is signed.
const intentDomain = "CowboyPaymentIntent\x01"

// Append appends the canonical encoding: kind ‖ payer(20) ‖ actor(20) ‖ asset(32) ‖ amount(16) ‖ UInt nonce ‖ UInt valid_before ‖ request_hash(32) ‖
// pass_id(32) ‖ signature(65).
func (i *Intent) Append(dst []byte) []byte {
	return codec.AppendFixed(i.appendUnsigned(dst), i.Signature[:])
}

func (i *Intent) appendUnsigned(dst []byte) []byte {
	dst = codec.AppendU8(dst, uint8(i.Kind))
	dst = codec.AppendFixed(codec.AppendFixed(codec.AppendFixed(dst, i.Payer[:]), i.Actor[:]), i.Asset[:])
	dst = codec.AppendUint(codec.AppendUint(i.Amount.AppendBig(dst), i.Nonce), uint64(i.ValidBefore))
	return codec.AppendFixed(codec.AppendFixed(dst, i.RequestHash[:]), i.PassID[:])
}

// DecodeIntent reads what Append wrote. Reject: ErrIntent.
func DecodeIntent(data []byte) (i Intent, err error) {
	r := codec.NewReader(data)
	i.Kind = Kind(r.Tag(uint8(kinds)))
	r.Into(i.Payer[:])
	r.Into(i.Actor[:])
	r.Into(i.Asset[:])
	var amount [unit.Uint128Size]byte
	r.Into(amount[:])
	i.Amount, i.Nonce, i.ValidBefore = unit.Uint128FromBig(amount), r.Uint(), unit.Height(r.Uint())
	r.Into(i.RequestHash[:])
	r.Into(i.PassID[:])
	r.Into(i.Signature[:])
	if r.Finish() != nil {
		return Intent{}, ErrIntent
	}
	return i, nil
}

// Digest is what the payer signs: keccak256("CowboyPaymentIntent\x01" ‖ UInt chain_id ‖ the encoding without the signature).
//
// Spec: gateway-payments-streams §F (with chain_id and a domain).
func (i *Intent) Digest(chainID uint64) digest.Hash {
	return digest.Keccak256(i.appendUnsigned(codec.AppendUint([]byte(intentDomain), chainID)))
}

// Wanted is what a request costs, which an intent is held to.
type Wanted struct {
	Kind        Kind
	Actor       account.Address
	Asset       Asset
	Amount      unit.Uint128
	RequestHash digest.Hash
}

// Verify holds an intent to what is wanted, on a chain and at a height. That its nonce was not spent is the caller's to see. Rejects: ErrOther, ErrExpired,
// ErrSignature.
//
// Spec: gateway-payments-streams §F (verify_payment; valid_before, request_hash, secp256k1).
func (i *Intent) Verify(chainID uint64, now unit.Height, w *Wanted, recoverer sig.Recoverer) error {
	if (Wanted{i.Kind, i.Actor, i.Asset, i.Amount, i.RequestHash}) != *w || i.Kind != PayPass && !i.PassID.IsZero() {
		return ErrOther
	}
	if now >= i.ValidBefore {
		return ErrExpired
	}
	if signer, err := recoverer.Recover(i.Digest(chainID), i.Signature); err != nil || signer != i.Payer {
		return ErrSignature
	}
	return nil
}
