package payment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// limit is one of a policy or of a payment.
type limit struct {
	name string
	at   int
	want [3]error // one below it, at it, and one above
	do   func(t *testing.T, b *Book, n int) error
}

// limitsOfPolicies are those of what an actor may set.
func limitsOfPolicies() []limit {
	policy := func(change func(p *Policy, n int)) func(t *testing.T, b *Book, n int) error {
		return func(_ *testing.T, b *Book, n int) error {
			p := priced()
			change(p, n)
			return b.SetPolicy(p)
		}
	}
	return []limit{
		{"prices", 100, [3]error{nil, nil, ErrPrices}, policy(func(p *Policy, n int) { p.Prices = many(n) })},
		{"methods of a price", 8, [3]error{nil, nil, ErrPrices}, policy(func(p *Policy, n int) {
			p.Prices[0].Methods = strings.Split(strings.Repeat("GET ", n-1)+"GET", " ")
		})},
		{"bytes of a method", 16, [3]error{nil, nil, ErrPrices}, policy(func(p *Policy, n int) { p.Prices[0].Methods = []string{strings.Repeat("A", n)} })},
		{"bytes of a pattern", 256, [3]error{nil, nil, ErrPattern}, policy(func(p *Policy, n int) {
			p.Prices[0].Pattern = "/" + strings.Repeat("a", n-1)
		})},
		{"assets", 10, [3]error{nil, nil, ErrAssets}, policy(func(p *Policy, n int) { p.Assets = make([]Asset, n) })},
		{"at least an asset", 1, [3]error{ErrAssets, nil, nil}, policy(func(p *Policy, n int) { p.Assets = make([]Asset, n) })},
		{"blocks of an epoch", 2_592_000, [3]error{nil, nil, ErrBounds}, policy(func(p *Policy, n int) { p.Epoch.Blocks = uint64(n) })},
		{"at least a block", 1, [3]error{ErrBounds, nil, nil}, policy(func(p *Policy, n int) { p.Epoch.Blocks = uint64(n) })},
		{"credits at once", 1_000_000, [3]error{nil, nil, ErrBounds}, policy(func(p *Policy, n int) { p.Pass.Max = uint64(n) })},
		{"blocks of a pass", 31_536_000, [3]error{nil, nil, ErrBounds}, policy(func(p *Policy, n int) { p.Pass.Expiry = uint64(n) })},
		{"at least a block of a pass", 1, [3]error{ErrBounds, nil, nil}, policy(func(p *Policy, n int) { p.Pass.Expiry = uint64(n) })},
	}
}

// limitsOfPurchases are those of passes, epochs and budgets.
func limitsOfPurchases() []limit {
	return []limit{
		{"credits of the policy", 10, [3]error{nil, nil, ErrCount}, func(t *testing.T, b *Book, n int) error {
			_, err := b.BuyPass(shop, keyOf(t, 3).Address(), uint64(n), 1_000)
			return err
		}},
		{"at least so many credits", 2, [3]error{ErrCount, nil, nil}, func(t *testing.T, b *Book, n int) error {
			_, err := b.BuyPass(shop, keyOf(t, 3).Address(), uint64(n), 1_000)
			return err
		}},
		{"credits of a holder", 1_000_000, [3]error{nil, nil, ErrCount}, func(t *testing.T, b *Book, n int) error {
			id := PassOf(shop, keyOf(t, 3).Address())
			has := &Credits{Actor: shop, Holder: keyOf(t, 3).Address(), Left: uint64(n - 5), Expires: 2_000}
			b.State.Set(at(underPass, id[:]), has.Append(nil))
			_, err := b.BuyPass(shop, has.Holder, 5, 1_000)
			return err
		}},
		{"coins of a pass", 90, [3]error{ErrFunds, nil, nil}, func(t *testing.T, b *Book, n int) error {
			_, err := b.BuyPass(shop, keyOf(t, 3).Address(), 3, unit.Amount(n))
			return err
		}},
		{"epochs of the policy", 3, [3]error{nil, nil, ErrCount}, func(t *testing.T, b *Book, n int) error {
			_, err := b.BuyEpochs(shop, keyOf(t, 3).Address(), uint64(n), 1_000)
			return err
		}},
		{"the daily cap of a budget", 120, [3]error{nil, nil, ErrBudget}, func(t *testing.T, b *Book, n int) error {
			f := &Funds{Balance: 1_000, Day: 1_000 / BlocksPerDay, Today: unit.Amount(n - 40), Second: 500_000}
			b.State.Set(at(underBudget, shop[:]), f.Append(nil))
			if err := b.hold(1_000); err != nil {
				t.Fatal(err)
			}
			return b.Deduct(door, shop, "GET", "/gift")
		}},
		{"requests of a second", 2, [3]error{nil, nil, ErrBudget}, func(t *testing.T, b *Book, n int) error {
			f := &Funds{Balance: 1_000, Day: 1_000 / BlocksPerDay, Second: 500_000, Count: uint32(n - 1)}
			b.State.Set(at(underBudget, shop[:]), f.Append(nil))
			if err := b.hold(1_000); err != nil {
				t.Fatal(err)
			}
			return b.Deduct(door, shop, "GET", "/gift")
		}},
	}
}

// limitsOfPayments are those of intents and authorizations.
func limitsOfPayments() []limit {
	intent := func(change func(i *Intent, n int)) func(t *testing.T, b *Book, n int) error {
		return func(t *testing.T, b *Book, n int) error {
			return b.Settle(signed(keyOf(t, 3), hay(), func(i *Intent) { change(i, n) }), hay())
		}
	}
	return []limit{
		{"amount", 119, [3]error{ErrOther, nil, ErrOther}, intent(func(i *Intent, n int) { i.Amount = unit.Wide(uint64(n)) })},
		{"blocks that are left at least", 64, [3]error{ErrExpired, nil, nil}, intent(func(i *Intent, n int) { i.ValidBefore = 1_000 + unit.Height(n) })},
		{"blocks that are left at most", 3_600, [3]error{nil, nil, ErrExpired}, intent(func(i *Intent, n int) { i.ValidBefore = 1_000 + unit.Height(n) })},
		{"coins of the payer", 119, [3]error{ErrFunds, nil, nil}, func(t *testing.T, b *Book, n int) error {
			if err := b.debit(keyOf(t, 3).Address(), unit.Amount(10_000-n)); err != nil {
				return err
			}
			return b.Verify(signed(keyOf(t, 3), hay(), func(*Intent) {}), hay())
		}},
		{"seconds that are left at least", 64, [3]error{ErrExpired, nil, nil}, func(t *testing.T, b *Book, n int) error {
			return b.Verify(authorized(keyOf(t, 3), hay(), func(a *Authorization) { a.ValidBefore = 500_000 + uint64(n) }), hay())
		}},
		{"seconds that are left at most", 3_600, [3]error{nil, nil, ErrExpired}, func(t *testing.T, b *Book, n int) error {
			return b.Verify(authorized(keyOf(t, 3), hay(), func(a *Authorization) { a.ValidBefore = 500_000 + uint64(n) }), hay())
		}},
		{"after its first second", 500_000, [3]error{nil, ErrExpired, ErrExpired}, func(t *testing.T, b *Book, n int) error {
			return b.Verify(authorized(keyOf(t, 3), hay(), func(a *Authorization) { a.ValidAfter = uint64(n) }), hay())
		}},
		{"what is settled in its last block", 1_099, [3]error{nil, nil, ErrExpired}, func(t *testing.T, b *Book, n int) error {
			p := signed(keyOf(t, 3), hay(), func(*Intent) {})
			if err := b.Verify(p, hay()); err != nil {
				t.Fatal(err)
			}
			b.Height = unit.Height(n)
			return b.Settle(p, hay())
		}},
	}
}

// The limits of policies and payments, one below each, at it, and one above.
//
// Spec: gateway-payments-streams §F (100 prices, 10 assets, epochs up to 2,592,000 blocks, 1,000,000 credits, 31,536,000 blocks, headroom 64).
func TestLimitsOfPayments(t *testing.T) {
	for _, x := range slices.Concat(limitsOfPolicies(), limitsOfPurchases(), limitsOfPayments()) {
		for i, want := range x.want {
			t.Run(fmt.Sprint(x.name, " ", x.at-1+i), func(t *testing.T) {
				b := newBook(t, keyOf(t, 3))
				if err := b.SetPolicy(priced()); err != nil {
					t.Fatal(err)
				}
				if err := x.do(t, b, x.at-1+i); !errors.Is(err, want) || (err == nil) != (want == nil) {
					t.Errorf("%v, want %v", err, want)
				}
			})
		}
	}
}
