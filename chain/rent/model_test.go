package rent

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// debtor is an actor as the document speaks of it, without any sweep: it is billed in the moment an epoch begins.
type debtor struct {
	size, balance, debt, paid *big.Int
	missed                    int
	dormant                   bool
	prepaid, prepaidBytes     int64
}

// model is all of them, with whole numbers of any size and no state.
type model struct {
	actors []*debtor
	epoch  int64
	burned *big.Int
	rate   *big.Int // a byte and year
	blocks int64
}

func n(v int64) *big.Int { return big.NewInt(v) }

// rent is ⌈bytes × rate × blocks / 31,536,000⌉ of the bytes above 10,240.
func (m *model) rent(bytes *big.Int) *big.Int {
	if bytes.Sign() <= 0 {
		return n(0)
	}
	x := new(big.Int).Mul(bytes, m.rate)
	x.Mul(x, n(m.blocks))
	q, r := new(big.Int).QuoRem(x, n(31_536_000), new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, n(1))
	}
	return q
}

func (d *debtor) billable() *big.Int {
	x := new(big.Int).Sub(d.size, n(10_240))
	if x.Sign() < 0 {
		return n(0)
	}
	return x
}

func least(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return new(big.Int).Set(a)
	}
	return new(big.Int).Set(b)
}

// begin bills everybody for the epoch that begins.
func (m *model) begin() {
	m.epoch++
	for _, d := range m.actors {
		if d.dormant {
			continue
		}
		due := m.rent(d.billable())
		if d.prepaid >= m.epoch {
			due.Sub(due, m.rent(least(d.billable(), n(d.prepaidBytes))))
		}
		pay := least(due, d.balance)
		d.balance.Sub(d.balance, pay)
		m.burned.Add(m.burned, pay)
		if pay.Cmp(due) < 0 {
			d.debt.Add(d.debt, due.Sub(due, pay))
			if d.missed++; d.missed == 11 {
				d.dormant = true
				d.prepaid, d.prepaidBytes = 0, 0
			}
		}
	}
}

// payoff is 110 % of the debt, rounded up, without what was paid of it.
func (d *debtor) payoff() *big.Int {
	x := new(big.Int).Mul(d.debt, n(11))
	x.Add(x, n(9)).Div(x, n(10))
	return x.Sub(x, d.paid)
}

// interact pays what can be paid of the debt.
func (m *model) interact(d *debtor) {
	if d.dormant || d.missed == 0 {
		return
	}
	pay := least(d.payoff(), d.balance)
	d.balance.Sub(d.balance, pay)
	m.settle(d, pay)
}

func (m *model) settle(d *debtor, pay *big.Int) {
	d.paid.Add(d.paid, pay)
	m.burned.Add(m.burned, pay)
	if d.payoff().Sign() == 0 {
		d.debt, d.paid, d.missed = n(0), n(0), 0
	}
}

// Ten thousand random operations on a thousand actors over thirty epochs end as a model says that knows neither laziness nor sweeps; and whether the sweep is
// fast, slow, or far behind, the state is one.
//
// Spec: rent §5, §6 (lazy and swept settlement give the same state), §7, §8, §14.
func TestModel(t *testing.T) {
	const actors, epochs, perEpoch = 1_000, 30, 340
	roots := map[string]int{}
	for _, limit := range []int{3, 37, 2_000} {
		w := newWorld(t)
		w.p.Rent.RatePerByteYear = 777_777_777
		w.p.Rent.EpochBlocks = 1_234
		r := rand.New(rand.NewPCG(11, 12))
		m := &model{burned: n(0), rate: n(777_777_777), blocks: 1_234}
		var addrs []account.Address
		for i := range actors {
			addr := account.Address{byte(i), byte(i >> 8), 1}
			size, balance := 9_000+r.Uint64N(20_000), r.Uint64N(900_000_000)
			account.Save(w, addr, &account.Account{Kind: account.Actor, StorageBytes: size, Balance: unit.Amount(balance)})
			Enlist(w, addr)
			addrs = append(addrs, addr)
			m.actors = append(m.actors, &debtor{size: n(int64(size)), balance: n(int64(balance)), debt: n(0), paid: n(0)})
		}
		for range epochs {
			w.epoch()
			m.begin()
			for range perEpoch {
				w.sweep(limit)
				at := r.IntN(actors)
				addr, d := addrs[at], m.actors[at]
				w.operate(m, d, addr, r)
			}
		}
		for {
			w.sweep(limit)
			if c := w.book.Clock; c.Swept == c.Epoch {
				break
			}
		}
		compare(t, w, m, addrs)
		clock := *w.book.Clock
		clock.State, clock.Bytes = 0, 0 // the size a sweep meets depends on when it comes by
		clock.Save(w)
		commit, err := w.Commit(1)
		if err != nil {
			t.Fatal(err)
		}
		roots[keyed(t, commit)]++
	}
	if len(roots) != 1 {
		t.Errorf("%d different states", len(roots))
	}
}

// operate does one of four things to an actor and to its model.
func (w *world) operate(m *model, d *debtor, addr account.Address, r *rand.Rand) {
	w.t.Helper()
	switch r.IntN(4) {
	case 0: // somebody pays the actor
		amount := r.Int64N(400_000_000)
		w.did(w.book.Touch(w, addr))
		m.interact(d)
		if err := account.Credit(w, addr, unit.Amount(amount)); err != nil {
			w.t.Fatal(err)
		}
		d.balance.Add(d.balance, n(amount))
		w.did(w.book.Touch(w, addr))
		m.interact(d)
	case 1: // the actor runs and changes its size
		size := 9_000 + r.Int64N(20_000)
		w.did(w.book.Touch(w, addr))
		m.interact(d)
		if !d.dormant {
			a := w.load(addr)
			a.StorageBytes = uint64(size)
			account.Save(w, addr, &a)
			d.size = n(size)
		}
	case 2: // somebody pays its rent
		epochs := r.Int64N(4)
		payer := account.Address{0xee}
		account.Save(w, payer, &account.Account{Balance: 1 << 60})
		mark := w.Mark()
		notes, err := w.book.Pay(w, payer, addr, uint64(epochs))
		switch {
		case d.dormant:
			if err != ErrDormant {
				w.t.Fatal(err)
			}
			w.Revert(mark)
		case d.missed == 0 && epochs == 0:
			if err != ErrNothing {
				w.t.Fatal(err)
			}
			w.Revert(mark)
		default:
			w.did(notes, err)
			m.sponsor(d, epochs)
		}
	case 3: // somebody has it settled
		w.did(w.book.Touch(w, addr))
		m.interact(d)
	}
}

// compare holds every actor against the model.
func compare(t *testing.T, w *world, m *model, addrs []account.Address) {
	t.Helper()
	dormant, overdue := 0, 0
	for i, d := range m.actors {
		a := w.load(addrs[i])
		c, err := Load(w, addrs[i])
		if err != nil {
			t.Fatal(err)
		}
		if n(int64(a.Balance)).Cmp(d.balance) != 0 || int(a.RentMissed) != d.missed || a.Dormant != d.dormant || n(int64(c.Debt)).Cmp(d.debt) != 0 ||
			n(int64(c.Paid)).Cmp(d.paid) != 0 || int64(c.PaidThrough) != d.prepaid {
			t.Fatalf("actor %d is %+v %+v, the model has %+v", i, a, c, d)
		}
		if d.dormant {
			dormant++
		} else if d.missed > 0 {
			overdue++
		}
	}
	if n(int64(w.burned)).Cmp(m.burned) != 0 {
		t.Errorf("burned %d, the model %v", w.burned, m.burned)
	}
	if dormant < 50 || overdue < 50 {
		t.Errorf("only %d dormant and %d overdue: the test tries little", dormant, overdue)
	}
}

// sponsor pays the debt and so many epochs in advance.
func (m *model) sponsor(d *debtor, epochs int64) {
	if d.missed > 0 {
		m.settle(d, d.payoff())
	}
	if epochs == 0 {
		return
	}
	left := max(d.prepaid-m.epoch, 0)
	was := d.prepaidBytes
	if left == 0 {
		was = 0
	}
	bytes := max(d.billable().Int64(), was)
	if bytes == 0 {
		return
	}
	cost := new(big.Int).Mul(m.rent(n(bytes)), n(epochs+left))
	cost.Sub(cost, new(big.Int).Mul(m.rent(n(was)), n(left)))
	m.burned.Add(m.burned, cost)
	d.prepaid, d.prepaidBytes = max(d.prepaid, m.epoch)+epochs, bytes
}

// keyed is all that a state holds. Its root would not do: that also says in which order the entries came to be.
func keyed(t *testing.T, r state.Reader) string {
	h := sha256.New()
	if err := r.Scan(nil, nil, 0, func(key, value []byte) bool {
		fmt.Fprintf(h, "%x=%x\n", key, value)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return string(h.Sum(nil))
}
