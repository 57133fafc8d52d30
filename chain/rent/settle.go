package rent

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Book is rent as a block sees it: the clock, the governed parameters and the height. It does not change within a block. Without a Book nobody is billed.
type Book struct {
	Clock  *Clock
	Params *params.Params
	Height unit.Height
}

// Billed reports whether an account pays rent at all.
//
// Spec: WP §9; rent §1 (addresses below 0x100 are exempt).
func Billed(addr account.Address, a *account.Account) bool {
	return a.Kind == account.Actor && !addr.IsReserved()
}

// Open reads the book of a block.
func Open(r state.Reader, p *params.Params, height unit.Height) (*Book, error) {
	c, err := At(r)
	return &Book{Clock: c, Params: p, Height: height}, err
}

// Epoch is the rent epoch of the block.
func (b *Book) Epoch() uint64 {
	if b == nil {
		return 0
	}
	return b.Clock.Epoch
}

// settled reports that an account was billed for every epoch that has begun.
func (b *Book) settled(a *account.Account) bool { return a.RentEpoch >= b.Clock.Epoch }

// Touch bills an actor for the epochs that have begun since it was billed last, and has it pay off what it can of its debt. It comes before whatever changes
// the actor's balance or size. For an address that pays no rent it does nothing. Errors: a failing source.
//
// Spec: rent §6 (before an actor runs, is paid, or is asked for its rent), §7.
func (b *Book) Touch(s state.Store, addr account.Address) (n Notes, err error) {
	if b == nil || addr.IsReserved() || b.Clock.Epoch == 0 {
		return n, nil
	}
	a, err := account.Load(s, addr)
	if err != nil || !Billed(addr, &a) || b.settled(&a) && a.RentMissed == 0 {
		return n, err
	}
	if n, err = b.settle(s, addr, &a); err != nil {
		return n, err
	}
	m, err := b.catchUp(s, addr, &a)
	if err != nil {
		return n, err
	}
	n.Add(m)
	account.Save(s, addr, &a)
	return n, nil
}

// Settle bills an actor without having it pay its debt, as the sweep does. For an actor that owes nothing for these epochs it writes nothing: once the sweep
// has ended, what they cost is not asked again.
//
// Spec: rent §6.
func (b *Book) Settle(s state.Store, addr account.Address, a *account.Account) (n Notes, err error) {
	if b.settled(a) {
		return n, nil
	}
	free := !a.Dormant && a.RentMissed == 0
	for i := b.first(a); free && i < len(b.Clock.Terms); i++ {
		free = b.Clock.Terms[i].Due(a) == 0
	}
	if free {
		return n, nil
	}
	if n, err = b.settle(s, addr, a); err == nil {
		account.Save(s, addr, a)
	}
	return n, err
}

// first is the place in the clock's Terms of the first epoch an actor was not billed for. Before the last complete sweep nobody owes anything.
func (b *Book) first(a *account.Account) int {
	return int(max(a.RentEpoch, b.Clock.Swept) - b.Clock.Swept)
}

// settle changes a; the caller saves it.
func (b *Book) settle(s state.Store, addr account.Address, a *account.Account) (n Notes, err error) {
	if b.settled(a) {
		return n, nil
	}
	first := b.first(a)
	a.RentEpoch = b.Clock.Epoch
	var c Record
	known := false
	for i := first; i < len(b.Clock.Terms); i++ {
		t := &b.Clock.Terms[i]
		epoch := b.Clock.Swept + 1 + uint64(i)
		if !known && (t.Due(a) > 0 || a.Dormant) {
			if c, err = Load(s, addr); err != nil {
				return n, err
			}
			known = true
		}
		if !known {
			continue
		}
		if a.Dormant {
			break
		}
		if b.bill(a, addr, &c, t, epoch, &n) {
			if err := b.evict(s, addr, a, &c, epoch, &n); err != nil {
				return n, err
			}
		}
	}
	if !known {
		return n, nil
	}
	if d := c.Dormant; a.Dormant && d != nil && d.Since > 0 && b.Clock.Epoch > d.Since+1 { // not whole in time
		d.Since, d.Restored = 0, 0
		d.Pruned = false
		Eviction{Again: true}.save(s, addr)
	}
	c.save(s, addr)
	return n, nil
}

// bill has an actor pay for one epoch, and reports whether it has missed more than it survives.
//
// Spec: WP "Grace Period and Eviction"; rent §5, §6, §8.
func (b *Book) bill(a *account.Account, addr account.Address, c *Record, t *Terms, epoch uint64, n *Notes) (evict bool) {
	bytes := t.billable(a)
	due := t.price(bytes)
	if c.PaidThrough >= epoch {
		due -= t.price(min(bytes, c.PrepaidBytes))
	}
	pay := min(due, a.Balance)
	if a.Debit(pay) == nil {
		n.Burned += pay
	}
	if pay == due {
		return false
	}
	c.Debt = saturated(c.Debt, due-pay)
	c.Rate = t.Rate
	a.RentMissed++
	switch missed := a.RentMissed; {
	case missed > t.Eviction:
		return true
	case missed+params.RentWarningEpochs > t.Eviction:
		n.tell(TopicImminent, addr, uints(epoch, uint64(c.Debt), uint64(t.Eviction-missed)))
	default:
		n.tell(TopicOverdue, addr, uints(epoch, uint64(c.Debt)))
	}
	return false
}

func saturated(a, b unit.Amount) unit.Amount {
	sum, err := a.Add(b)
	if err != nil {
		return ^unit.Amount(0)
	}
	return sum
}

// evict makes an actor dormant, burns its bond, and begins the removal of its storage. The caller saves account and record.
//
// Spec: rent §8 (an eviction); WP-January "Eviction Mechanics".
func (b *Book) evict(s state.Store, addr account.Address, a *account.Account, c *Record, epoch uint64, n *Notes) error {
	a.Dormant, a.QuotaBytes = true, 0
	Eviction{Bond: c.Bond}.save(s, addr)
	c.Dormant = &Dormancy{Epoch: epoch, Height: b.Height, Bytes: a.StorageBytes}
	c.PaidThrough, c.PrepaidBytes = 0, 0
	n.Burned += c.Bond
	n.Bonds += c.Bond
	forfeited := c.Bond
	c.Bond, c.Bonder = 0, account.Address{}
	return lock(s, 0, forfeited)
}

// Owed is what brings an actor out of debt: the missed rent with its surcharge, without what was paid of it.
//
// Spec: rent §7 (payoff).
func (c *Record) Owed(surcharge uint32) unit.Amount {
	whole := over(uint64(c.Debt), params.BasisPoints+uint64(surcharge), 1, params.BasisPoints)
	return whole - min(whole, c.Paid) // governance may have lowered the surcharge
}

// catchUp has an actor pay off its debt, or as much of it as its balance has. It changes a; the caller saves it.
//
// Spec: rent §7.
func (b *Book) catchUp(s state.Store, addr account.Address, a *account.Account) (n Notes, err error) {
	if a.RentMissed == 0 || a.Dormant || a.Balance == 0 {
		return n, nil
	}
	c, err := Load(s, addr)
	if err != nil {
		return n, err
	}
	pay := min(c.Owed(b.Params.Rent.CatchupBPS), a.Balance)
	if err := a.Debit(pay); err != nil {
		return n, err
	}
	n = b.payOff(addr, a, &c, pay)
	c.save(s, addr)
	return n, nil
}

// payOff takes note of a payment towards the debt.
func (b *Book) payOff(addr account.Address, a *account.Account, c *Record, pay unit.Amount) (n Notes) {
	n.Burned = pay
	c.Paid += pay
	if c.Owed(b.Params.Rent.CatchupBPS) > 0 {
		return n
	}
	n.tell(TopicCaughtUp, addr, uints(uint64(c.Paid)))
	c.Debt, c.Paid, c.Rate, a.RentMissed = 0, 0, 0, 0
	return n
}

// Spendable is what an actor may spend of its balance: the reserve for rent stays.
//
// Spec: rent §5 (reserve).
func (b *Book) Spendable(addr account.Address, a *account.Account) unit.Amount {
	if b == nil || !Billed(addr, a) {
		return a.Balance
	}
	t := b.Clock.Now(b.Params)
	return a.Balance - min(a.Balance, t.Reserve(a, b.Params.Rent.ReserveBPS))
}
