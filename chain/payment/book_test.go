package payment

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const chain = 42

var (
	shop     = account.Address{0x51}
	till     = account.Address{0x52}
	door     = account.Address{0x53}
	back     = account.Address{0x54}
	treasury = account.System(account.Treasury)
)

func keyOf(t testing.TB, n byte) *sig.PrivateKey {
	t.Helper()
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), n))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// newBook is a book at height 1,000, whose payers have coins.
func newBook(t testing.TB, payers ...*sig.PrivateKey) *Book {
	t.Helper()
	s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	for _, k := range payers {
		if err := account.Credit(s, k.Address(), 10_000); err != nil {
			t.Fatal(err)
		}
	}
	return &Book{
		State: s, ChainID: chain, Height: 1_000, Seconds: 500_000, Recover: sig.Default(), Bill: func(account.Address) error { return nil },
		MayHold: func(a account.Address) (bool, error) { return a != account.Address{0x66}, nil }, Emit: func(string, []byte) {},
	}
}

// priced is a policy with a price for /hay, a pass at 30 a credit, epochs at 200, and a budget.
func priced() *Policy {
	return &Policy{
		Actor: shop, Enabled: true, Treasury: till, Assets: []Asset{{}},
		Prices: []Price{
			{Pattern: "/hay/*", Amount: unit.Wide(119)}, {Pattern: "/gift", Mode: ActorFunded, Amount: unit.Wide(40)},
			{Pattern: "/free", Mode: Free, Amount: unit.Wide(1)},
		},
		Budget: &Budget{RatePerSecond: 2, DailyCap: unit.Wide(120)}, Epoch: &Epoch{Fee: unit.Wide(200), Blocks: 100, Min: 1, Max: 3},
		Pass: &Pass{Min: 2, Max: 10, Credit: unit.Wide(30), Expiry: 500},
	}
}

func hay() *Resource {
	return &Resource{Gateway: door, Actor: shop, Method: "GET", Path: "/hay/1", Rest: digest.Hash{7}}
}

// signed is an intent for a request.
func signed(key *sig.PrivateKey, r *Resource, change func(i *Intent)) *Payment {
	i := Intent{Payer: key.Address(), Actor: r.Actor, Amount: unit.Wide(119), Nonce: 1, ValidBefore: 1_100, RequestHash: r.Hash()}
	change(&i)
	i.Signature = key.Sign(i.Digest(chain))
	return &Payment{Intent: &i}
}

// authorized is an authorization for a request.
func authorized(key *sig.PrivateKey, r *Resource, change func(a *Authorization)) *Payment {
	a := Authorization{From: key.Address(), To: r.PayTo(), Value: unit.Wide(119), ValidAfter: 499_999, ValidBefore: 500_100, Nonce: digest.Hash{1}}
	change(&a)
	a.Signature = key.Sign(a.Digest(chain))
	return &Payment{Authorization: &a}
}

func balance(t testing.TB, b *Book, a account.Address) unit.Amount {
	t.Helper()
	x, err := account.Load(b.State, a)
	if err != nil {
		t.Fatal(err)
	}
	return x.Balance
}

// outcome is where coins are.
type outcome struct{ payer, till, treasury, held unit.Amount }

func where(t testing.TB, b *Book, payer account.Address) outcome {
	t.Helper()
	held, err := Escrow(b.State)
	if err != nil {
		t.Fatal(err)
	}
	return outcome{balance(t, b, payer), balance(t, b, till), balance(t, b, treasury), held}
}

func asIs[T any](*T) {}

// What becomes of a payment in every state it can be in, in both forms, with the coins of everybody to the unit: 119 is the price, of which 5 are the
// protocol's.
//
// Spec: gateway-payments-streams §F (Quoted, Verified, Settled or Expired; 500 basis points, rounded down).
func TestLifeOfAPayment(t *testing.T) {
	key := keyOf(t, 3)
	fresh, holds, paid := outcome{10_000, 0, 0, 0}, outcome{9_881, 0, 0, 119}, outcome{9_881, 114, 5, 0}
	other := func(change func(r *Resource)) *Resource { r := hay(); change(r); return r }
	for form, pay := range map[string]*Payment{"intent": signed(key, hay(), asIs), "authorization": authorized(key, hay(), asIs)} {
		verify := func(b *Book) error { return b.Verify(pay, hay()) }
		settle := func(b *Book) error { return b.Settle(pay, hay()) }
		later := func(n unit.Height) func(b *Book) error {
			return func(b *Book) error {
				b.Height, b.Seconds = b.Height+n, b.Seconds+uint64(n)
				_, err := b.Sweep(10)
				return err
			}
		}
		spend := func(n unit.Amount) func(b *Book) error {
			return func(b *Book) error { return account.Debit(b.State, key.Address(), n) }
		}
		reprice := func(b *Book) error {
			p := priced()
			p.Prices[0].Amount = unit.Wide(120)
			return b.SetPolicy(p)
		}
		type steps = []func(b *Book) error
		for name, c := range map[string]struct {
			before steps
			do     func(b *Book) error
			err    error
			want   outcome
		}{
			"verified":                          {nil, verify, nil, holds},
			"settled":                           {steps{verify}, settle, nil, paid},
			"settled at once":                   {nil, settle, nil, paid},
			"verified twice":                    {steps{verify}, verify, ErrSpent, holds},
			"settled twice":                     {steps{settle}, settle, ErrSpent, paid},
			"settled after both":                {steps{verify, settle}, settle, ErrSpent, paid},
			"verified after it was settled":     {steps{settle}, verify, ErrSpent, paid},
			"99 blocks later it is held":        {steps{verify, later(99)}, settle, nil, paid},
			"100 blocks later it has gone back": {steps{verify}, later(100), nil, fresh},
			"and is too old":                    {steps{verify, later(100)}, settle, ErrExpired, fresh},
			"and is too old to be verified":     {steps{verify, later(100)}, verify, ErrExpired, fresh},
			"another gateway takes it": {nil, func(b *Book) error {
				return b.Verify(pay, other(func(r *Resource) { r.Gateway = back }))
			}, ErrOther, fresh},
			"another gateway settles it": {steps{verify}, func(b *Book) error {
				return b.Settle(pay, other(func(r *Resource) { r.Gateway = back }))
			}, ErrSpent, holds},
			"another path":   {nil, func(b *Book) error { return b.Settle(pay, other(func(r *Resource) { r.Path = "/hay/2" })) }, ErrOther, fresh},
			"another method": {nil, func(b *Book) error { return b.Settle(pay, other(func(r *Resource) { r.Method = "PUT" })) }, ErrOther, fresh},
			"another body":   {nil, func(b *Book) error { return b.Settle(pay, other(func(r *Resource) { r.Rest[0]++ })) }, ErrOther, fresh},
			"another actor":  {nil, func(b *Book) error { return b.Settle(pay, other(func(r *Resource) { r.Actor = back })) }, ErrPolicy, fresh},
			"a free path":    {nil, func(b *Book) error { return b.Settle(pay, other(func(r *Resource) { r.Path = "/free" })) }, ErrFree, fresh},
			"a path of none": {nil, func(b *Book) error { return b.Settle(pay, other(func(r *Resource) { r.Path = "/" })) }, ErrFree, fresh},
			"another path held": {steps{verify}, func(b *Book) error {
				return b.Settle(pay, other(func(r *Resource) { r.Path = "/hay/2" }))
			}, ErrSpent, holds},
			"another chain":             {steps{func(b *Book) error { b.ChainID++; return nil }}, settle, ErrSignature, fresh},
			"the price was raised":      {steps{reprice}, settle, ErrOther, fresh},
			"it was raised while held":  {steps{verify, reprice}, settle, nil, paid},
			"switched off":              {steps{func(b *Book) error { p := priced(); p.Enabled = false; return b.SetPolicy(p) }}, settle, ErrPolicy, fresh},
			"the payer has spent it":    {steps{spend(9_882)}, settle, ErrFunds, outcome{118, 0, 0, 0}},
			"the payer has just enough": {steps{spend(9_881)}, settle, nil, outcome{0, 114, 5, 0}},
			"the treasury may not hold coins any more": {steps{verify, func(b *Book) error {
				b.MayHold = func(account.Address) (bool, error) { return false, nil }
				return nil
			}}, settle, ErrTreasury, outcome{9_881, 0, 0, 0}}, // the caller undoes what a reject has written
		} {
			t.Run(form+" "+name, func(t *testing.T) {
				b := newBook(t, key)
				if err := b.SetPolicy(priced()); err != nil {
					t.Fatal(err)
				}
				for i, step := range c.before {
					if err := step(b); err != nil {
						t.Fatal(i, err)
					}
				}
				if err := c.do(b); !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
					t.Errorf("%v, want %v", err, c.err)
				}
				if got := where(t, b, key.Address()); got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			})
		}
	}
}

// How long a payment may count, at its limits, in blocks and in seconds; and one unit of the amount.
//
// Spec: gateway-payments-streams §F (headroom 64; valid_before).
func TestLimitsOfAPayment(t *testing.T) {
	key := keyOf(t, 3)
	id := PassOf(shop, key.Address())
	intent := func(change func(i *Intent)) *Payment { return signed(key, hay(), change) }
	word := func(change func(a *Authorization)) *Payment { return authorized(key, hay(), change) }
	for name, c := range map[string]struct {
		pay *Payment
		err error
	}{
		"63 blocks":                {intent(func(i *Intent) { i.ValidBefore = 1_063 }), ErrExpired},
		"64 blocks":                {intent(func(i *Intent) { i.ValidBefore = 1_064 }), nil},
		"65 blocks":                {intent(func(i *Intent) { i.ValidBefore = 1_065 }), nil},
		"3,599 blocks":             {intent(func(i *Intent) { i.ValidBefore = 4_599 }), nil},
		"3,600 blocks":             {intent(func(i *Intent) { i.ValidBefore = 4_600 }), nil},
		"3,601 blocks":             {intent(func(i *Intent) { i.ValidBefore = 4_601 }), ErrExpired},
		"the last block there is":  {intent(func(i *Intent) { i.ValidBefore = 1<<64 - 1 }), ErrExpired},
		"63 seconds":               {word(func(a *Authorization) { a.ValidBefore = 500_063 }), ErrExpired},
		"64 seconds":               {word(func(a *Authorization) { a.ValidBefore = 500_064 }), nil},
		"3,600 seconds":            {word(func(a *Authorization) { a.ValidBefore = 503_600 }), nil},
		"3,601 seconds":            {word(func(a *Authorization) { a.ValidBefore = 503_601 }), ErrExpired},
		"from this second on":      {word(func(a *Authorization) { a.ValidAfter = 500_000 }), ErrExpired},
		"after the second before":  {word(func(a *Authorization) { a.ValidAfter = 499_999 }), nil},
		"a unit less":              {intent(func(i *Intent) { i.Amount = unit.Wide(118) }), ErrOther},
		"a unit more":              {intent(func(i *Intent) { i.Amount = unit.Wide(120) }), ErrOther},
		"authorized: a unit less":  {word(func(a *Authorization) { a.Value = unit.Wide(118) }), ErrOther},
		"authorized: a unit more":  {word(func(a *Authorization) { a.Value = unit.Wide(120) }), ErrOther},
		"authorized: beyond 2^64":  {word(func(a *Authorization) { a.Value = unit.Uint128{Hi: 1, Lo: 119} }), ErrOther},
		"to an account":            {word(func(a *Authorization) { a.To = till }), ErrOther},
		"in a token":               {intent(func(i *Intent) { i.Asset = digest.Hash{1} }), ErrOther},
		"an epoch":                 {intent(func(i *Intent) { i.Kind = PayEpoch }), ErrOther},
		"a pass of somebody":       {intent(func(i *Intent) { i.Kind, i.PassID = PayPass, PassOf(shop, back) }), ErrOther},
		"a pass there is not":      {intent(func(i *Intent) { i.Kind, i.PassID, i.Amount = PayPass, id, unit.Wide(0) }), ErrCredits},
		"a pass and an amount":     {intent(func(i *Intent) { i.Kind, i.PassID, i.Amount = PayPass, id, unit.Wide(1) }), ErrOther},
		"a request with a pass id": {intent(func(i *Intent) { i.PassID = digest.Hash{1} }), ErrOther},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBook(t, key)
			if err := b.SetPolicy(priced()); err != nil {
				t.Fatal(err)
			}
			if err := b.Verify(c.pay, hay()); !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
}

// has holds a pass to what it should have left.
func has(b *Book, id digest.Hash, left uint64, expires unit.Height) func() error {
	return func() error {
		c, err := LoadCredits(b.State, id)
		if err != nil || c.Left != left || c.Expires != expires {
			return fmt.Errorf("%+v %v", c, err)
		}
		return nil
	}
}

// Budgets, passes and subscriptions, each step on what the one before left, with all coins to the unit. The height is 1,000 and a day 86,400 blocks.
//
// Spec: gateway-payments-streams §F (deposit_budget, withdraw_budget, deduct_budget, purchase_pass, purchase_epoch).
func TestBudgetsPassesAndEpochs(t *testing.T) {
	key := keyOf(t, 3)
	b := newBook(t, key)
	id := PassOf(shop, key.Address())
	deduct := func() error { return b.Deduct(door, shop, "GET", "/gift") }
	pass := func(nonce uint64) *Payment {
		return signed(key, hay(), func(i *Intent) {
			i.Kind, i.PassID, i.Amount, i.Nonce, i.ValidBefore = PayPass, id, unit.Wide(0), nonce, b.Height+100
		})
	}
	buy := func(n uint64, coins, left unit.Amount) func() error {
		return func() error {
			got, err := b.BuyPass(shop, key.Address(), n, coins)
			if err == nil && got != left {
				return fmt.Errorf("%d are left, want %d", got, left)
			}
			return err
		}
	}
	subscribe := func(n uint64, coins unit.Amount, until unit.Height) func() error {
		return func() error {
			left, err := b.BuyEpochs(shop, key.Address(), n, coins)
			if err != nil {
				return err
			}
			if h, err := Subscribed(b.State, shop, key.Address()); err != nil || *h != until || left != coins-unit.Amount(200*n) {
				return fmt.Errorf("until %v (%v), %d left", h, err, left)
			}
			return nil
		}
	}
	credits := func(left uint64, expires unit.Height) func() error { return has(b, id, left, expires) }
	for i, step := range []struct {
		name                 string
		do                   func() error
		err                  error
		till, treasury, held unit.Amount
	}{
		{"no policy", func() error { return b.Deposit(shop, 5) }, ErrPolicy, 0, 0, 0},
		{"a policy", func() error { return b.SetPolicy(priced()) }, nil, 0, 0, 0},
		{"nothing", func() error { return b.Deposit(shop, 0) }, ErrFunds, 0, 0, 0},
		{"no budget", deduct, ErrBudget, 0, 0, 0},
		{"160 coins", func() error { return b.Deposit(shop, 160) }, nil, 0, 0, 160},
		{"a price that is not the budget's", func() error { return b.Deduct(door, shop, "GET", "/hay/1") }, ErrBudget, 0, 0, 160},
		{"a path without a price", func() error { return b.Deduct(door, shop, "GET", "/") }, ErrFree, 0, 0, 160},
		{"one request", deduct, nil, 38, 2, 120},
		{"two in a second", deduct, nil, 76, 4, 80},
		{"three in a second", deduct, ErrBudget, 76, 4, 80},
		{"the next second", func() error { b.Seconds++; return deduct() }, nil, 114, 6, 40},
		{"beyond the day", func() error { b.Seconds++; return deduct() }, ErrBudget, 114, 6, 40},
		{"the next day", func() error { b.Height = 86_400; return deduct() }, nil, 152, 8, 0},
		{"an empty budget", deduct, ErrBudget, 152, 8, 0},
		{"more", func() error { return b.Deposit(shop, 7) }, nil, 152, 8, 7},
		{"a unit too much back", func() error { return b.Withdraw(shop, till, 8) }, ErrFunds, 152, 8, 7},
		{"nothing back", func() error { return b.Withdraw(shop, till, 0) }, ErrFunds, 152, 8, 7},
		{"to who may not hold it", func() error { return b.Withdraw(shop, account.Address{0x66}, 7) }, ErrTreasury, 152, 8, 7},
		{"all back", func() error { return b.Withdraw(shop, till, 7) }, nil, 159, 8, 0},

		{"one credit", buy(1, 1_000, 0), ErrCount, 159, 8, 0},
		{"eleven credits", buy(11, 1_000, 0), ErrCount, 159, 8, 0},
		{"a unit too few", buy(2, 59, 0), ErrFunds, 159, 8, 0},
		{"two credits", buy(2, 70, 10), nil, 216, 11, 0}, // 60, of which 3 are the protocol's
		{"they last 500 blocks", credits(2, 86_900), nil, 216, 11, 0},
		{"three more", func() error { b.Height += 10; return buy(3, 90, 0)() }, nil, 302, 15, 0}, // 90: 4 of 4.5
		{"all last anew", credits(5, 86_910), nil, 302, 15, 0},
		{"one is held", func() error { return b.Verify(pass(1), hay()) }, nil, 302, 15, 0},
		{"four are left", credits(4, 86_910), nil, 302, 15, 0},
		{"used up", func() error { return b.Settle(pass(1), hay()) }, nil, 302, 15, 0},
		{"used again", func() error { return b.Settle(pass(1), hay()) }, ErrSpent, 302, 15, 0},
		{"another is held", func() error { return b.Verify(pass(2), hay()) }, nil, 302, 15, 0},
		{"and comes back", func() error { b.Height += 100; _, err := b.Sweep(10); return err }, nil, 302, 15, 0},
		{"four again", credits(4, 86_910), nil, 302, 15, 0},
		{"in the last block", func() error { b.Height = 86_910; return b.Settle(pass(3), hay()) }, nil, 302, 15, 0},
		{"in the next", func() error { b.Height++; return b.Settle(pass(4), hay()) }, ErrCredits, 302, 15, 0},

		{"no epoch", subscribe(0, 1_000, 0), ErrCount, 302, 15, 0},
		{"four epochs", subscribe(4, 1_000, 0), ErrCount, 302, 15, 0},
		{"an epoch, a unit short", subscribe(1, 199, 0), ErrFunds, 302, 15, 0},
		{"two epochs", subscribe(2, 401, 86_910+200), nil, 682, 35, 0},
		{"one behind them", subscribe(1, 200, 86_910+300), nil, 872, 45, 0},
		{"one after a pause", func() error { b.Height = 90_000; return subscribe(1, 200, 89_999+100)() }, nil, 1_062, 55, 0},
	} {
		t.Run(fmt.Sprint(i, " ", step.name), func(t *testing.T) {
			err := step.do()
			if !errors.Is(err, step.err) || (err == nil) != (step.err == nil) {
				t.Fatalf("%v, want %v", err, step.err)
			}
			if got, want := where(t, b, key.Address()), (outcome{10_000, step.till, step.treasury, step.held}); got != want {
				t.Fatalf("%+v, want %+v", got, want)
			}
		})
	}
}
