package payment

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Authorization is the word of a payer as clients of x402's scheme "exact" sign it: EIP-712 typed data after EIP-3009. It names no request, so To does: it
// is the address that Resource.PayTo gives, which nobody has a key to.
//
// Source: x402, specs/schemes/exact/scheme_exact_evm.md.
//
// Spec: gateway-payments-streams §F (x402, exact).
type Authorization struct {
	From, To    account.Address
	Value       unit.Uint128
	ValidAfter  uint64 // Unix seconds: it counts after this one
	ValidBefore uint64 // and before this one
	Nonce       digest.Hash
	Signature   sig.Signature
}

// The typed data, as wallets show it. DomainName and DomainVersion are what x402's "extra" tells the client.
const (
	DomainName        = "CBY"
	DomainVersion     = "1"
	domainType        = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
	authorizationType = "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
)

// word is a number as a word of 32 bytes.
func word(n uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24, 32), n) }

// Digest is what the payer signs on a chain. The contract that verifies is 0x12.
//
// Source: EIP-712; EIP-3009.
func (a *Authorization) Digest(chainID uint64) digest.Hash {
	return a.typed(DomainName, DomainVersion, chainID, Home())
}

// typed is the digest for any contract after EIP-3009.
func (a *Authorization) typed(name, version string, chainID uint64, contract account.Address) digest.Hash {
	kind, n, v, pad := digest.Keccak256([]byte(domainType)), digest.Keccak256([]byte(name)), digest.Keccak256([]byte(version)), make([]byte, 12)
	domain := digest.Keccak256(kind[:], n[:], v[:], word(chainID), pad, contract[:])
	kind = digest.Keccak256([]byte(authorizationType))
	body := digest.Keccak256(
		kind[:], pad, a.From[:], pad, a.To[:], make([]byte, 16), a.Value.AppendBig(nil), word(a.ValidAfter), word(a.ValidBefore), a.Nonce[:],
	)
	return digest.Keccak256([]byte{0x19, 0x01}, domain[:], body[:])
}

// Append appends the canonical encoding: from(20) ‖ to(20) ‖ value(16) ‖ UInt valid_after ‖ UInt valid_before ‖ nonce(32) ‖ signature(65).
func (a *Authorization) Append(dst []byte) []byte {
	dst = a.Value.AppendBig(codec.AppendFixed(codec.AppendFixed(dst, a.From[:]), a.To[:]))
	dst = codec.AppendUint(codec.AppendUint(dst, a.ValidAfter), a.ValidBefore)
	return codec.AppendFixed(codec.AppendFixed(dst, a.Nonce[:]), a.Signature[:])
}

// DecodeAuthorization reads what Append wrote. Reject: ErrIntent.
func DecodeAuthorization(data []byte) (a Authorization, err error) {
	r := codec.NewReader(data)
	r.Into(a.From[:])
	r.Into(a.To[:])
	a.Value = readWide(r)
	a.ValidAfter, a.ValidBefore = r.Uint(), r.Uint()
	r.Into(a.Nonce[:])
	r.Into(a.Signature[:])
	if r.Finish() != nil {
		return Authorization{}, ErrIntent
	}
	return a, nil
}

// Verify holds an authorization to a request and its price, on a chain and at a time in Unix seconds. That its nonce was not spent is the caller's to see.
// Rejects: ErrOther, ErrExpired, ErrSignature.
//
// Spec: gateway-payments-streams §F (verify_payment).
func (a *Authorization) Verify(chainID, now uint64, to account.Address, amount unit.Uint128, recoverer sig.Recoverer) error {
	if a.To != to || a.Value != amount {
		return ErrOther
	}
	if now <= a.ValidAfter || now >= a.ValidBefore {
		return ErrExpired
	}
	if signer, err := recoverer.Recover(a.Digest(chainID), a.Signature); err != nil || signer != a.From {
		return ErrSignature
	}
	return nil
}

// Resource is what a payment is for: one request at one gateway.
type Resource struct {
	Gateway, Actor account.Address
	Method, Path   string
	Rest           digest.Hash // of all that the price does not depend on; Rest gives it
}

// Rest is the hash of the parts of a request that its price does not depend on: keccak256(Bytes host ‖ Bytes query ‖ Bytes body).
func Rest(host, query string, body []byte) digest.Hash {
	return digest.Keccak256(codec.AppendBytes(codec.AppendBytes(codec.AppendBytes(nil, []byte(host)), []byte(query)), body))
}

// Hash is the request_hash of an intent: keccak256("CowboyPaymentRequest\x01" ‖ gateway(20) ‖ actor(20) ‖ Bytes method ‖ Bytes path ‖ rest(32)). It has the
// gateway, so that no other can take the payment.
//
// Spec: gateway-payments-streams §F (request_hash).
func (r *Resource) Hash() digest.Hash {
	data := codec.AppendFixed(codec.AppendFixed([]byte("CowboyPaymentRequest\x01"), r.Gateway[:]), r.Actor[:])
	data = codec.AppendBytes(codec.AppendBytes(data, []byte(r.Method)), []byte(r.Path))
	return digest.Keccak256(codec.AppendFixed(data, r.Rest[:]))
}

// PayTo is the address that an authorization for the request names as its payee: the last 20 bytes of keccak256("CowboyPaymentTo\x01" ‖ Hash).
func (r *Resource) PayTo() account.Address {
	hash := r.Hash()
	hash = digest.Keccak256([]byte("CowboyPaymentTo\x01"), hash[:])
	return account.Address(hash[digest.Size-account.AddressSize:])
}

// Form is how a payment is signed.
type Form uint8

// The forms.
const (
	ByIntent Form = iota
	ByAuthorization
	forms
)

// Payment is what a payer signed, in one of its forms; the other is nil.
type Payment struct {
	Intent        *Intent
	Authorization *Authorization
}

// Append appends the canonical encoding: form(1) ‖ the intent or the authorization.
func (p *Payment) Append(dst []byte) []byte {
	if p.Intent != nil {
		return p.Intent.Append(codec.AppendU8(dst, uint8(ByIntent)))
	}
	return p.Authorization.Append(codec.AppendU8(dst, uint8(ByAuthorization)))
}

// DecodePayment reads what Append wrote. Reject: ErrIntent.
func DecodePayment(data []byte) (p Payment, err error) {
	switch {
	case len(data) > 0 && data[0] == uint8(ByIntent):
		i, err := DecodeIntent(data[1:])
		return Payment{Intent: &i}, err
	case len(data) > 0 && data[0] == uint8(ByAuthorization):
		a, err := DecodeAuthorization(data[1:])
		return Payment{Authorization: &a}, err
	}
	return Payment{}, ErrIntent
}

// Kind is what the payment buys.
func (p *Payment) Kind() Kind {
	if p.Intent != nil {
		return p.Intent.Kind
	}
	return PayRequest
}

// Key is what the payment counts once by.
func (p *Payment) Key() Key {
	if p.Intent != nil {
		k := Key{Payer: p.Intent.Payer, Form: ByIntent}
		binary.BigEndian.PutUint64(k.Nonce[24:], p.Intent.Nonce)
		return k
	}
	return Key{p.Authorization.From, ByAuthorization, p.Authorization.Nonce}
}

// Key is the identity of a payment: a nonce counts once a payer.
//
// Spec: gateway-payments-streams §F (a nonce counts once a payer).
type Key struct {
	Payer account.Address
	Form  Form
	Nonce digest.Hash // of an intent its number, big-endian
}

// Append appends payer(20) ‖ form(1) ‖ nonce(32).
func (k *Key) Append(dst []byte) []byte {
	return codec.AppendFixed(codec.AppendU8(codec.AppendFixed(dst, k.Payer[:]), uint8(k.Form)), k.Nonce[:])
}
