package runner

import (
	"bytes"
	"cmp"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// lot is a tranche as the document speaks of it.
type lot struct {
	number    int64
	who       uint16
	amount    *big.Int
	claimable int64 // 0: active
}

// ledger is a runner and its delegators in whole numbers of any size, without a state.
type ledger struct {
	own         *big.Int
	lots        []*lot
	last, now   int64
	paid        map[uint16]*big.Int
	burned      *big.Int
	epoch       int64
	taken       *big.Int // billionths of a stake in this epoch
	commission  int64
	pending     int64
	pendingFrom int64
}

func num(n int64) *big.Int { return big.NewInt(n) }

func coins(a unit.Amount) *big.Int { return new(big.Int).SetUint64(uint64(a)) }

// part is a·b/c, rounded down.
func part(a, b, c *big.Int) *big.Int { return new(big.Int).Quo(new(big.Int).Mul(a, b), c) }

func (l *ledger) active(of func(*lot) bool) *big.Int {
	sum := num(0)
	for _, x := range l.lots {
		if x.claimable == 0 && of(x) {
			sum.Add(sum, x.amount)
		}
	}
	return sum
}

func anyone(*lot) bool { return true }

func by(who uint16) func(*lot) bool { return func(x *lot) bool { return x.who == who } }

func (l *ledger) count(which func(*lot) bool) (n int) {
	for _, x := range l.lots {
		if which(x) {
			n++
		}
	}
	return n
}

func (l *ledger) delegate(who uint16, amount *big.Int) bool {
	whole := new(big.Int).Add(l.active(anyone), l.own)
	whole.Add(whole, amount)
	active := l.count(func(x *lot) bool { return x.who == who && x.claimable == 0 })
	switch {
	case l.own.Cmp(coins(10_000*cby)) < 0, amount.Cmp(coins(1_000*cby)) < 0, new(big.Int).Mul(l.own, num(10)).Cmp(whole) < 0, active >= 8:
		return false
	}
	l.last++
	l.lots = append(l.lots, &lot{l.last, who, amount, 0})
	return true
}

func (l *ledger) undelegate(who uint16, amount *big.Int) bool {
	if amount.Sign() == 0 || amount.Cmp(l.active(by(who))) > 0 {
		return false
	}
	left := new(big.Int).Set(amount)
	var cut *lot
	var whole []*lot
	for _, x := range l.lots {
		if x.who != who || x.claimable != 0 || left.Sign() == 0 {
			continue
		}
		if x.amount.Cmp(left) > 0 {
			if new(big.Int).Sub(x.amount, left).Cmp(coins(1_000*cby)) < 0 {
				return false
			}
			cut = x
			break
		}
		left.Sub(left, x.amount)
		whole = append(whole, x)
	}
	waits := len(whole) + l.count(func(x *lot) bool { return x.who == who && x.claimable != 0 })
	if cut != nil {
		waits++
	}
	if waits > 16 {
		return false
	}
	for _, x := range whole {
		x.claimable = l.now + 604_800
	}
	if cut != nil {
		l.last++
		cut.amount.Sub(cut.amount, left)
		l.lots = append(l.lots, &lot{l.last, who, left, l.now + 604_800})
	}
	return true
}

func (l *ledger) claim(who uint16, number int64) bool {
	at := slices.IndexFunc(l.lots, func(x *lot) bool {
		return x.number == number && x.who == who && x.claimable != 0 && x.claimable <= l.now
	})
	if at < 0 {
		return false
	}
	l.pay(who, l.lots[at].amount)
	if l.lots = slices.Delete(l.lots, at, at+1); len(l.lots) == 0 {
		l.taken = num(0) // nobody is there who has lost anything
	}
	return true
}

func (l *ledger) pay(who uint16, amount *big.Int) {
	if l.paid[who] == nil {
		l.paid[who] = num(0)
	}
	l.paid[who].Add(l.paid[who], amount)
}

func (l *ledger) slash(bps int64, limit *big.Int) {
	whole := new(big.Int).Set(l.own)
	for _, x := range l.lots {
		if x.claimable == 0 || l.now < x.claimable {
			whole.Add(whole, x.amount)
		}
	}
	lost := part(whole, num(bps), num(10_000))
	if lost.Cmp(limit) > 0 {
		lost.Set(limit)
	}
	if lost.Sign() == 0 {
		return
	}
	if l.now/3_600 != l.epoch {
		l.epoch, l.taken = l.now/3_600, num(0)
	}
	up := new(big.Int).Sub(whole, num(1))
	rate := new(big.Int).Quo(up.Add(up, new(big.Int).Mul(lost, num(1e9))), whole)
	room := new(big.Int).Sub(num(5e7), l.taken)
	full := rate.Cmp(room) <= 0
	if !full {
		rate = room
	}
	if len(l.lots) > 0 {
		l.taken.Add(l.taken, rate)
	}
	own := new(big.Int).Set(lost)
	for _, x := range l.lots {
		if x.claimable != 0 && l.now >= x.claimable {
			continue
		}
		fair := part(x.amount, lost, whole)
		own.Sub(own, fair)
		if !full {
			fair = part(x.amount, rate, num(1e9))
		}
		x.amount.Sub(x.amount, fair)
		l.burned.Add(l.burned, fair)
	}
	if own.Cmp(l.own) > 0 {
		own.Set(l.own)
	}
	l.own.Sub(l.own, own)
	l.burned.Add(l.burned, own)
}

// earn pays an income out as the document says.
func (l *ledger) earn(income *big.Int) (runner *big.Int) {
	delegated := l.active(anyone)
	if delegated.Sign() == 0 {
		return income
	}
	bps := l.commission
	if l.now/3_600 >= l.pendingFrom {
		bps = l.pending
	}
	pool := part(income, delegated, new(big.Int).Add(delegated, l.own))
	fee := new(big.Int).Mul(pool, num(bps))
	fee.Add(fee, num(9_999)).Quo(fee, num(10_000))
	theirs := new(big.Int).Sub(pool, fee)
	left := new(big.Int).Set(theirs)
	var first *lot
	for _, x := range l.lots {
		if x.claimable != 0 {
			continue
		}
		share := part(theirs, x.amount, delegated)
		l.pay(x.who, share)
		left.Sub(left, share)
		if first == nil || x.number < first.number {
			first = x
		}
	}
	l.pay(first.who, left)
	return new(big.Int).Sub(income, theirs)
}

// Thousands of random acts beside a ledger of whole numbers: who is refused, who has what, what is burned, and that no coin is made or lost.
//
// Spec: governance-staking C1, C2, C3, C4, C5.
func TestDelegationAgainstModel(t *testing.T) {
	for seed := range uint64(12) {
		draw := rand.New(rand.NewPCG(seed, 77))
		w, addr := town(t)
		l := &ledger{own: coins(50_000 * cby), now: 1_000, paid: map[uint16]*big.Int{}, burned: num(0), taken: num(0), commission: 1_000, pending: 1_000}
		payer, earned := account.Address{0xaa}, num(0)
		w.must(account.Credit(w.overlay, payer, 1<<62))
		for step := range 600 {
			who := uint16(draw.IntN(5))
			amount := unit.Amount(draw.Uint64N(uint64([]unit.Amount{3, 2_000 * cby, 20_000 * cby}[draw.IntN(3)])))
			switch act := draw.IntN(20); {
			case act < 6:
				_, err := w.delegate(who, addr, amount)
				same(t, "delegate", seed, step, err == nil, l.delegate(who, coins(amount)))
			case act < 8:
				number := uint64(1 + draw.IntN(int(l.last)+2))
				at := slices.IndexFunc(l.lots, func(x *lot) bool { return x.number == int64(number) && x.who == who && x.claimable == 0 })
				whole := new(big.Int).Add(new(big.Int).Add(l.active(anyone), l.own), coins(amount))
				may := at >= 0 && amount > 0 && l.own.Cmp(coins(10_000*cby)) >= 0 && new(big.Int).Mul(l.own, num(10)).Cmp(whole) >= 0
				same(t, "increase", seed, step, w.increase(who, number, amount) == nil, may)
				if may {
					l.lots[at].amount.Add(l.lots[at].amount, coins(amount))
				}
			case act < 12:
				_, err := w.undelegate(who, addr, amount)
				same(t, "undelegate", seed, step, err == nil, l.undelegate(who, coins(amount)))
			case act < 14:
				number := uint64(1 + draw.IntN(int(l.last)+2))
				same(t, "claim", seed, step, w.claim(who, number) == nil, l.claim(who, int64(number)))
			case act < 15:
				bps := uint32(draw.IntN(900))
				limit := unit.Amount(draw.Uint64N(uint64(4_000 * cby)))
				_, burned, err := w.Slash(addr, bps, limit, holder(99))
				w.must(err)
				before := new(big.Int).Set(l.burned)
				l.slash(int64(bps), coins(limit))
				same(t, "slash", seed, step, coins(burned).String(), before.Sub(l.burned, before).String())
			case act < 17:
				income := unit.Amount(draw.Uint64N(uint64(1_000 * cby)))
				got, err := w.pay(payer, addr, income)
				w.must(err)
				earned.Add(earned, coins(income))
				same(t, "pay", seed, step, coins(got).String(), l.earn(coins(income)).String())
			case act < 18:
				w.Height += unit.Height(draw.IntN(200_000))
				l.now = int64(w.Height)
			default:
				if err := w.attempt(func() error { return w.SetDelegation(addr, open(uint32(500+draw.IntN(9_500)), 0)) }); err == nil {
					c, err := LoadDelegationConfig(w.overlay, addr)
					w.must(err)
					if l.now/3_600 >= l.pendingFrom {
						l.commission = l.pending
					}
					l.pending, l.pendingFrom = int64(cmp.Or(c.PendingBPS, c.CommissionBPS)), l.now/3_600+1
				}
			}
			l.agrees(t, w, addr, seed, step)
		}
		held := new(big.Int).Add(coins(w.balance(Home())), l.burned)
		for who, amount := range l.paid {
			if coins(w.balance(holder(who))).Cmp(amount) != 0 {
				t.Errorf("seed %d: delegator %d has %d, the ledger %v", seed, who, w.balance(holder(who)), amount)
			}
		}
		if held.Sign() <= 0 || coins(w.balance(payer)).Add(coins(w.balance(payer)), earned).Cmp(num(1<<62)) != 0 {
			t.Errorf("seed %d: paid %v", seed, earned)
		}
	}
}

func same[T comparable](t *testing.T, what string, seed uint64, step int, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("seed %d, step %d, %s: %v, the ledger %v", seed, step, what, got, want)
	}
}

// agrees holds all that is kept against the ledger.
func (l *ledger) agrees(t *testing.T, w *world, addr account.Address, seed uint64, step int) {
	t.Helper()
	r := w.runner(1)
	same(t, "own", seed, step, coins(r.Stake).String(), l.own.String())
	same(t, "delegated", seed, step, coins(r.Delegated).String(), l.active(anyone).String())
	list, err := Delegations(w.overlay, addr, nil, 0)
	w.must(err)
	want := slices.Clone(l.lots)
	slices.SortFunc(want, func(a, b *lot) int {
		x, y := holder(a.who), holder(b.who)
		return cmp.Or(bytes.Compare(x[:], y[:]), cmp.Compare(a.number, b.number))
	})
	same(t, "tranches", seed, step, len(list), len(want))
	held := new(big.Int).Set(l.own)
	waiting := 0
	for i, d := range list {
		x := want[i]
		if d.Number != uint64(x.number) || d.Delegator != holder(x.who) || coins(d.Amount).Cmp(x.amount) != 0 || d.Claimable != unit.Height(x.claimable) {
			t.Fatalf("seed %d, step %d: %+v, the ledger %+v", seed, step, d, x)
		}
		held.Add(held, x.amount)
		if x.claimable != 0 {
			waiting++
		}
	}
	same(t, "coins", seed, step, coins(w.balance(Home())).String(), held.String())
	queue, err := Unbonding(w.overlay, nil, 0)
	w.must(err)
	same(t, "what unbonds", seed, step, len(queue), waiting)
	totals, err := LoadTotals(w.overlay, addr)
	w.must(err)
	holders := map[uint16]bool{}
	for _, x := range l.lots {
		holders[x.who] = true
	}
	same(t, "delegators", seed, step, int(totals.Delegators), len(holders))
	same(t, "active tranches", seed, step, int(totals.Tranches), len(list)-waiting)
	if totals.Delegators > params.DelegatorsPerRunner {
		t.Fatal("too many")
	}
}
