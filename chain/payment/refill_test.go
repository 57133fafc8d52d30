package payment

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// refilled is a row of testdata/refills.json: what there is before a request, and what the program says of it.
type refilled struct {
	price, refill, limit, budget, coins, today uint64
	outcome                                    string
	left, own, spent, earned, fee              uint64
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *refilled) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{
		&r.price, &r.refill, &r.limit, &r.budget, &r.coins, &r.today, &r.outcome, &r.left, &r.own, &r.spent, &r.earned, &r.fee,
	})
}

// A budget that finds too little for a request takes what its policy says from the actor's balance, all of it or nothing, where that suffices; the daily cap
// holds all the same. Every coin is where a program that was written from the document has it, and the gateway says of each request what the chain will.
//
// Spec: gateway-payments-streams §F (auto_refill).
func TestRefills(t *testing.T) {
	var rows []refilled
	if golden.Recorded(t, "testdata/refills.json", &rows); len(rows) != 900 {
		t.Fatal(len(rows))
	}
	for _, r := range rows {
		t.Run(fmt.Sprint(r.price, r.refill, r.budget, r.coins, r.today), func(t *testing.T) {
			b, p := newBook(t), priced()
			p.Prices = []Price{{Pattern: "/gift", Mode: ActorFunded, Amount: unit.Wide(r.price)}}
			p.Budget = &Budget{DailyCap: unit.Wide(r.limit), Refill: unit.Wide(r.refill)}
			if err := errors.Join(b.SetPolicy(p), account.Credit(b.State, shop, unit.Amount(r.coins))); err != nil {
				t.Fatal(err)
			}
			if r.budget > 0 {
				if err := b.Deposit(shop, unit.Amount(r.budget)); err != nil {
					t.Fatal(err)
				}
			}
			f, err := b.funds(shop)
			if err != nil {
				t.Fatal(err)
			}
			f.Today = unit.Amount(r.today)
			b.State.Set(at(underBudget, shop[:]), f.Append(nil))
			owner, err := account.Load(b.State, shop)
			if err != nil {
				t.Fatal(err)
			}
			ask := Request{
				Method: "GET", Path: "/gift", Now: b.Height, Budget: unit.Wide(uint64(f.Balance + Refills(b.Free, p, &owner))), Today: unit.Wide(r.today),
			}
			if got := Decide(p, &ask).Verdict; (got == ByBudget) != (r.outcome == "") {
				t.Errorf("the gateway says %v, the chain %q", got, r.outcome)
			}
			undo := b.State.(*state.Overlay).Mark()
			err = b.Deduct(door, shop, "GET", "/gift")
			if !errors.Is(err, rejects[r.outcome]) || (err == nil) != (r.outcome == "") {
				t.Fatalf("%v, want %q", err, r.outcome)
			}
			if err != nil {
				b.State.(*state.Overlay).Revert(undo)
			}
			held, err := Escrow(b.State)
			if err != nil {
				t.Fatal(err)
			}
			if f, err = b.funds(shop); err != nil {
				t.Fatal(err)
			}
			got := [...]unit.Amount{f.Balance, balance(t, b, shop), f.Today, balance(t, b, till), balance(t, b, treasury)}
			want := [...]unit.Amount{unit.Amount(r.left), unit.Amount(r.own), unit.Amount(r.spent), unit.Amount(r.earned), unit.Amount(r.fee)}
			if got != want || held != f.Balance || held+got[1]+got[3]+got[4] != unit.Amount(r.budget+r.coins) {
				t.Errorf("%v, %d held; want %v", got, held, want)
			}
		})
	}
}

// What an actor needs for its rent is not taken; a refill without a daily cap is no policy; and policies with and without one are read as they were written.
//
// Spec: gateway-payments-streams §F (auto_refill, daily_cap).
func TestRefillsAreBounded(t *testing.T) {
	b, p := newBook(t), priced()
	p.Budget.Refill = unit.Wide(40)
	b.Free = func(_ account.Address, a *account.Account) unit.Amount { return a.Balance - 1 }
	if err := errors.Join(b.SetPolicy(p), account.Credit(b.State, shop, 40)); err != nil {
		t.Fatal(err)
	}
	if err := b.Deduct(door, shop, "GET", "/gift"); !errors.Is(err, ErrBudget) {
		t.Errorf("with a coin too few to spend: %v", err)
	}
	if err := account.Credit(b.State, shop, 1); err != nil {
		t.Fatal(err)
	}
	if err := b.Deduct(door, shop, "GET", "/gift"); err != nil {
		t.Errorf("with just enough: %v", err)
	}
	p.Budget.DailyCap = unit.Uint128{}
	if err := b.SetPolicy(p); !errors.Is(err, ErrBounds) {
		t.Errorf("without a daily cap: %v", err)
	}
	for _, budget := range []*Budget{
		nil, {}, {Unavailable: true}, {DailyCap: unit.Wide(9), Refill: unit.Wide(1)},
		{RatePerSecond: 1, DailyCap: unit.Wide(9), Refill: unit.Wide(2), Unavailable: true},
	} {
		p.Budget = budget
		read, err := DecodePolicy(p.Append(nil))
		if err != nil || (read.Budget == nil) != (budget == nil) || budget != nil && *read.Budget != *budget {
			t.Errorf("%+v: %+v, %v", budget, read, err)
		}
	}
	p.Budget = &Budget{DailyCap: unit.Wide(9), Refill: unit.Wide(1)}
	none := p.Append(nil)
	p.Budget.Refill = unit.Wide(2)
	for i, c := range p.Append(nil) {
		if none[i] != c {
			none[i] = 0 // the refill's last byte
		}
	}
	if _, err := DecodePolicy(none); err == nil {
		t.Error("a refill of nothing was read: it is written without one")
	}
}
