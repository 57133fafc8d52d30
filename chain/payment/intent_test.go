package payment

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

func rep(b byte, n int) []byte { return bytes.Repeat([]byte{b}, n) }

// Digests by a program in Python, with keccak256 by the standard and numbers in sevens of bits, the lowest first:
//
//	keccak256(b'CowboyPaymentIntent\x01' + uv(chain) + bytes([kind]) + payer + actor + asset + amount.to_bytes(16, 'big') + uv(nonce) + uv(valid_before)
//	          + request_hash + pass_id)
//
// Spec: gateway-payments-streams §F (chain_id and a domain).
func TestIntentDigests(t *testing.T) {
	one := Intent{
		Payer: account.Address(rep(1, 20)), Actor: account.Address(rep(2, 20)), Amount: unit.Wide(5_000), Nonce: 7, ValidBefore: 1_000,
		RequestHash: digest.Hash(rep(3, 32)),
	}
	two := Intent{
		Kind: PayPass, Payer: account.Address(rep(9, 20)), Actor: account.Address(rep(8, 20)), Asset: digest.Hash(rep(7, 32)),
		Amount: unit.Uint128{Hi: 1<<64 - 1, Lo: 1<<64 - 1}, Nonce: 1<<64 - 1, ValidBefore: 300, RequestHash: digest.Hash(rep(6, 32)),
		PassID: digest.Hash(rep(5, 32)),
	}
	for want, x := range map[string]struct {
		intent Intent
		chain  uint64
	}{
		"0x365c65365681946ab8e78a55a74b3c8c8a6d299a33c4358a1d83dd8aea2ccef3": {one, 42},
		"0xa99b6391e64e186498a207f1ac2d6aef53ea6328bd374d05b2ccef737b67e845": {one, 43},
		"0x95fe1a05ec544784e21f8b0c0d738a4a8b12f7b1d5097a609fefc1c0a29f2065": {two, 1},
	} {
		t.Run(want, func(t *testing.T) {
			if got := x.intent.Digest(x.chain).String(); got != want {
				t.Error(got)
			}
		})
	}
}

// An intent counts for its chain, actor, request, asset and amount, up to its height, by its payer's key; not for one unit more or less.
//
// Spec: gateway-payments-streams §F (verify_payment).
func TestVerify(t *testing.T) {
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), 3))
	if err != nil {
		t.Fatal(err)
	}
	base := Intent{Payer: key.Address(), Actor: account.Address{2}, Amount: unit.Wide(100), Nonce: 1, ValidBefore: 10, RequestHash: digest.Hash{4}}
	base.Signature = key.Sign(base.Digest(42))
	for name, x := range map[string]struct {
		change func(i *Intent, w *Wanted)
		chain  uint64
		now    unit.Height
		want   error
	}{
		"good":                {func(*Intent, *Wanted) {}, 42, 9, nil},
		"at its height":       {func(*Intent, *Wanted) {}, 42, 10, ErrExpired},
		"on another chain":    {func(*Intent, *Wanted) {}, 43, 9, ErrSignature},
		"another's signature": {func(i *Intent, _ *Wanted) { i.Payer[0]++ }, 42, 9, ErrSignature},
		"another nonce":       {func(i *Intent, _ *Wanted) { i.Nonce++ }, 42, 9, ErrSignature},
		"later":               {func(i *Intent, _ *Wanted) { i.ValidBefore++ }, 42, 9, ErrSignature},
		"a unit more wanted":  {func(_ *Intent, w *Wanted) { w.Amount = unit.Wide(101) }, 42, 9, ErrOther},
		"a unit more stated":  {func(i *Intent, w *Wanted) { i.Amount, w.Amount = unit.Wide(101), unit.Wide(101) }, 42, 9, ErrSignature},
		"another actor":       {func(_ *Intent, w *Wanted) { w.Actor[0]++ }, 42, 9, ErrOther},
		"another request":     {func(_ *Intent, w *Wanted) { w.RequestHash[0]++ }, 42, 9, ErrOther},
		"another asset":       {func(_ *Intent, w *Wanted) { w.Asset[0]++ }, 42, 9, ErrOther},
		"a pass wanted":       {func(_ *Intent, w *Wanted) { w.Kind = PayPass }, 42, 9, ErrOther},
		"a pass's identifier": {func(i *Intent, _ *Wanted) { i.PassID[0]++ }, 42, 9, ErrOther},
	} {
		t.Run(name, func(t *testing.T) {
			i, w := base, Wanted{Actor: base.Actor, Amount: base.Amount, RequestHash: base.RequestHash}
			x.change(&i, &w)
			if err := i.Verify(x.chain, x.now, &w, sig.Default()); !errors.Is(err, x.want) {
				t.Errorf("%v, want %v", err, x.want)
			}
		})
	}
	back, err := DecodeIntent(base.Append(nil))
	if err != nil || back != base {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range base.Append(nil) {
		if _, err := DecodeIntent(base.Append(nil)[:cut]); !errors.Is(err, ErrIntent) {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
}

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; gateway-payments-streams §F.
func TestGoldenRecords(t *testing.T) {
	p, coins, tokens := golden.Fill(&Policy{}), golden.Fill(&Record{}), golden.Fill(&Record{})
	coins.Asset, coins.Amount.Hi = Asset{}, 0
	golden.Records(t, map[string][]byte{
		"Intent": golden.Fill(&Intent{}).Append(nil), "Authorization": golden.Fill(&Authorization{}).Append(nil), "Policy": p.Append(nil),
		"Funds": golden.Fill(&Funds{}).Append(nil), "Credits": golden.Fill(&Credits{}).Append(nil), "Record": coins.Append(nil),
		"RecordInToken": tokens.Append(nil),
		"Key":           golden.Fill(&Key{}).Append(nil), "Payment": (&Payment{Authorization: golden.Fill(&Authorization{})}).Append(nil),
	})
}
