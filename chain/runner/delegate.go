package runner

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the events of delegation, all of 0x01. The data of each begins with the runner's address; numbers are UInt.
//
// Spec: governance-staking C5.
const (
	TopicTerms           = "runner.delegation_config"       // the terms; the commission as it will be
	TopicDelegated       = "runner.delegation_created"      // delegator ‖ number ‖ amount
	TopicIncreased       = "runner.delegation_increased"    // delegator ‖ number ‖ amount added
	TopicUndelegated     = "runner.undelegation_initiated"  // delegator ‖ number ‖ amount ‖ first block it may be claimed in
	TopicClaimed         = "runner.delegation_claimed"      // delegator ‖ number ‖ amount
	TopicPayout          = "runner.delegator_payout"        // 1 to 20 times: delegator ‖ amount
	TopicSettled         = "runner.job_settled"             // job ‖ what the runner's side earned ‖ of it the runner's
	TopicDelegatorsLost  = "runner.delegation_slashed"      // what delegators lost of the slash that the next event tells
	TopicDelegationSpare = "runner.delegation_slash_capped" // what they did not lose because of the bound of an epoch
)

// tell emits an event about a delegator's stake behind a runner.
func (g *Registry) tell(topic string, to, from account.Address, numbers ...uint64) {
	data := append(to[:len(to):len(to)], from[:]...)
	for _, n := range numbers {
		data = codec.AppendUint(data, n)
	}
	g.Emit(topic, data)
}

// epoch is the block's in the network's calendar.
func (g *Registry) epoch() uint64 { return g.Params.Calendar.Epoch(g.Height) }

// awake gives ErrDormant while governance has not switched delegation on.
func (g *Registry) awake() error {
	on, err := Delegable(g.State, g.Height)
	if err == nil && !on {
		err = ErrDormant
	}
	return err
}

// SetDelegation sets on what terms a runner takes delegated stake. A changed commission holds from the next epoch on; the first one holds at once. Rejects:
// ErrDormant, ErrUnknown, ErrLeaving, ErrTerms, ErrTermsCooldown.
//
// Spec: governance-staking C1, C3 (119).
func (g *Registry) SetDelegation(from account.Address, terms DelegationTerms) error {
	if err := g.awake(); err != nil {
		return err
	}
	if _, err := g.load(from); err != nil {
		return err
	}
	if err := terms.Check(); err != nil {
		return err
	}
	was, err := LoadDelegationConfig(g.State, from)
	if err != nil {
		return err
	}
	c := &DelegationConfig{DelegationTerms: terms, Updated: g.Height}
	if was != nil {
		if g.Height < was.Updated+params.DelegationCooldownBlocks {
			return ErrTermsCooldown
		}
		if holds := was.Commission(g.epoch()); holds != terms.CommissionBPS {
			c.CommissionBPS, c.PendingBPS, c.Epoch = holds, terms.CommissionBPS, g.epoch()+1
		}
	}
	g.State.Set(under(underTerms, from), c.Encode())
	g.Emit(TopicTerms, terms.Append(from[:len(from):len(from)]))
	return nil
}

// taker reads a runner that may be given an amount by a delegator, and its terms.
//
// Spec: governance-staking C1, C2 (own bond).
func (g *Registry) taker(from, to account.Address, amount unit.Amount) (*Runner, *DelegationConfig, error) {
	if err := g.awake(); err != nil {
		return nil, nil, err
	}
	r, err := g.load(to)
	if err != nil {
		return nil, nil, err
	}
	c, err := LoadDelegationConfig(g.State, to)
	switch {
	case err != nil:
		return nil, nil, err
	case r.Status == Suspended:
		return nil, nil, ErrSuspended
	case c == nil || !c.Accept || from == to:
		return nil, nil, ErrNotAccepted
	case amount == 0:
		return nil, nil, ErrAmount
	}
	if r.Delegated, err = r.Delegated.Add(amount); err != nil {
		return nil, nil, err
	}
	if c.MaxDelegated > 0 && r.Delegated > c.MaxDelegated {
		return nil, nil, ErrDelegationFull
	}
	whole, err := r.Stake.Add(r.Delegated)
	if err != nil {
		return nil, nil, err
	}
	if bond, err := whole.MulDivCeil(params.SelfBondBPS, params.BasisPoints); err != nil || r.Stake < max(bond, params.RunnerStakeFloor) {
		return nil, nil, ErrSelfBond
	}
	return r, c, nil
}

// Delegate puts coins that came to the registry behind a runner, in a new tranche, and gives its number. Where all places of delegators are taken, one who has
// only stake that could be claimed is paid out and makes room. Rejects: ErrDormant, ErrUnknown, ErrLeaving, ErrSuspended, ErrNotAccepted, ErrAmount,
// ErrDelegationFull, ErrSelfBond.
//
// Spec: governance-staking C3 (120).
func (g *Registry) Delegate(from, to account.Address, amount unit.Amount) (number uint64, err error) {
	r, c, err := g.taker(from, to, amount)
	if err != nil {
		return 0, err
	}
	if amount < c.MinDelegation {
		return 0, ErrAmount
	}
	s, err := LoadSummary(g.State, to, from)
	if err != nil {
		return 0, err
	}
	if s.Tranches >= params.DelegationActiveTranches || s.Tranches+s.Leaving >= params.DelegationActiveTranches+params.DelegationLeavingTranches {
		return 0, ErrDelegationFull
	}
	t, err := LoadTotals(g.State, to)
	if err != nil {
		return 0, err
	}
	if s.Tranches+s.Leaving == 0 {
		if t.Delegators >= params.DelegatorsPerRunner {
			if err := g.makeRoom(to, &t); err != nil {
				return 0, err
			}
		}
		t.Delegators++
	}
	if number, err = g.number(); err != nil {
		return 0, err
	}
	s.Tranches, s.Amount, t.Tranches = s.Tranches+1, s.Amount+amount, t.Tranches+1
	g.put(Delegation{to, from, number, &Tranche{Amount: amount, Created: g.Height}})
	g.keep(to, from, &s, &t)
	g.save(to, r)
	g.tell(TopicDelegated, to, from, number, uint64(amount))
	return number, nil
}

// makeRoom pays out the first delegator who has only stake that may be claimed. A reject: ErrDelegationFull.
func (g *Registry) makeRoom(to account.Address, t *Totals) error {
	var idle *account.Address
	var bad error
	prefix := under(underSummary, to)
	err := g.State.Scan(prefix, nil, params.DelegatorsPerRunner, func(key, value []byte) bool {
		s, err := DecodeSummary(value)
		if bad = err; err == nil && s.Tranches == 0 && g.Height >= s.Free {
			addr := account.Address(key[len(prefix):])
			idle = &addr
		}
		return bad == nil && idle == nil
	})
	if err == nil {
		err = bad
	}
	if err == nil && idle == nil {
		err = ErrDelegationFull
	}
	if err != nil {
		return err
	}
	list, err := behind(g.State, to, *idle)
	if err != nil {
		return err
	}
	s := Summary{Leaving: uint32(len(list))}
	for _, d := range list {
		if err := g.payOut(d, &s, t); err != nil {
			return err
		}
	}
	return nil
}

// Increase adds coins that came to the registry to an active tranche. Rejects: those of Delegate, and ErrTranche.
//
// Spec: governance-staking C3 (121).
func (g *Registry) Increase(from account.Address, number uint64, amount unit.Amount) error {
	d, err := DelegationOf(g.State, from, number)
	if err != nil {
		return err
	}
	if !d.Active() {
		return ErrTranche
	}
	r, _, err := g.taker(from, d.Runner, amount)
	if err != nil {
		return err
	}
	s, err := LoadSummary(g.State, d.Runner, from)
	if err != nil {
		return err
	}
	d.Amount, s.Amount = d.Amount+amount, s.Amount+amount // less than r.Delegated, which was checked
	g.put(d)
	g.State.Set(summaryKey(d.Runner, from), s.Encode())
	g.save(d.Runner, r)
	g.tell(TopicIncreased, d.Runner, from, number, uint64(amount))
	return nil
}

// Undelegate takes an amount out of a delegator's active tranches, the oldest first. The last one is split: what is left of it keeps its number and is the
// minimum at least. What is taken may be claimed after the unbonding period. It gives how many tranches unbond. Rejects: ErrAmount, ErrDelegationFull.
//
// Spec: governance-staking C3 (122), part D (unbonding).
func (g *Registry) Undelegate(from, to account.Address, amount unit.Amount) (tranches int, err error) {
	s, err := LoadSummary(g.State, to, from)
	if err != nil {
		return 0, err
	}
	if amount == 0 || amount > s.Amount {
		return 0, ErrAmount
	}
	t, err := LoadTotals(g.State, to)
	if err != nil {
		return 0, err
	}
	r, err := g.find(to)
	if err != nil {
		return 0, err
	}
	list, err := behind(g.State, to, from)
	if err != nil {
		return 0, err
	}
	r.Delegated -= amount
	for _, d := range list {
		if amount == 0 {
			break
		}
		if !d.Active() {
			continue
		}
		if d.Amount > amount {
			if d.Amount-amount < params.DelegationMinimum {
				return 0, ErrAmount
			}
			if d, err = g.cut(d, amount); err != nil {
				return 0, err
			}
			s.Tranches, t.Tranches = s.Tranches+1, t.Tranches+1
		}
		amount -= d.Amount
		g.unbond(d, &s, &t)
		tranches++
	}
	if s.Leaving > params.DelegationLeavingTranches {
		return 0, ErrDelegationFull
	}
	g.keep(to, from, &s, &t)
	g.save(to, r)
	return tranches, nil
}

// cut takes an amount out of a tranche and gives it as a tranche with a number of its own.
func (g *Registry) cut(d Delegation, amount unit.Amount) (Delegation, error) {
	number, err := g.number()
	if err != nil {
		return d, err
	}
	rest := *d.Tranche
	rest.Amount -= amount
	g.put(Delegation{d.Runner, d.Delegator, d.Number, &rest})
	return Delegation{d.Runner, d.Delegator, number, &Tranche{Amount: amount, Created: d.Created}}, nil
}

// unbond begins the unbonding of an active tranche, and counts it in what is kept of its delegator and runner.
func (g *Registry) unbond(d Delegation, s *Summary, t *Totals) {
	d.Claimable = g.Height + params.DelegationUnbondingBlocks
	g.put(d)
	g.State.Set(unbondingKey(d.Claimable, d.Number), d.Delegator[:])
	s.Tranches, s.Leaving, s.Amount, s.Free = s.Tranches-1, s.Leaving+1, s.Amount-d.Amount, d.Claimable
	t.Tranches--
	g.tell(TopicUndelegated, d.Runner, d.Delegator, d.Number, uint64(d.Amount), uint64(d.Claimable))
}

// unbondAll begins the unbonding of all that is delegated to a runner who leaves, and forgets its terms.
//
// Spec: governance-staking C5 (deregistration).
func (g *Registry) unbondAll(to account.Address, r *Runner) error {
	g.State.Delete(under(underTerms, to))
	t, err := LoadTotals(g.State, to)
	if err != nil || t.Tranches == 0 {
		return err
	}
	list, err := Delegations(g.State, to, nil, 0)
	if err != nil {
		return err
	}
	for _, each := range byDelegator(list) {
		s, err := LoadSummary(g.State, to, each[0].Delegator)
		if err != nil {
			return err
		}
		for _, d := range each {
			if d.Active() {
				g.unbond(d, &s, &t)
			}
		}
		g.keep(to, each[0].Delegator, &s, &t)
	}
	r.Delegated = 0
	return nil
}

// byDelegator parts a list that is in the order of delegators.
func byDelegator(list []Delegation) (parts [][]Delegation) {
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(d Delegation) bool { return d.Delegator != list[0].Delegator })
		if n < 0 {
			n = len(list)
		}
		parts, list = append(parts, list[:n]), list[n:]
	}
	return parts
}

// Claim pays tranches of a delegator out, by their numbers, whose unbonding is over. Rejects: ErrTranche.
//
// Spec: governance-staking C3 (123).
func (g *Registry) Claim(from account.Address, numbers []uint64) error {
	for _, n := range numbers {
		d, err := DelegationOf(g.State, from, n)
		if err != nil {
			return err
		}
		if d.Slashable(g.Height) {
			return ErrTranche
		}
		s, err := LoadSummary(g.State, d.Runner, from)
		if err != nil {
			return err
		}
		t, err := LoadTotals(g.State, d.Runner)
		if err != nil {
			return err
		}
		if err := g.payOut(d, &s, &t); err != nil {
			return err
		}
	}
	return nil
}

// payOut pays a tranche whose unbonding is over, and forgets it.
func (g *Registry) payOut(d Delegation, s *Summary, t *Totals) error {
	if err := account.Move(g.State, Home(), d.Delegator, d.Amount); err != nil {
		return err
	}
	g.State.Delete(trancheKey(d.Runner, d.Delegator, d.Number))
	g.State.Delete(numbered(underDelegator, d.Number, d.Delegator))
	g.State.Delete(unbondingKey(d.Claimable, d.Number))
	if s.Leaving--; s.Leaving+s.Tranches == 0 {
		t.Delegators--
	}
	g.keep(d.Runner, d.Delegator, s, t)
	g.tell(TopicClaimed, d.Runner, d.Delegator, d.Number, uint64(d.Amount))
	return nil
}

// put keeps a tranche, with its place among its delegator's.
func (g *Registry) put(d Delegation) {
	g.State.Set(trancheKey(d.Runner, d.Delegator, d.Number), d.Encode())
	g.State.Set(numbered(underDelegator, d.Number, d.Delegator), d.Runner[:])
}

// keep keeps what is known of a delegator behind a runner, and of all behind it; nothing of who has no tranche there.
func (g *Registry) keep(to, from account.Address, s *Summary, t *Totals) {
	if s.Tranches+s.Leaving == 0 {
		g.State.Delete(summaryKey(to, from))
	} else {
		g.State.Set(summaryKey(to, from), s.Encode())
	}
	if t.Delegators == 0 {
		g.State.Delete(under(underTotals, to))
	} else {
		g.State.Set(under(underTotals, to), t.Encode())
	}
}

// number gives a tranche its number: 1, 2, 3 over the whole registry.
func (g *Registry) number() (uint64, error) {
	key := account.RecordKey(Home(), keyTranches)
	n, err := state.Number(g.State, key)
	if err != nil {
		return 0, err
	}
	state.SetNumber(g.State, key, n+1)
	return n + 1, nil
}

// HasRoom reports whether a runner's places for delegators are not all taken, so that none has to be looked for.
func HasRoom(r state.Reader, to account.Address) (bool, error) {
	t, err := LoadTotals(r, to)
	return t.Delegators < params.DelegatorsPerRunner, err
}
