package bank

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A voucher credits its card once, by the word of the bank's present signer, for this chain, up to its expiry; a token is minted by the bank's address alone,
// and coins are the bank's.
//
// Spec: gateway-payments-streams §G.2 (210; governance must be able to replace a signer).
func TestVouchers(t *testing.T) {
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), 1))
	if err != nil {
		t.Fatal(err)
	}
	other, err := sig.ParsePrivateKey(append(make([]byte, 31), 2))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	tokens := w.Tokens.(*token.Registry)
	id, err := tokens.Create(ann, 0, token.Terms{Name: []byte("Euro"), Symbol: []byte("EUR")})
	w.must(err)
	w.must(account.Credit(w.State, ReserveOf(1), 100))
	signer := key.Address()
	w.must(w.SetSigner(bob, 1, &signer))
	base := Voucher{Bank: 1, Card: w.card, Amount: unit.Wide(60), ID: [32]byte{1}, Expires: 100, Reference: []byte("wire 17")}
	with := func(change func(v *Voucher)) Voucher { v := base; change(&v); return v }
	sign := func(v Voucher, k *sig.PrivateKey, chain uint64) sig.Signature { return k.Sign(v.Digest(chain)) }
	closed := w.issue(Terms{Bank: 1, Agent: agent})
	w.must(w.Close(ann, closed, ann))
	minted := with(func(v *Voucher) { v.Token, v.ID = &id, [32]byte{3} })
	for _, x := range []struct {
		name      string
		voucher   Voucher
		signature sig.Signature
		err       error
	}{
		{"another's signature", base, sign(base, other, 42), ErrVoucher},
		{"for another chain", base, sign(base, key, 43), ErrVoucher},
		{"one unit over what was signed", with(func(v *Voucher) { v.Amount = unit.Wide(61) }), sign(base, key, 42), ErrVoucher},
		{"no amount", with(func(v *Voucher) { v.Amount = unit.Uint128{} }), sig.Signature{}, ErrAmount},
		{"a closed card", with(func(v *Voucher) { v.Card = closed }), sig.Signature{}, ErrClosed},
		{"no card", with(func(v *Voucher) { v.Card = ann }), sig.Signature{}, ErrCard},
		{"expired", with(func(v *Voucher) { v.Expires = 99 }), sign(with(func(v *Voucher) { v.Expires = 99 }), key, 42), ErrVoucher},
		{"a bank there is not", with(func(v *Voucher) { v.Bank = 2 }), sig.Signature{}, ErrBank},
		{"good", base, sign(base, key, 42), nil},
		{"again", base, sign(base, key, 42), ErrUsed},
		{"more than the bank has", with(func(v *Voucher) { v.ID[0] = 2 }), sign(with(func(v *Voucher) { v.ID[0] = 2 }), key, 42), ErrFunds},
		{"a token of another's", minted, sign(minted, key, 42), token.ErrAuthority},
	} {
		t.Run(x.name, func(t *testing.T) {
			if err := w.Redeem(x.voucher, x.signature); !errors.Is(err, x.err) {
				t.Errorf("%v, want %v", err, x.err)
			}
		})
	}
	if w.balance(w.card) != 60 || w.balance(ReserveOf(1)) != 40 {
		t.Error(w.balance(w.card), w.balance(ReserveOf(1)))
	}
	w.must(tokens.TransferOwnership(ann, id, ReserveOf(1)))
	minted.ID[0] = 4
	w.must(w.Redeem(minted, sign(minted, key, 42)))
	if n, err := token.Balance(w.State, id, w.card); err != nil || n != unit.Wide(60) {
		t.Error(n, err)
	}
	next := other.Address()
	w.must(w.SetSigner(governor, 1, &next))
	minted.ID[0] = 5
	if err := w.Redeem(minted, sign(minted, key, 42)); !errors.Is(err, ErrVoucher) {
		t.Error("the signer that was replaced:", err)
	}
	w.must(w.Redeem(minted, sign(minted, other, 42)))
}

// A bank that is registered has the next number, and its cards their own addresses.
//
// Spec: gateway-payments-streams §G.1 (bank 1, the sequence 2), §G.2 (216).
func TestRegister(t *testing.T) {
	w := newWorld(t)
	first, err := Load(w.State, 1)
	if err != nil || first.Name != "Cowboy Banking" || first.Status != Active {
		t.Fatalf("%+v %v", first, err)
	}
	id, err := w.Register([]byte("Second"), stranger, nil)
	if err != nil || id != 2 {
		t.Fatal(id, err)
	}
	if list, err := Banks(w.State, 0, 10); err != nil || len(list) != 2 || list[1].Operator != stranger || list[0].Operator != bob {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := w.Register([]byte("Third"), account.Address{}, nil); !errors.Is(err, ErrTerms) {
		t.Error(err)
	}
	if _, err := w.Issue(ann, Terms{Bank: 3, Agent: agent}); !errors.Is(err, ErrBank) {
		t.Error(err)
	}
}
