package rent

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The worked values of the document, to the base unit.
// Spec: rent §3; WP §4.4, §17.5.
func TestWorkedValues(t *testing.T) {
	p := params.Genesis()
	terms := TermsOf(p)
	for _, c := range []struct {
		bytes, quota uint64
		due, reserve unit.Amount
	}{
		{10_240, 0, 0, 0},
		{10_241, 0, 2_740, 100_000}, // 0.001 CBY a year, a tenth of it
		{51_200, 0, 112_219_179, 4_096_000_000},
		{1_048_576, 0, 2_844_756_165, 103_833_600_000},
		{20_000, 8_388_608, 22_954_432_877, 837_836_800_000}, // an extended quota is paid whole
		{51_200, 1_048_576, 112_219_179, 4_096_000_000},      // the base quota is not
	} {
		t.Run(fmt.Sprint(c.bytes, c.quota), func(t *testing.T) {
			a := account.Account{Kind: account.Actor, CodeBytes: c.bytes / 2, StorageBytes: c.bytes / 4, QuotaBytes: c.quota}
			a.MailboxBytes = c.bytes - a.CodeBytes - a.StorageBytes
			if due, reserve := terms.Due(&a), terms.Reserve(&a, p.Rent.ReserveBPS); due != c.due || reserve != c.reserve {
				t.Errorf("%d an epoch, reserve %d; want %d, %d", due, reserve, c.due, c.reserve)
			}
		})
	}
}

// Whatever the numbers, the product is rounded up, and what does not fit is the largest amount.
// Spec: rent §2.1.
func TestOver(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	most := new(big.Int).SetUint64(^uint64(0))
	for range 20_000 {
		a, b, c, d := r.Uint64()>>r.IntN(64), r.Uint64()>>r.IntN(64), r.Uint64()>>r.IntN(64), 1+r.Uint64()>>r.IntN(63)
		d = max(d, 1)
		x := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
		want := x(a)
		want.Mul(want, x(b)).Mul(want, x(c)).Add(want, x(d-1)).Div(want, x(d))
		if want.Cmp(most) > 0 {
			want = most
		}
		if got := over(a, b, c, d); uint64(got) != want.Uint64() {
			t.Fatalf("%d·%d·%d/%d: %d, want %v", a, b, c, d, got, want)
		}
	}
}

// The rate follows the size of the state by at most an eighth, and governance's rate is its floor.
// Spec: WP "State Rent"; rent §4; WP-January "Market-Based Rent Pricing".
func TestRate(t *testing.T) {
	const floor = 1_000_000
	for _, c := range []struct {
		target, size uint64
		rate, was    unit.Amount
		want         unit.Amount
	}{
		{0, 1 << 40, floor, floor, floor},
		{1_000, 1_500, floor, floor, 1_062_500},     // +6.25 %
		{1_000, 2_000, floor, floor, 1_125_000},     // +12.5 %
		{1_000, 9_000, floor, floor, 1_125_000},     // and no more
		{1_000, 0, floor, floor, floor},             // −12.5 % is below the floor
		{1_000, 0, 2 * floor, floor, 1_750_000},     // −12.5 %
		{1_000, 1_000, 2 * floor, floor, 2 * floor}, // as it is
		{1_000, 9_000, 2 * floor, floor / 2, floor}, // governance changed it: anew
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			got := nextRate(c.rate, c.was, &params.RentConfig{RatePerByteYear: floor, TargetStateBytes: c.target}, c.size)
			if got != c.want {
				t.Errorf("%d", got)
			}
		})
	}
}

// world is a state with a clock.
type world struct {
	t *testing.T
	*state.Overlay
	p      params.Params
	book   *Book
	burned unit.Amount
	events []Event
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, Overlay: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(), p: *params.Genesis()}
	w.p.Rent.EpochBlocks = 10
	w.p.Rent.RatePerByteYear = params.BlocksPerYear // a base unit a byte and block
	w.book = &Book{Clock: &Clock{}, Params: &w.p, Height: 1}
	w.book.Clock.Start(&w.p, 1)
	return w
}

func (w *world) actor(n byte, bytes uint64, balance unit.Amount) account.Address {
	addr := account.Address{n}
	account.Save(w, addr, &account.Account{
		Kind: account.Actor, Creator: account.Address{0xff, n}, StorageBytes: bytes, Balance: balance, RentEpoch: w.book.Clock.Epoch,
	})
	Enlist(w, addr)
	return addr
}

func (w *world) load(addr account.Address) account.Account {
	w.t.Helper()
	a, err := account.Load(w, addr)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

func (w *world) did(n Notes, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
	w.burned += n.Burned
	w.events = append(w.events, n.Events...)
}

// epoch begins the next rent epoch.
func (w *world) epoch() {
	w.t.Helper()
	w.book.Height = w.book.Clock.Until(&w.p)
	if !w.book.Clock.Advance(&w.p, w.book.Height-1) {
		w.t.Fatal("no epoch began")
	}
}

// sweep bills so many actors.
func (w *world) sweep(limit int) {
	w.t.Helper()
	c := w.book.Clock
	if _, ok := c.Billing(); !ok {
		return
	}
	var list []account.Address
	if err := Listed(w, c.Cursor, limit, func(a account.Address) bool { list = append(list, a); return true }); err != nil {
		w.t.Fatal(err)
	}
	for _, addr := range list {
		a := w.load(addr)
		n, err := w.book.Settle(w, addr, &a)
		w.did(n, err)
		c.Met(addr, &a)
	}
	if len(list) < limit {
		c.Done()
	}
}

func (w *world) topics() (list []string) {
	for _, e := range w.events {
		list = append(list, e.Topic)
	}
	w.events = nil
	return list
}

// Ten missed epochs and the debt with ten per cent: the actor is as if nothing had been. The eleventh: dormant.
// Spec: rent §7, §8; WP "Grace Period and Eviction".
func TestMissedEpochs(t *testing.T) {
	for _, missed := range []int{1, 7, 8, 10, 11} {
		t.Run(fmt.Sprint(missed), func(t *testing.T) {
			w := newWorld(t)
			addr := w.actor(1, 10_240+1_000, 0) // 10,000 an epoch
			for range missed {
				w.epoch()
				w.sweep(8)
			}
			a := w.load(addr)
			if int(a.RentMissed) != missed || a.Dormant != (missed == 11) {
				t.Fatalf("missed %d, dormant %v", a.RentMissed, a.Dormant)
			}
			topics := w.topics()
			for i, topic := range topics {
				if want := map[bool]string{true: TopicOverdue, false: TopicImminent}[i < 7]; topic != want {
					t.Errorf("epoch %d: %s, want %s", i+1, topic, want)
				}
			}
			if len(topics) != min(missed, 10) {
				t.Errorf("%d events", len(topics))
			}
			if missed == 11 {
				return
			}
			payoff := unit.Amount(missed) * 11_000
			if err := account.Credit(w, addr, payoff-1); err != nil {
				t.Fatal(err)
			}
			w.did(w.book.Touch(w, addr))
			if a = w.load(addr); a.RentMissed != uint32(missed) || a.Balance != 0 {
				t.Fatalf("one unit short: missed %d, balance %d", a.RentMissed, a.Balance)
			}
			if err := account.Credit(w, addr, 3); err != nil {
				t.Fatal(err)
			}
			w.did(w.book.Touch(w, addr))
			if a = w.load(addr); a.RentMissed != 0 || a.Balance != 2 || w.burned != payoff {
				t.Fatalf("paid: missed %d, balance %d, burned %d of %d", a.RentMissed, a.Balance, w.burned, payoff)
			}
			if got := w.topics(); len(got) != 1 || got[0] != TopicCaughtUp {
				t.Errorf("events %v", got)
			}
			if c, err := Load(w, addr); err != nil || !c.empty() {
				t.Errorf("%+v %v is left", c, err)
			}
		})
	}
}

// A rate that doubles after three missed epochs leaves the old debt.
// Spec: rent §6 (rate stamped), §14.
func TestOldDebt(t *testing.T) {
	w := newWorld(t)
	addr := w.actor(1, 10_240+1_000, 0)
	for range 3 {
		w.epoch()
		w.sweep(8)
	}
	w.p.Rent.RatePerByteYear *= 2
	w.epoch()
	w.sweep(8)
	c, err := Load(w, addr)
	if err != nil || c.Debt != 3*10_000+20_000 || c.Rate != w.p.Rent.RatePerByteYear {
		t.Errorf("%+v %v", c, err)
	}
}

// What somebody prepays keeps the balance; what the actor has grown by since is billed.
// Spec: rent §5.
func TestPrepaid(t *testing.T) {
	w := newWorld(t)
	addr, sponsor := w.actor(1, 10_240+1_000, 100_000), account.Address{0xaa}
	account.Save(w, sponsor, &account.Account{Balance: 29_999})
	if _, err := w.book.Pay(w, sponsor, addr, 3); !errors.Is(err, ErrPay) {
		t.Fatal(err)
	}
	if err := account.Credit(w, sponsor, 1); err != nil {
		t.Fatal(err)
	}
	w.did(w.book.Pay(w, sponsor, addr, 3))
	for range 2 {
		w.epoch()
		w.sweep(8)
	}
	if a := w.load(addr); a.Balance != 100_000 {
		t.Errorf("balance %d", a.Balance)
	}
	a := w.load(addr)
	a.StorageBytes += 500
	account.Save(w, addr, &a)
	w.epoch()
	w.sweep(8)
	if a := w.load(addr); a.Balance != 95_000 {
		t.Errorf("grown: balance %d", a.Balance)
	}
	w.epoch()
	w.sweep(8)
	if a := w.load(addr); a.Balance != 80_000 {
		t.Errorf("nothing is prepaid any more: balance %d", a.Balance)
	}
	for _, n := range []uint64{EpochsMost + 1, 1 << 63} {
		if _, err := w.book.Pay(w, addr, addr, n); !errors.Is(err, ErrEpochs) {
			t.Errorf("%d epochs: %v", n, err)
		}
	}
	if _, err := w.book.Pay(w, addr, addr, 0); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	if _, err := w.book.Pay(w, addr, account.System(0x0a), 1); !errors.Is(err, ErrExempt) {
		t.Error(err)
	}
	if _, err := w.book.Pay(w, addr, sponsor, 1); !errors.Is(err, ErrNoActor) {
		t.Error(err)
	}
}

// Who prepays while small pays for the epochs that are left when it prepays again larger.
// Spec: rent §5.
func TestPrepaidAgain(t *testing.T) {
	w := newWorld(t)
	addr := w.actor(1, 10_240+100, 1_000_000) // 1,000 an epoch
	w.did(w.book.Pay(w, addr, addr, 10))
	a := w.load(addr)
	a.StorageBytes += 900 // 10,000 an epoch
	account.Save(w, addr, &a)
	w.did(w.book.Pay(w, addr, addr, 5))
	if want := unit.Amount(10*1_000 + 10*9_000 + 5*10_000); w.burned != want {
		t.Errorf("burned %d, want %d", w.burned, want)
	}
	a = w.load(addr)
	a.StorageBytes -= 900
	account.Save(w, addr, &a)
	w.did(w.book.Pay(w, addr, addr, 1))
	if want := unit.Amount(150_000 + 10_000); w.burned != want {
		t.Errorf("smaller again: burned %d, want %d", w.burned, want)
	}
	for range 16 {
		w.epoch()
		w.sweep(8)
	}
	if a = w.load(addr); a.Balance != 1_000_000-160_000 {
		t.Errorf("balance %d", a.Balance)
	}
}

// Quotas one byte inside and outside, and where their bonds go.
// Spec: rent §10; WP "Storage Quotas"; WP-January "Storage Quotas and Bonds".
func TestQuotas(t *testing.T) {
	w := newWorld(t)
	w.p.Rent.BondPerByte = 2
	addr, admin := w.actor(1, 500, 0), account.Address{0xaa}
	account.Save(w, admin, &account.Account{Balance: 100_000_000})
	for _, quota := range []uint64{0, 1<<20 - 1, 8<<20 + 1} {
		if _, err := w.book.SetQuota(w, admin, addr, quota); !errors.Is(err, ErrQuotaRange) {
			t.Errorf("quota %d: %v", quota, err)
		}
	}
	w.did(w.book.SetQuota(w, admin, addr, 1<<20))
	w.did(w.book.SetQuota(w, admin, addr, 8<<20))
	w.did(w.book.SetQuota(w, admin, addr, 2<<20))
	if bonds, _ := Bonds(w); bonds != 2<<20 || w.load(admin).Balance != 100_000_000-2<<20 {
		t.Errorf("bonds %d, balance %d", bonds, w.load(admin).Balance)
	}
	a := w.load(addr)
	a.StorageBytes = 1<<20 + 5
	account.Save(w, addr, &a)
	if _, err := w.book.SetQuota(w, admin, addr, 1<<20+4); !errors.Is(err, ErrQuotaUsed) {
		t.Error(err)
	}
	w.did(w.book.SetQuota(w, admin, addr, 1<<20+5))
	if bonds, _ := Bonds(w); bonds != 10 || w.load(admin).Balance != 100_000_000-10 {
		t.Errorf("bonds %d, balance %d", bonds, w.load(admin).Balance)
	}
	before := w.burned
	for range 11 {
		w.epoch()
		w.sweep(8)
	}
	if bonds, _ := Bonds(w); bonds != 0 || w.burned != before+10 {
		t.Errorf("evicted: bonds %d, burned %d", bonds, w.burned-before)
	}
	if _, err := w.book.SetQuota(w, admin, addr, 2<<20); !errors.Is(err, ErrDormant) {
		t.Error(err)
	}
}

// Records are counted for what they say, and no more of them than asked for.
// Spec: rent §5 (status).
func TestOwing(t *testing.T) {
	s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	for i, c := range []Record{
		{Debt: 1}, {Debt: 2, Dormant: &Dormancy{Epoch: 3, Height: 4}}, {Dormant: &Dormancy{Epoch: 3, Height: 4}}, {PaidThrough: 9, PrepaidBytes: 1},
	} {
		c.save(s, account.Address{byte(i)})
	}
	for _, c := range []struct{ limit, debtors, dormant int }{{10, 2, 2}, {2, 2, 1}, {1, 1, 0}} {
		t.Run(fmt.Sprint(c.limit), func(t *testing.T) {
			if debtors, dormant, err := Owing(s, c.limit); err != nil || debtors != c.debtors || dormant != c.dormant {
				t.Errorf("%d, %d, %v; want %d, %d", debtors, dormant, err, c.debtors, c.dormant)
			}
		})
	}
	s.Set(under(nameRecord, account.Address{0}), []byte{0xff})
	if _, _, err := Owing(s, 10); err == nil {
		t.Error("a record that is none")
	}
}
