package token

import (
	"bytes"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What a permit signs, as a Keccak written from FIPS 202 makes it of the 132 bytes of the text.
//
// Spec: tokens §4.
func TestPermitDigest(t *testing.T) {
	p := Permit{Owner: ann, Spender: bob, Value: unit.Uint128{Hi: 5, Lo: 6}, Nonce: 3, Deadline: 300}
	for i := range p.Token {
		p.Token[i] = byte(i)
	}
	if got, want := p.Digest(7).Hex(), "93e1712d0cdd072a09f1e333df0ef8eb4edbc7c214cba680264206e2715e2a6a"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A permit is signed by another library than checks it over bytes put together here, and is good once, on its chain, up to its deadline, in its order.
//
// Spec: tokens §4, §12.
func TestPermit(t *testing.T) {
	w := newWorld(t)
	id := w.token("HAY", 100, nil, nil)
	key, public := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	owner := account.FromPublicKey([64]byte(public.SerializeUncompressed()[1:]))
	sign := func(p Permit, chain byte) (s sig.Signature) {
		t.Helper()
		message := []byte("cowboy-token-permit:")
		message = append(message, 0, 0, 0, 0, 0, 0, 0, chain)
		message = append(message, p.Token[:]...)
		message = append(message, p.Owner[:]...)
		message = append(message, p.Spender[:]...)
		message = append(message, p.Value.Int().FillBytes(make([]byte, 16))...)
		message = append(message, 0, 0, 0, 0, 0, 0, 0, byte(p.Nonce), 0, 0, 0, 0, 0, 0, 0, byte(p.Deadline))
		hash := digest.Keccak256(message)
		compact := ecdsa.SignCompact(key, hash[:], false) // 27 + recovery id, r, s
		copy(s[:], compact[1:])
		s[64] = compact[0] - 27
		return s
	}
	permit := func(what string, want error, p Permit, s sig.Signature) {
		t.Helper()
		w.refused(what, want, func() error { return w.Permit(p, s) })
	}
	p := Permit{Token: id, Owner: owner, Spender: bob, Value: unit.Uint128{Hi: 5, Lo: 6}, Deadline: 10}
	permit("another chain", ErrSignature, p, sign(p, 8))
	permit("no signature", ErrSignature, p, sig.Signature{})
	for what, change := range map[string]func(p *Permit){
		"another token":    func(p *Permit) { p.Token = w.token("OAT", 1, nil, nil) },
		"another spender":  func(p *Permit) { p.Spender = cid },
		"another value":    func(p *Permit) { p.Value.Lo++ },
		"another deadline": func(p *Permit) { p.Deadline++ },
		"another owner":    func(p *Permit) { p.Owner = ann },
	} {
		other := p
		change(&other)
		permit(what, ErrSignature, other, sign(p, 7))
	}
	late := p
	late.Deadline = 9
	permit("one block late", ErrExpired, late, sign(late, 7))
	early := p
	early.Nonce = 1
	permit("the next nonce", ErrNonce, early, sign(early, 7))
	unknown := p
	unknown.Token = ID{1}
	permit("unknown token", ErrUnknown, unknown, sign(unknown, 7))
	permit("in its last block", nil, p, sign(p, 7))
	if got, err := Allowance(w.State, id, owner, bob); err != nil || got != p.Value {
		t.Errorf("allowed %v, %v", got, err)
	}
	permit("again", ErrNonce, p, sign(p, 7))
	permit("the next", nil, early, sign(early, 7))
	if next, err := PermitNonce(w.State, owner); next != 2 || err != nil {
		t.Errorf("next nonce %d, %v", next, err)
	}
	if next, err := PermitNonce(w.State, ann); next != 0 || err != nil {
		t.Errorf("nonce of who never signed: %d, %v", next, err)
	}
}
