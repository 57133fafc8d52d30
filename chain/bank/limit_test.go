package bank

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The limits of banks and cards, one below each, at it, and one above.
//
// Spec: gateway-payments-streams §G.1 (names of 1 to 32, 64 receivers, 16 kinds, references of 64), §G.2 (reasons of 256), §G.3 (caps).
func TestLimitsOfCards(t *testing.T) {
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), 1))
	if err != nil {
		t.Fatal(err)
	}
	name := func(w *world, n int) error {
		_, err := w.Register(bytes.Repeat([]byte("b"), n), bob, nil)
		return err
	}
	expiring := func(w *world) account.Address {
		last := unit.Height(200)
		return w.issue(Terms{Bank: 1, Agent: agent, Expires: &last})
	}
	for _, x := range []struct {
		name string
		at   int // the limit
		want [3]error
		do   func(w *world, n int) error
	}{
		{"bytes of a bank's name", 32, [3]error{nil, nil, ErrTerms}, name},
		{"at least a byte", 1, [3]error{ErrTerms, nil, nil}, name},
		{"receivers", 64, [3]error{nil, nil, ErrPolicy}, func(w *world, n int) error {
			p := Policy{AllowedReceivers: make([]Receiver, n)}
			for i := range p.AllowedReceivers {
				binary.BigEndian.PutUint16(p.AllowedReceivers[i].Address[:], uint16(i+1))
			}
			return w.SetPolicy(ann, w.card, p)
		}},
		{"kinds", 16, [3]error{nil, nil, ErrPolicy}, func(w *world, n int) error {
			p := Policy{AllowedSyscallKinds: make([]Kind, n)}
			for i := range p.AllowedSyscallKinds {
				p.AllowedSyscallKinds[i] = Kind{Family: Custom, Opcode: uint16(i)}
			}
			return w.SetPolicy(ann, w.card, p)
		}},
		{"bytes of a reason", 256, [3]error{nil, nil, ErrTerms}, func(w *world, n int) error { return w.Freeze(bob, w.card, make([]byte, n)) }},
		{"bytes of a reference", 64, [3]error{nil, nil, ErrVoucher}, func(w *world, n int) error {
			w.must(account.Credit(w.State, ReserveOf(1), 100))
			signer := key.Address()
			w.must(w.SetSigner(bob, 1, &signer))
			v := Voucher{Bank: 1, Card: w.card, Amount: unit.Wide(60), ID: [32]byte{1}, Expires: 100, Reference: make([]byte, n)}
			return w.Redeem(v, key.Sign(v.Digest(42)))
		}},
		{"the last block of a voucher", 100, [3]error{ErrVoucher, nil, nil}, func(w *world, n int) error {
			w.must(account.Credit(w.State, ReserveOf(1), 100))
			signer := key.Address()
			w.must(w.SetSigner(bob, 1, &signer))
			v := Voucher{Bank: 1, Card: w.card, Amount: unit.Wide(60), ID: [32]byte{1}, Expires: unit.Height(n)}
			return w.Redeem(v, key.Sign(v.Digest(42)))
		}},
		{"coins of a card", 50, [3]error{nil, nil, ErrFunds}, func(w *world, n int) error {
			w.must(w.Deposit(ann, w.card, unit.Wide(50)))
			return w.charge(w.card, unit.Amount(n))
		}},
		{"the cap of an hour", 50, [3]error{nil, nil, ErrCap}, func(w *world, n int) error {
			most := unit.Wide(50)
			w.must(w.SetPolicy(ann, w.card, Policy{PerHourCap: &most}))
			w.must(w.Deposit(ann, w.card, unit.Wide(1_000)))
			return w.charge(w.card, unit.Amount(n))
		}},
		{"the last block of a card", 200, [3]error{nil, nil, ErrExpired}, func(w *world, n int) error {
			card := expiring(w)
			w.must(w.Deposit(ann, card, unit.Wide(1_000)))
			w.Height = unit.Height(n)
			return w.charge(card, 1)
		}},
	} {
		for i, want := range x.want {
			t.Run(fmt.Sprint(x.name, " ", x.at-1+i), func(t *testing.T) {
				w := newWorld(t)
				if err := x.do(w, x.at-1+i); !errors.Is(err, want) || (err == nil) != (want == nil) {
					t.Errorf("%v, want %v", err, want)
				}
			})
		}
	}
}

// A genesis has at most 64 tokens that cards may pay in, each once, in ascending order, at rates above zero; all of them are listed.
//
// Spec: gateway-payments-streams §G.2 (200: whitelisted), §G.3 (2: a rate fixed in the genesis).
func TestPegsOfAGenesis(t *testing.T) {
	pegs := func(n int) (list []Peg) {
		for i := range n {
			list = append(list, Peg{TokenID{1, byte(i)}, 1, 1})
		}
		return list
	}
	for name, c := range map[string]struct {
		list []Peg
		err  error
	}{
		"none":           {nil, nil},
		"64":             {pegs(64), nil},
		"65":             {pegs(65), ErrTerms},
		"one twice":      {append(pegs(1), pegs(1)...), ErrTerms},
		"descending":     {[]Peg{{TokenID{2}, 1, 1}, {TokenID{1}, 1, 1}}, ErrTerms},
		"no units":       {[]Peg{{TokenID{1}, 0, 1}}, ErrTerms},
		"for no coins":   {[]Peg{{TokenID{1}, 1, 0}}, ErrTerms},
		"the least rate": {[]Peg{{TokenID{1}, 1, 1}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if err := CheckPegs(c.list); err != c.err {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	for _, p := range pegs(64) {
		p.Save(o)
	}
	list, err := Pegs(o)
	if err != nil || !slices.Equal(list, pegs(64)) {
		t.Errorf("%v, %v", list, err)
	}
}
