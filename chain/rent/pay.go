package rent

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// EpochsMost is how many epochs ahead rent can be prepaid.
const EpochsMost = 36_500

// Pay has an account pay an actor's debt, and then so many epochs in advance. The coins are burned.
//
// An epoch is paid for the bytes the actor is billed for now. If that is more than what is prepaid already covers, the epochs prepaid earlier are topped up; if
// it is less, the new ones are paid like the earlier ones, so that nobody prepays while small and grows afterwards. For an actor that pays no rent nothing is
// to be prepaid, and nothing happens.
//
// Errors: ErrNoActor, ErrExempt, ErrDormant, ErrEpochs, ErrNothing, *PayError, a failing source.
//
// Spec: rent §5 (prepay, sponsor), §7.
func (b *Book) Pay(s state.Store, payer, addr account.Address, epochs uint64) (n Notes, err error) {
	a, c, n, err := b.open(s, addr)
	if err != nil {
		return n, err
	}
	if a.Dormant {
		return Notes{}, ErrDormant
	}
	debt := c.Owed(b.Params.Rent.CatchupBPS)
	cost, through, bytes, err := b.advance(&a, &c, epochs)
	if err != nil {
		return Notes{}, err
	}
	if debt == 0 && epochs == 0 {
		return Notes{}, ErrNothing
	}
	total := saturated(debt, cost)
	if err := debit(s, payer, addr, &a, total); err != nil {
		return Notes{}, err
	}
	if debt > 0 {
		n.Add(b.payOff(addr, &a, &c, debt))
	}
	if epochs > 0 && bytes > 0 {
		n.Burned += cost
		c.PaidThrough, c.PrepaidBytes = through, bytes
		n.by(TopicPrepaid, addr, payer, through, uint64(cost))
	}
	c.save(s, addr)
	account.Save(s, addr, &a)
	return n, nil
}

// open reads an actor and its record, billed.
func (b *Book) open(s state.Store, addr account.Address) (a account.Account, c Record, n Notes, err error) {
	a, ok, err := account.Find(s, addr)
	switch {
	case err != nil:
		return a, c, n, err
	case addr.IsReserved():
		return a, c, n, ErrExempt
	case !ok || a.Kind != account.Actor:
		return a, c, n, ErrNoActor
	}
	if n, err = b.settle(s, addr, &a); err != nil {
		return a, c, n, err
	}
	c, err = Load(s, addr)
	return a, c, n, err
}

// advance is what so many epochs cost, through which epoch the actor is then paid, and for how many bytes.
func (b *Book) advance(a *account.Account, c *Record, epochs uint64) (cost unit.Amount, through, bytes uint64, err error) {
	if epochs == 0 {
		return 0, 0, 0, nil
	}
	t := b.Clock.Now(b.Params)
	now := b.Clock.Epoch
	left := c.PaidThrough - min(c.PaidThrough, now)
	if epochs > EpochsMost || left+epochs > EpochsMost {
		return 0, 0, 0, ErrEpochs
	}
	bytes = t.billable(a)
	was := c.PrepaidBytes
	if left == 0 {
		was = 0
	}
	bytes = max(bytes, was)
	one, more := t.price(bytes), t.price(bytes)-t.price(was)
	cost, err = one.Mul(epochs)
	if err == nil {
		more, err = more.Mul(left)
	}
	if err == nil {
		cost, err = cost.Add(more)
	}
	if err != nil {
		cost = ^unit.Amount(0)
	}
	return cost, max(c.PaidThrough, now) + epochs, bytes, nil
}

// debit takes coins from a payer, which may be the actor whose account the caller holds.
func debit(s state.Store, payer, addr account.Address, a *account.Account, amount unit.Amount) (err error) {
	if payer == addr {
		err = a.Debit(amount)
	} else {
		err = account.Debit(s, payer, amount)
	}
	var short *account.ShortfallError
	if errors.As(err, &short) {
		return &PayError{short.Have, short.Need}
	}
	return err
}

// SetQuota changes how many bytes an actor may store. Beyond the base quota each byte takes a bond of the payer; the bond that was locked before goes back to
// who locked it. A quota of at most the base quota is the base quota. Whether the payer may do it is the caller's rule.
//
// Errors: ErrNoActor, ErrExempt, ErrDormant, ErrQuotaRange, ErrQuotaUsed, *PayError, a failing source.
//
// Spec: WP "Storage Quotas"; rent §10; WP-January "Storage Quotas and Bonds".
func (b *Book) SetQuota(s state.Store, payer, addr account.Address, quota uint64) (n Notes, err error) {
	a, c, n, err := b.open(s, addr)
	if err != nil {
		return n, err
	}
	if a.Dormant {
		return Notes{}, ErrDormant
	}
	if err := b.quota(s, payer, addr, &a, &c, quota, a.StorageBytes, &n); err != nil {
		return Notes{}, err
	}
	c.save(s, addr)
	account.Save(s, addr, &a)
	return n, nil
}

// quota is SetQuota for an actor that uses so many bytes. The caller saves account and record. On an error the caller undoes what was written.
func (b *Book) quota(s state.Store, payer, addr account.Address, a *account.Account, c *Record, quota, used uint64, n *Notes) error {
	base := b.Params.Limits.BaseQuotaBytes
	if quota < base || quota > params.MaxQuotaBytes {
		return ErrQuotaRange
	}
	if quota < used {
		return ErrQuotaUsed
	}
	was := max(a.QuotaBytes, base)
	bond := over(quota-base, uint64(b.Params.Rent.BondPerByte), 1, 1)
	if c.Bonder == addr {
		if err := a.Credit(c.Bond); err != nil {
			return err
		}
	} else if err := account.Credit(s, c.Bonder, c.Bond); err != nil {
		return err
	}
	if err := debit(s, payer, addr, a, bond); err != nil {
		return err
	}
	if err := lock(s, bond, c.Bond); err != nil {
		return err
	}
	c.Bond, c.Bonder = bond, account.Address{}
	if bond > 0 {
		c.Bonder = payer
	}
	a.QuotaBytes = 0
	if quota > base {
		a.QuotaBytes = quota
	}
	n.tell(TopicQuota, addr, uints(was, quota, uint64(bond)))
	return nil
}

// Status is what an actor's rent looks like now.
type Status struct {
	Account account.Account
	Record  Record
	Terms   Terms
	Epoch   uint64
	Bytes   uint64      // the size
	Due     unit.Amount // for one epoch
	Owed    unit.Amount // the debt with its surcharge
	Reserve unit.Amount
	Until   unit.Height // the first block of the next epoch
}

// State is the name of a step in an actor's life.
//
// Spec: rent §8.
func (t *Status) State() string {
	switch {
	case t.Account.Dormant:
		return "dormant"
	case t.Account.RentMissed == 0:
		return "active"
	case t.Account.RentMissed+params.RentWarningEpochs > t.Terms.Eviction:
		return "eviction_imminent"
	}
	return "overdue"
}

// PaidThrough is the last epoch that is paid: the present one for an actor without debt, a later one where epochs were prepaid.
func (t *Status) PaidThrough() uint64 {
	switch {
	case t.Account.RentMissed > 0 || t.Account.Dormant:
		return 0
	case t.Terms.billable(&t.Account) > t.Record.PrepaidBytes: // what it has grown by is not prepaid
		return t.Epoch
	}
	return max(t.Epoch, t.Record.PaidThrough)
}

// Year is the rent of a year at the rate of now.
func (t *Status) Year() unit.Amount {
	year := t.Terms
	year.Blocks = params.BlocksPerYear
	return year.Due(&t.Account)
}

// BalanceEpochs is how many epochs the balance lasts beyond those that are paid, at what one costs now; ok is false for an actor that pays nothing.
//
// Spec: rent §5 (status).
func (t *Status) BalanceEpochs() (n uint64, ok bool) {
	if t.Due == 0 {
		return 0, false
	}
	return uint64(t.Account.Balance / t.Due), true
}

// Look gives the rent of an actor as it would be if it were billed in the block. It writes to a store that the caller undoes.
//
// Errors: ErrNoActor, ErrExempt, a failing source.
//
// Spec: rent §5 (status), §6 (before it is asked for its rent).
func (b *Book) Look(s state.Store, addr account.Address) (Status, error) {
	a, c, _, err := b.open(s, addr)
	if err != nil {
		return Status{}, err
	}
	t := b.Clock.Now(b.Params)
	return Status{
		Account: a, Record: c, Terms: t, Epoch: b.Clock.Epoch, Bytes: Size(&a), Due: t.Due(&a), Owed: c.Owed(b.Params.Rent.CatchupBPS),
		Reserve: t.Reserve(&a, b.Params.Rent.ReserveBPS), Until: b.Clock.Until(b.Params),
	}, nil
}
