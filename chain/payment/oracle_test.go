package payment

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// rejects are the names that testdata/outcomes.py has for them.
var rejects = map[string]error{
	"": nil, "spent": ErrSpent, "expired": ErrExpired, "other": ErrOther, "credits": ErrCredits, "funds": ErrFunds, "budget": ErrBudget, "count": ErrCount,
}

// told is what a program that was written from the document alone has of all this.
type told struct {
	Fees      [][2]string
	Decisions []decided
	Lives     [][]step
}

// decided is a request with the verdict about it.
type decided struct {
	Request
	verdict string
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *decided) UnmarshalJSON(data []byte) error {
	var budget, today uint64
	err := json.Unmarshal(data, &[]any{&d.Path, &d.Now, &d.Subscribed, &d.Credits, &d.Expires, &d.Paid, &budget, &today, &d.Seconds, &d.verdict})
	d.Method, d.Budget, d.Today = "GET", unit.Wide(budget), unit.Wide(today)
	return err
}

// step is an operation with what became of it: the coins of two payers, of the actor's treasury, of the protocol's and those held; the credits of the payers,
// and the last heights of their subscriptions.
type step struct {
	name    string
	now     unit.Height
	args    []any
	outcome string
	coins   []unit.Amount // nil for a change of the payers' coins
	credits []uint64
	until   []*unit.Height
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *step) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.name, &s.now, &s.args, &s.outcome, &s.coins, &s.credits, &s.until})
}

func (s *step) number(i int) uint64 { return uint64(s.args[i].(float64)) }

func readTold(t *testing.T) (all told) {
	t.Helper()
	if golden.Recorded(t, "testdata/outcomes.json", &all); len(all.Fees) != 23 || len(all.Decisions) != 576 || len(all.Lives) != 24 {
		t.Fatal(len(all.Fees), len(all.Decisions), len(all.Lives))
	}
	return all
}

// The protocol's part of amounts, and what becomes of requests, are those of a program that was written from the document alone: every level of the decision
// with every one below it, times, balances and caps one below, at and above.
//
// Spec: gateway-payments-streams §F (500 basis points, rounded down; the decision).
func TestDecisionsAsTheDocumentHasThem(t *testing.T) {
	all := readTold(t)
	for _, x := range all.Fees {
		amount, err := unit.ParseUint128(x[0])
		if err != nil {
			t.Fatal(x, err)
		}
		if got := Fee(amount).Int().String(); got != x[1] {
			t.Errorf("of %s it is %s, want %s", x[0], got, x[1])
		}
	}
	words := map[Verdict]string{
		ByFree: "free", BySubscription: "subscription", ByPass: "pass", ByBudget: "budget", ByPayment: "payment", Required: "402", Unavailable: "503",
	}
	for _, x := range all.Decisions {
		p, want := priced(), x.verdict
		if got := words[Decide(p, &x.Request).Verdict]; got != want {
			t.Errorf("%+v: %s, want %s", x.Request, got, want)
		}
		if p.Budget.Unavailable = true; x.Path == "/gift" && want == "402" {
			want = "503"
		}
		if got := words[Decide(p, &x.Request).Verdict]; got != want {
			t.Errorf("%+v, with 503 in place of 402: %s, want %s", x.Request, got, want)
		}
	}
}

// Every step of 24 random lives ends as that program has it: the reject, each coin, credits and subscriptions. Amounts, counts, times and balances are around
// their limits: one below, at and above; payments are shown again, at other requests and other gateways, before and after their time.
//
// Spec: gateway-payments-streams §F (intents, passes, epochs, budgets).
func TestLivesAsTheDocumentHasThem(t *testing.T) {
	met := map[string]bool{}
	for i, steps := range readTold(t).Lives {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			keys := []*sig.PrivateKey{keyOf(t, 3), keyOf(t, 4)}
			b := newBook(t, keys...)
			if err := b.SetPolicy(priced()); err != nil {
				t.Fatal(err)
			}
			b.Height = 0
			for n, s := range steps {
				if b.Height != s.now {
					b.Height, b.Seconds = s.now, uint64(s.now)+400_000
					if _, err := b.Sweep(1_000); err != nil {
						t.Fatal(err)
					}
				}
				undo := b.State.(*state.Overlay).Mark()
				err := play(t, b, &s, keys)
				if !errors.Is(err, rejects[s.outcome]) || (err == nil) != (s.outcome == "") {
					t.Fatalf("%d, %s %v at %d: %v, want %q", n, s.name, s.args, s.now, err, s.outcome)
				}
				if err != nil {
					b.State.(*state.Overlay).Revert(undo)
				}
				met[s.name+" "+s.outcome] = true
				if s.coins != nil {
					same(t, n, b, &s, keys)
				}
			}
		})
	}
	for _, want := range []string{
		"pay ", "pay spent", "pay expired", "pay other", "pay credits", "pay funds", "deduct ", "deduct budget", "deposit ", "deposit funds", "withdraw ",
		"withdraw funds", "buy_pass ", "buy_pass count", "buy_pass funds", "buy_epochs ", "buy_epochs count", "buy_epochs funds",
	} {
		if !met[want] {
			t.Errorf("no step is %q", want)
		}
	}
}

// requestOf is one of four: two gateways, two paths.
func requestOf(n uint64) *Resource {
	return &Resource{Gateway: []account.Address{door, back}[n%2], Actor: shop, Method: "GET", Path: fmt.Sprintf("/hay/%d", n/2)}
}

// play does one step.
func play(t *testing.T, b *Book, s *step, keys []*sig.PrivateKey) error {
	t.Helper()
	who := func() account.Address { return keys[s.number(0)].Address() }
	buy := func(do func(b *Book, actor, holder account.Address, n uint64, coins unit.Amount) (unit.Amount, error)) error {
		coins := unit.Amount(s.number(2))
		if err := b.debit(who(), coins); err != nil {
			return err
		}
		left, err := do(b, shop, who(), s.number(1), coins)
		if err != nil {
			return err
		}
		return account.Credit(b.State, who(), left)
	}
	switch s.name {
	case "set":
		has, want := balance(t, b, who()), unit.Amount(s.number(1))
		if err := account.Debit(b.State, who(), has); err != nil {
			return err
		}
		return account.Credit(b.State, who(), want)
	case "deduct":
		return b.Deduct(door, shop, "GET", "/gift")
	case "deposit":
		if err := b.debit(who(), unit.Amount(s.number(1))); err != nil {
			return err
		}
		return b.Deposit(shop, unit.Amount(s.number(1)))
	case "withdraw":
		return b.Withdraw(shop, who(), unit.Amount(s.number(1)))
	case "buy_pass":
		return buy((*Book).BuyPass)
	case "buy_epochs":
		return buy((*Book).BuyEpochs)
	}
	key, kind, nonce, amount, before := keys[s.number(1)], s.args[2].(string), s.number(3), unit.Wide(s.number(6)), s.number(7)
	var p *Payment
	if kind == "authorization" {
		p = authorized(key, requestOf(s.number(5)), func(a *Authorization) {
			a.Value, a.ValidAfter, a.ValidBefore, a.Nonce = amount, 0, before+400_000, digest.Hash{byte(nonce), 1}
		})
	} else {
		p = signed(key, requestOf(s.number(5)), func(i *Intent) {
			i.Amount, i.Nonce, i.ValidBefore = amount, nonce, unit.Height(before)
			if kind == "pass" {
				i.Kind, i.PassID = PayPass, PassOf(shop, key.Address())
			}
		})
	}
	if s.args[0].(bool) {
		return b.Settle(p, requestOf(s.number(4)))
	}
	return b.Verify(p, requestOf(s.number(4)))
}

// same compares what everybody has with what the program has.
func same(t *testing.T, n int, b *Book, s *step, keys []*sig.PrivateKey) {
	t.Helper()
	held, err := Escrow(b.State)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range []unit.Amount{
		balance(t, b, keys[0].Address()), balance(t, b, keys[1].Address()), balance(t, b, till), balance(t, b, treasury), held,
	} {
		if got != s.coins[i] {
			t.Fatalf("%d, %s %v: %d of %v at place %d", n, s.name, s.args, got, s.coins, i)
		}
	}
	for i, k := range keys {
		c, err := LoadCredits(b.State, PassOf(shop, k.Address()))
		if err != nil {
			t.Fatal(err)
		}
		left := uint64(0)
		if c != nil && c.Expires >= b.Height {
			left = c.Left
		}
		until, err := Subscribed(b.State, shop, k.Address())
		if err != nil {
			t.Fatal(err)
		}
		if until != nil && *until < b.Height {
			until = nil
		}
		if left != s.credits[i] || (until == nil) != (s.until[i] == nil) || until != nil && *until != *s.until[i] {
			t.Fatalf("%d, %s %v: payer %d has %d credits until %v, want %d and %v", n, s.name, s.args, i, left, until, s.credits[i], s.until[i])
		}
	}
}
