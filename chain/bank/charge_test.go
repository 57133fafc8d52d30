package bank

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Each cap with one unit less, exactly and one more, in the last block of a period, in the first of the next, and together with what was spent before.
//
// Spec: gateway-payments-streams §G.1 (fixed periods), §G.3 (2).
func TestCaps(t *testing.T) {
	n := func(v uint64) *unit.Uint128 { x := unit.Wide(v); return &x }
	for tier, policy := range []Policy{{PerHourCap: n(100)}, {PerDayCap: n(100)}, {PerMonthCap: n(100)}} {
		blocks := unit.Height([...]uint64{3_600, 86_400, 2_592_000}[tier])
		t.Run(Tier(tier).String(), func(t *testing.T) {
			w := newWorld(t)
			card := w.issue(Terms{Bank: 1, Agent: agent, Policy: policy})
			w.must(w.Deposit(ann, card, unit.Wide(10_000)))
			for i, x := range []struct {
				at    unit.Height
				coins unit.Amount
				ok    bool
			}{
				{blocks*3 - 2, 99, true}, {blocks*3 - 1, 2, false}, {blocks*3 - 1, 1, true}, {blocks*3 - 1, 1, false},
				{blocks * 3, 101, false}, {blocks * 3, 100, true}, {blocks * 3, 1, false}, {blocks*4 - 1, 1, false}, {blocks * 4, 1, true},
			} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					w.Height = x.at
					before := w.balance(card)
					err := w.charge(card, x.coins)
					var over *CapError
					if x.ok && (err != nil || w.balance(card) != before-x.coins) || !x.ok && (!errors.As(err, &over) || w.balance(card) != before) {
						t.Fatal(err)
					}
					if over != nil && (over.Tier != Tier(tier) || over.Cap != unit.Wide(100) || over.WouldBe.Cmp(over.Cap) <= 0) {
						t.Errorf("%+v", over)
					}
				})
			}
		})
	}
}

// What comes back lowers the periods that the charge was counted in, as far as they are still the present ones: a refund of the last hour gives this hour no
// room.
//
// Spec: gateway-payments-streams §G.3 (3).
func TestRefundOfAnEarlierPeriod(t *testing.T) {
	cap := unit.Wide(100)
	w := newWorld(t)
	card := w.issue(Terms{Bank: 1, Agent: agent, Policy: Policy{PerHourCap: &cap}})
	w.must(w.Deposit(ann, card, unit.Wide(1_000)))
	w.Height = 3_599
	w.must(w.charge(card, 100))
	if back, err := Refund(w.State, card, 30, 3_599); err != nil || back != unit.Wide(30) {
		t.Fatal(back, err)
	}
	if got := w.spent(card); got != [Tiers]unit.Uint128{unit.Wide(70), unit.Wide(70), unit.Wide(70)} {
		t.Errorf("%v", got)
	}
	w.Height = 3_600
	w.must(w.charge(card, 100))
	if _, err := Refund(w.State, card, 70, 3_599); err != nil {
		t.Fatal(err)
	}
	if got := w.spent(card); got != [Tiers]unit.Uint128{unit.Wide(100), unit.Wide(100), unit.Wide(100)} {
		t.Errorf("%v", got) // 100 of this hour; 70 + 100 − 70 of the day and the month
	}
	if err := w.charge(card, 1); !errors.Is(err, ErrCap) {
		t.Error(err)
	}
}

// A card's agent tries to have it pay in every way its policy forbids.
//
// Spec: gateway-payments-streams §G.3 (2).
func TestPolicyDenies(t *testing.T) {
	friend, foe := filled(0x0f), filled(0xf0)
	policy := Policy{
		AllowedReceivers:    []Receiver{{friend}, {stranger}},
		AllowedSyscallKinds: []Kind{{Family: Send}, {Family: Custom, Opcode: 91}},
	}
	w := newWorld(t)
	card := w.issue(Terms{Bank: 1, Agent: agent, Policy: policy})
	for name, x := range map[string]struct {
		use Use
		ok  bool
	}{
		"admitted":                 {Use{Kind: Kind{Family: Send}, Receivers: []account.Address{friend}}, true},
		"two admitted":             {Use{Kind: Kind{Family: Send}, Receivers: []account.Address{friend, stranger}}, true},
		"the opcode":               {Use{Kind: Kind{Family: Custom, Opcode: 91}, Receivers: []account.Address{friend}}, true},
		"another receiver":         {Use{Kind: Kind{Family: Send}, Receivers: []account.Address{foe}}, false},
		"one of two":               {Use{Kind: Kind{Family: Send}, Receivers: []account.Address{friend, foe}}, false},
		"another kind":             {Use{Kind: Kind{Family: Token}, Receivers: []account.Address{friend}}, false},
		"another opcode":           {Use{Kind: Kind{Family: Custom, Opcode: 92}, Receivers: []account.Address{friend}}, false},
		"an operation on itself":   {Use{Kind: Kind{Family: Send}, Receivers: []account.Address{friend}, Cards: []account.Address{card}}, false},
		"an operation on its bank": {Use{Kind: Kind{Family: Send}, Receivers: []account.Address{friend}, Banks: []uint32{1}}, false},
		"an operation on other ones": {
			Use{Kind: Kind{Family: Send}, Receivers: []account.Address{friend}, Banks: []uint32{2}, Cards: []account.Address{foe}}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Open(w.State, card)
			w.must(err)
			if err := p.Admit(w.Height, &x.use); x.ok != (err == nil) || err != nil && !errors.Is(err, ErrDenied) {
				t.Error(err)
			}
		})
	}
	for name, p := range map[string]Policy{
		"65 receivers": {AllowedReceivers: make([]Receiver, 65)}, "17 kinds": {AllowedSyscallKinds: make([]Kind, 17)},
		"receivers out of order": {AllowedReceivers: []Receiver{{stranger}, {friend}}}, "a kind twice": {AllowedSyscallKinds: []Kind{{}, {}}},
		"no such family": {AllowedSyscallKinds: []Kind{{Family: families}}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := w.SetPolicy(ann, card, p); !errors.Is(err, ErrPolicy) {
				t.Error(err)
			}
		})
	}
}

// A card that pays in a token: its bank sells the coins at the rate of the genesis, rounded up; what comes back is rounded down, and comes as coins where the
// bank has paid the tokens out. 3 units stand for 7 base units of coin.
//
// Spec: gateway-payments-streams §G.2 (212: whitelisted), §G.3 (2, 3).
func TestTokenCard(t *testing.T) {
	w := newWorld(t)
	tokens := w.Tokens.(*token.Registry)
	id, err := tokens.Create(ann, 0, token.Terms{Name: []byte("Euro"), Symbol: []byte("EUR"), Supply: unit.Wide(1_000)})
	w.must(err)
	if _, err := w.Issue(ann, Terms{Bank: 1, Agent: agent, Token: &id}); !errors.Is(err, ErrToken) {
		t.Fatal("no rate:", err)
	}
	(&Peg{id, 3, 7}).Save(w.State)
	card := w.issue(Terms{Bank: 1, Agent: agent, Token: &id})
	units := func(who account.Address) uint64 {
		n, err := token.Balance(w.State, id, who)
		w.must(err)
		return n.Lo
	}
	w.must(w.Deposit(ann, card, unit.Wide(100)))
	if err := w.charge(card, 10); !errors.Is(err, ErrFunds) {
		t.Fatal("the bank has no coins:", err)
	}
	w.must(account.Credit(w.State, ReserveOf(1), 1_000))
	w.must(w.charge(card, 10)) // 30/7 = 4.28…: 5 units
	if units(card) != 95 || units(ReserveOf(1)) != 5 || w.balance(ReserveOf(1)) != 990 || w.spent(card)[Hour] != unit.Wide(5) {
		t.Errorf("%d and %d units, %d coins, %v spent", units(card), units(ReserveOf(1)), w.balance(ReserveOf(1)), w.spent(card))
	}
	if back, err := Refund(w.State, card, 9, w.Height); err != nil || back != unit.Wide(3) || units(card) != 98 || w.balance(ReserveOf(1)) != 999 {
		t.Errorf("%v %v: %d units, %d coins", back, err, units(card), w.balance(ReserveOf(1)))
	}
	w.must(w.charge(card, 14))
	w.must(w.SettleProvider(bob, 1, stranger, &id, unit.Wide(units(ReserveOf(1)))))
	if back, err := Refund(w.State, card, 7, w.Height); err != nil || back != unit.Wide(3) || w.balance(card) != 7 || units(card) != 92 {
		t.Errorf("%v %v: %d coins, %d units", back, err, w.balance(card), units(card))
	}
	if err := w.charge(card, 217); !errors.Is(err, ErrFunds) { // 93 units
		t.Error(err)
	}
	hook := filled(0x66)
	w.must(tokens.Freeze(ann, id, card, true))
	if err := w.charge(card, 1); !errors.Is(err, ErrToken) {
		t.Error("frozen:", err)
	}
	w.must(tokens.Freeze(ann, id, card, false))
	w.must(tokens.SetHook(ann, id, &hook))
	if err := w.charge(card, 1); !errors.Is(err, ErrToken) {
		t.Error("with a hook:", err)
	}
}

// What a card affords is the most it can be charged: one base unit more is refused, with each cap, the balance and a rate as the bound.
//
// Spec: gateway-payments-streams §G.3; WP §17.10.
func TestAffords(t *testing.T) {
	n := func(v uint64) *unit.Uint128 { x := unit.Wide(v); return &x }
	for i, policy := range []Policy{{}, {PerHourCap: n(77)}, {PerDayCap: n(40), PerHourCap: n(90)}, {PerMonthCap: n(0)}} {
		for _, peg := range []*Peg{nil, {Units: 3, Per: 7}, {Units: 7, Per: 3}} {
			t.Run(fmt.Sprint(i, peg), func(t *testing.T) {
				p := Purse{Card: Card{Policy: policy}, Peg: peg, Balance: unit.Wide(100), Coins: 150}
				most := p.Affords(9)
				if err := p.Reserve(9, most+1); err == nil {
					t.Errorf("%d is more than it affords, and is taken", most+1)
				}
				if err := p.Reserve(9, most); err != nil {
					t.Errorf("%d: %v", most, err)
				}
			})
		}
	}
}

// A fire that a card has paid for: drawn for the fire, or back on the card with all that was paid.
//
// Spec: gateway-payments-streams §G.3 (timers).
func TestPrepaid(t *testing.T) {
	w := newWorld(t)
	w.must(w.Deposit(ann, w.card, unit.Wide(1_000)))
	use := &Use{Kind: Kind{Family: Send}}
	p := Prepaid{Card: w.card, Charged: w.Height, Rates: struct{ Cycle, Cell uint64 }{3, 2}}
	p.Limit.Cycles, p.Limit.Cells = 100, 50
	if err := Prepay(w.State, [32]byte{1}, stranger, p, use); !errors.Is(err, ErrAgent) {
		t.Error(err)
	}
	w.must(Prepay(w.State, [32]byte{1}, agent, p, use))
	w.must(Prepay(w.State, [32]byte{2}, agent, p, use))
	if w.balance(w.card) != 200 || w.balance(Home()) != 800 {
		t.Fatal(w.balance(w.card), w.balance(Home()))
	}
	if err := Prepay(w.State, [32]byte{3}, agent, p, use); !errors.Is(err, ErrFunds) {
		t.Error(err)
	}
	w.must(Release(w.State, [32]byte{1}))
	w.must(Release(w.State, [32]byte{1}))
	got, err := PaidFor(w.State, [32]byte{2})
	w.must(err)
	w.must(got.Draw(w.State, [32]byte{2}))
	if w.balance(w.card) != 600 || w.balance(Home()) != 0 || w.spent(w.card)[Day] != unit.Wide(400) {
		t.Error(w.balance(w.card), w.balance(Home()), w.spent(w.card))
	}
	p.Card = stranger
	if err := Prepay(w.State, [32]byte{4}, agent, p, use); !errors.Is(err, ErrCard) {
		t.Error(err)
	}
}

// No card pays before the bank's height; where nothing is said it is active from the beginning.
//
// Spec: gateway-payments-streams §G.4 (bank_activation_height).
func TestActivation(t *testing.T) {
	w := newWorld(t)
	w.must(w.Deposit(ann, w.card, unit.Wide(1_000)))
	p := Prepaid{Card: w.card, Charged: 199}
	p.Limit.Cycles, p.Rates.Cycle = 1, 1
	use := &Use{Kind: Kind{Family: Send}}
	w.must(Prepay(w.State, [32]byte{1}, agent, p, use))
	w.State.Set(params.StateKey(KeyActivation), Activation(200))
	if err := Prepay(w.State, [32]byte{2}, agent, p, use); !errors.Is(err, ErrInactive) {
		t.Error(err)
	}
	p.Charged = 200
	w.must(Prepay(w.State, [32]byte{3}, agent, p, use))
	if err := CheckActivation([]byte{0x80}); err == nil {
		t.Error("half a number is taken")
	}
}
