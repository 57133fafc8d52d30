package runner

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// billion is what the rate of a slash is counted in parts of.
const billion = 1_000_000_000

// punish takes a share of all that stands behind a runner: its own stake and every tranche that can be slashed. Each loses in proportion, rounded down for
// tranches. What delegators would lose beyond the bound of an epoch is dropped. It writes the tranches and changes r, and does not save r.
//
// Spec: governance-staking C5; runner-marketplace §8.1.
func (g *Registry) punish(addr account.Address, r *Runner, bps uint32, limit unit.Amount) (own, theirs unit.Amount, err error) {
	t, err := LoadTotals(g.State, addr)
	if err != nil {
		return 0, 0, err
	}
	if t.Delegators == 0 {
		own, err = r.Stake.MulDiv(uint64(bps), params.BasisPoints)
		return min(own, limit), 0, err
	}
	list, err := g.slashed(addr)
	if err != nil {
		return 0, 0, err
	}
	whole := r.Stake
	for _, d := range list {
		if !d.Slashable(g.Height) {
			continue
		}
		if whole, err = whole.Add(d.Amount); err != nil {
			return 0, 0, err
		}
	}
	lost, err := whole.MulDiv(uint64(bps), params.BasisPoints)
	if lost = min(lost, limit); err != nil || lost == 0 {
		return 0, 0, err
	}
	if t.Epoch != g.epoch() {
		t.Epoch, t.Lost = g.epoch(), 0
	}
	rate, err := lost.MulDivCeil(billion, uint64(whole))
	if err != nil {
		return 0, 0, err
	}
	part, of := uint64(lost), uint64(whole)
	if left := params.DelegationSlashBPS*(billion/params.BasisPoints) - t.Lost; uint64(rate) > left {
		rate, part, of = unit.Amount(left), left, billion
	}
	t.Lost += uint64(rate)
	fair := unit.Amount(0)
	for _, each := range byDelegator(list) {
		due, took, err := g.take(each, r, [2]uint64{uint64(lost), uint64(whole)}, [2]uint64{part, of}, &t)
		if err != nil {
			return 0, 0, err
		}
		fair, theirs = fair+due, theirs+took
	}
	g.emit(TopicDelegatorsLost, addr, uint64(theirs))
	if fair > theirs {
		g.emit(TopicDelegationSpare, addr, uint64(fair-theirs))
	}
	return min(lost-fair, r.Stake), theirs, nil
}

// page is how many tranches a slash reads before it pays for them.
const page = 64

// slashed reads the tranches behind a runner for a slash, and pays for them page by page: what there is to write is paid for before any of it is written.
//
// Spec: governance-staking C5; WP §17.1 (work is paid for).
func (g *Registry) slashed(addr account.Address) (list []Delegation, err error) {
	var after *Delegation
	for {
		some, err := Delegations(g.State, addr, after, page)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
		g.Looked += len(some)
		if g.Look != nil && len(some) > 0 {
			if err := g.Look(len(some)); err != nil {
				return nil, err
			}
		}
		if len(some) < page {
			return list, nil
		}
		after = &some[page-1]
	}
}

// take takes of a delegator's tranches a part that the bound of an epoch allows, and gives beside it what the bound leaves aside.
func (g *Registry) take(each []Delegation, r *Runner, full, part [2]uint64, t *Totals) (due, took unit.Amount, err error) {
	to, from := each[0].Runner, each[0].Delegator
	s, err := LoadSummary(g.State, to, from)
	if err != nil {
		return 0, 0, err
	}
	for _, d := range each {
		if !d.Slashable(g.Height) {
			continue
		}
		all, err := d.Amount.MulDiv(full[0], full[1])
		if err != nil {
			return 0, 0, err
		}
		lost, err := d.Amount.MulDiv(part[0], part[1])
		if err != nil {
			return 0, 0, err
		}
		due, took, d.Amount = due+all, took+lost, d.Amount-lost
		if d.Active() {
			s.Amount, r.Delegated = s.Amount-lost, r.Delegated-lost
		}
		g.State.Set(trancheKey(to, from, d.Number), d.Encode())
	}
	g.keep(to, from, &s, t)
	return due, took, nil
}

// Split divides what a runner's side of a settlement earned - 89 % of the payment and the tip, without the aggregator's part - between the runner, with its
// own stake, and its delegators. The tranches are all those behind the runner, in any order; those that unbond get nothing. shares has one for each.
//
//	pool       = income × delegated / (own + delegated), rounded down
//	commission = pool × commission_bps / 10,000, rounded up
//	a tranche  = (pool − commission) × its amount / delegated, rounded down; what is left over goes to the one with the lowest number
//	the runner = all the rest
//
// Their sum is the income. It errs with unit.ErrOverflow where amounts are no coins that exist together.
//
// Spec: governance-staking C4.
func Split(income, own unit.Amount, commissionBPS uint32, tranches []Delegation) (runner unit.Amount, shares []unit.Amount, err error) {
	shares = make([]unit.Amount, len(tranches))
	delegated, first := unit.Amount(0), -1
	for i, d := range tranches {
		if !d.Active() {
			continue
		}
		if delegated, err = delegated.Add(d.Amount); err != nil {
			return 0, nil, err
		}
		if first < 0 || d.Number < tranches[first].Number {
			first = i
		}
	}
	if delegated == 0 {
		return income, shares, nil
	}
	whole, err := own.Add(delegated)
	if err != nil {
		return 0, nil, err
	}
	pool, err := income.MulDiv(uint64(delegated), uint64(whole))
	if err != nil {
		return 0, nil, err
	}
	theirs, err := pool.MulDiv(params.BasisPoints-min(uint64(commissionBPS), params.BasisPoints), params.BasisPoints)
	if err != nil {
		return 0, nil, err
	}
	left := theirs
	for i, d := range tranches {
		if !d.Active() {
			continue
		}
		if shares[i], err = theirs.MulDiv(uint64(d.Amount), uint64(delegated)); err != nil {
			return 0, nil, err
		}
		left -= shares[i]
	}
	shares[first] += left
	return income - theirs, shares, nil
}

// Pay has give hand out what a runner's side of a job's settlement earned to the runner and its delegators, as Split says, with the commission of the block's
// epoch. A runner that is gone, or has no delegators, has all of it.
//
// Spec: governance-staking C4, C5 (DelegatorPayout, 20 in an event; JobSettled).
func (g *Registry) Pay(job digest.Hash, to account.Address, income unit.Amount, give func(to account.Address, amount unit.Amount) error) error {
	r, ok, err := Load(g.State, to)
	if err != nil {
		return err
	}
	c, err := LoadDelegationConfig(g.State, to)
	if err != nil {
		return err
	}
	if !ok || c == nil || r.Delegated == 0 {
		return give(to, income)
	}
	list, err := Delegations(g.State, to, nil, 0)
	if err != nil {
		return err
	}
	g.Looked += len(list)
	own, shares, err := Split(income, r.Stake, c.Commission(g.epoch()), list)
	if err != nil {
		return err
	}
	if err := g.payShares(give, list, shares); err != nil {
		return err
	}
	g.Emit(TopicSettled, codec.AppendUint(codec.AppendUint(append(to[:len(to):len(to)], job[:]...), uint64(income)), uint64(own)))
	return give(to, own)
}

// payShares pays each delegator what its tranches earned.
func (g *Registry) payShares(give func(to account.Address, amount unit.Amount) error, list []Delegation, shares []unit.Amount) error {
	paid, data := 0, []byte(nil)
	for _, each := range byDelegator(list) {
		sum := unit.Amount(0)
		for i := range each {
			sum += shares[i] // together at most the income
		}
		shares = shares[len(each):]
		if sum == 0 {
			continue
		}
		if err := give(each[0].Delegator, sum); err != nil {
			return err
		}
		if paid%params.DelegationPayoutsPerEvent == 0 {
			if paid > 0 {
				g.Emit(TopicPayout, data)
			}
			data = append([]byte(nil), each[0].Runner[:]...)
		}
		data = codec.AppendUint(append(data, each[0].Delegator[:]...), uint64(sum))
		paid++
	}
	if paid > 0 {
		g.Emit(TopicPayout, data)
	}
	return nil
}
