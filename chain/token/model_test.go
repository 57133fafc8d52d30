package token

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ledger is the text again, in a few lines: one token, who has how much, who may spend what of whom, who is frozen.
type ledger struct {
	supply *big.Int
	has    map[account.Address]*big.Int
	may    map[[2]account.Address]*big.Int
	frozen map[account.Address]bool
}

func (l *ledger) of(a account.Address) *big.Int {
	if l.has[a] == nil {
		l.has[a] = new(big.Int)
	}
	return l.has[a]
}

func (l *ledger) allowed(o, s account.Address) *big.Int {
	if l.may[[2]account.Address{o, s}] == nil {
		l.may[[2]account.Address{o, s}] = new(big.Int)
	}
	return l.may[[2]account.Address{o, s}]
}

// move gives the number of the error the text names, 0 for none. The frozen account's is this implementation's.
func (l *ledger) move(from, to account.Address, x *big.Int) int {
	switch {
	case to.IsZero():
		return 1416
	case l.of(from).Cmp(x) < 0:
		return 1403
	case l.frozen[from] || l.frozen[to]:
		return 1405
	}
	l.of(from).Sub(l.of(from), x)
	l.of(to).Add(l.of(to), x)
	return 0
}

var numbers = map[error]int{nil: 0, ErrBalance: 1403, ErrAllowance: 1404, ErrFrozen: 1405, ErrAuthority: 1406, ErrSupply: 1407, ErrZero: 1416}

// After every operation of random sequences the balances add up to the supply, and everything is as in the model.
//
// Spec: tokens §5, §12 (conservation of supply).
func TestAgainstModel(t *testing.T) {
	people := []account.Address{ann, bob, cid, eve, {}}
	happened := map[string]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t)
		most := n(1500)
		id := w.token("HAY", 1000, &most, nil)
		l := &ledger{
			supply: big.NewInt(1000), has: map[account.Address]*big.Int{ann: big.NewInt(1000)}, may: map[[2]account.Address]*big.Int{},
			frozen: map[account.Address]bool{},
		}
		for step := range 150 {
			by, to, other := people[r.IntN(4)], people[r.IntN(5)], people[r.IntN(4)]
			x := uint64(r.IntN(400))
			big, amount := new(big.Int).SetUint64(x), n(x)
			var want int
			var run func() error
			op := r.IntN(9)
			switch op {
			case 0, 1:
				want, run = l.move(by, to, big), func() error { return w.Transfer(by, id, to, amount) }
			case 2:
				run = func() error { return w.TransferFrom(by, id, other, to, amount) }
				if may := l.allowed(other, by); may.Cmp(big) < 0 {
					want = 1404
				} else if want = l.move(other, to, big); want == 0 {
					may.Sub(may, big)
				}
			case 3:
				run = func() error { return w.Mint(by, id, to, amount) }
				switch {
				case by != ann:
					want = 1406
				case to.IsZero():
					want = 1416
				case l.supply.Uint64()+x > 1500:
					want = 1407
				case l.frozen[to]:
					want = 1405
				default:
					l.supply.Add(l.supply, big)
					l.of(to).Add(l.of(to), big)
				}
			case 4:
				run = func() error { return w.Burn(by, id, amount) }
				switch {
				case l.of(by).Cmp(big) < 0:
					want = 1403
				case l.frozen[by]:
					want = 1405
				default:
					l.supply.Sub(l.supply, big)
					l.of(by).Sub(l.of(by), big)
				}
			case 5:
				run = func() error { return w.Approve(by, id, other, amount) }
				l.allowed(by, other).Set(big)
			case 6:
				run = func() error { return w.IncreaseAllowance(by, id, other, amount) }
				l.allowed(by, other).Add(l.allowed(by, other), big)
			case 7:
				run = func() error { return w.DecreaseAllowance(by, id, other, amount) }
				if may := l.allowed(by, other); may.Cmp(big) < 0 {
					want = 1404
				} else {
					may.Sub(may, big)
				}
			case 8:
				frozen := r.IntN(3) == 0
				run = func() error { return w.Freeze(by, id, other, frozen) }
				if by != ann {
					want = 1406
				} else {
					l.frozen[other] = frozen
				}
			}
			var class error
			for err, number := range numbers {
				if number == want {
					class = err
				}
			}
			w.refused(fmt.Sprintf("seed %d, step %d, operation %d", seed, step, op), class, run)
			happened[fmt.Sprint(op, " ", want)]++
			l.compare(t, w, id, people)
		}
	}
	for _, wanted := range strings.Split("0 0,0 1403,0 1405,0 1416,2 0,2 1404,2 1403,3 0,3 1407,3 1405,4 0,4 1403,7 0,7 1404,8 1406", ",") {
		if happened[wanted] == 0 {
			t.Errorf("operation and error %s never happened", wanted)
		}
	}
}

func (l *ledger) compare(t *testing.T, w *world, id ID, people []account.Address) {
	t.Helper()
	if got := w.supply(id); got.Int().Cmp(l.supply) != 0 {
		t.Fatalf("supply %v, want %v", got, l.supply)
	}
	sum := new(big.Int)
	for _, a := range people {
		page, more, err := Holdings(w.State, a, nil, 10)
		if err != nil || more || len(page) > 1 {
			t.Fatal(page, more, err)
		}
		held := new(big.Int)
		if len(page) == 1 {
			held = page[0].Amount.Int()
		}
		if sum.Add(sum, held); held.Cmp(l.of(a)) != 0 {
			t.Fatalf("%v has %v, want %v", a, held, l.of(a))
		}
		for _, b := range people {
			if got, err := Allowance(w.State, id, a, b); err != nil || got.Int().Cmp(l.allowed(a, b)) != 0 {
				t.Fatalf("%v may spend %v of %v, want %v, %v", b, got, a, l.allowed(a, b), err)
			}
		}
	}
	if sum.Cmp(l.supply) != 0 {
		t.Fatalf("balances of %v, supply of %v", sum, l.supply)
	}
}

// Pages of an account's tokens, and of all tokens, give every entry once, in order, and say whether there are more.
//
// Spec: tokens §2 (the tokens of an account are a scan of a prefix).
func TestPages(t *testing.T) {
	w := newWorld(t)
	made := map[ID]bool{}
	for i := range 7 {
		id := w.token(fmt.Sprint("T", i), uint64(i+1), nil, nil)
		made[id] = true
		if err := w.Transfer(ann, id, bob, n(1)); err != nil { // of the first, all
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		who  account.Address
		want int
	}{{ann, 6}, {bob, 7}, {cid, 0}} {
		t.Run(fmt.Sprint(c.want), func(t *testing.T) {
			for limit := 1; limit <= 8; limit++ {
				seen, calls := map[ID]unit.Uint128{}, 0
				for after, more := (*ID)(nil), true; more; calls++ {
					page, rest, err := Holdings(w.State, c.who, after, limit)
					if err != nil || len(page) > limit || rest && len(page) < limit {
						t.Fatal(page, rest, err)
					}
					for _, h := range page {
						if after != nil && bytes.Compare(h.Token[:], after[:]) <= 0 || !made[h.Token] || h.Amount.IsZero() {
							t.Errorf("%v after %v", h, after)
						}
						seen[h.Token] = h.Amount
						after = &h.Token
					}
					more = rest
				}
				if len(seen) != c.want || calls != max(1, (c.want+limit-1)/limit) {
					t.Errorf("%v: %d tokens in %d pages of %d", c.who, len(seen), calls, limit)
				}
			}
		})
	}
	list, more, err := List(w.State, nil, 5)
	if err != nil || !more || len(list) != 5 {
		t.Fatal(len(list), more, err)
	}
	rest, more, err := List(w.State, &list[4].ID, 5)
	if err != nil || more || len(rest) != 2 || bytes.Compare(rest[0].ID[:], list[4].ID[:]) <= 0 || rest[1].Symbol == "" {
		t.Fatal(len(rest), more, err)
	}
}

// A record that is not one is an error of the machine and no reject.
func TestDamage(t *testing.T) {
	w := newWorld(t)
	id := w.token("HAY", 5, nil, nil)
	for _, key := range [][]byte{mintKey(id), balanceKey(ann, id), allowanceKey(ann, bob, id), at(underPermits, ann[:])} {
		mark := w.overlay.Mark()
		w.State.Set(key, []byte{0xff})
		failed := 0
		for _, run := range []func() error{
			func() error { return w.Burn(ann, id, n(1)) },
			func() error { return w.TransferFrom(bob, id, ann, cid, n(0)) },
			func() error { return w.Permit(Permit{Token: id, Owner: ann, Deadline: 10}, [65]byte{}) },
			func() error { _, _, err := List(w.State, nil, 1); return err },
			func() error { _, _, err := Holdings(w.State, ann, nil, 1); return err },
		} {
			if err := run(); err != nil && err.Error() != ErrSignature.Error() {
				failed++
			}
			w.overlay.Revert(mark)
			w.State.Set(key, []byte{0xff})
		}
		if failed == 0 {
			t.Errorf("a damaged %q is noticed by nobody", key[22:])
		}
		w.overlay.Revert(mark)
	}
}
