package market

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// Paying is what is left of a settlement that takes several blocks, by the parameters of the block it began in.
type Paying struct {
	Payments []verify.Payment
	Burned   unit.Amount
	Treasury unit.Amount
	Earned   bool
}

// Encode is the record in state: list of (runner(20) ‖ UInt share ‖ UInt bonus ‖ UInt tip) ‖ UInt burned ‖ UInt treasury ‖ earned(1).
func (p *Paying) Encode() []byte {
	dst := codec.AppendLen(nil, len(p.Payments))
	for _, one := range p.Payments {
		dst = codec.AppendUint(codec.AppendUint(codec.AppendFixed(dst, one.Runner[:]), uint64(one.Share)), uint64(one.Bonus))
		dst = codec.AppendUint(dst, uint64(one.Tip))
	}
	return codec.AppendBool(codec.AppendUint(codec.AppendUint(dst, uint64(p.Burned)), uint64(p.Treasury)), p.Earned)
}

// DecodePaying reads what Encode wrote.
func DecodePaying(data []byte) (*Paying, error) {
	in, p := codec.NewReader(data), new(Paying)
	for n := in.Len(0, job.MaxRunnersAsked, account.AddressSize+3); n > 0; n-- {
		var one verify.Payment
		in.Into(one.Runner[:])
		one.Share, one.Bonus, one.Tip = unit.Amount(in.Uint()), unit.Amount(in.Uint()), unit.Amount(in.Uint())
		p.Payments = append(p.Payments, one)
	}
	p.Burned, p.Treasury, p.Earned = unit.Amount(in.Uint()), unit.Amount(in.Uint()), in.Bool()
	return p, finish(in, "paying")
}

func loadPaying(r state.Reader, id digest.Hash) (*Paying, error) {
	return state.Find(r, of(underPaying, id), DecodePaying)
}

// splitOf is how the price of a job is shared out: containers have a split of their own.
//
// Spec: gateway-payments-streams §I; runner-marketplace §2.9.
func (m *Market) splitOf(kind job.Kind) (params.Split, error) {
	if kind != job.Container {
		return m.Params.Settlement, nil
	}
	key, err := params.PoolKey(params.PoolContainer)
	if err != nil {
		return params.Split{}, err
	}
	data, ok, err := m.State.Lookup(params.StateKey(key))
	if err != nil || !ok {
		return params.ContainerSplit(), err
	}
	r := codec.NewReader(data)
	split := params.ReadSplit(r)
	return split, r.Finish()
}

// settle pays for a job: its runners one by one, as far as the block looks at the tranches behind them, and the rest in the next blocks. A job that is paid for
// in part counts as paid: a challenge takes stake and no longer the payment.
//
// Spec: WP §5.3; runner-marketplace §5.2, §7.
func (m *Market) settle(t *Task) error {
	p, err := loadPaying(m.State, t.ID)
	if err != nil {
		return err
	}
	if p == nil {
		result, err := LoadResult(m.State, t.ID)
		if err != nil {
			return err
		}
		split, err := m.splitOf(t.Job.Kind)
		if err != nil {
			return err
		}
		s := m.Verifier.Settle(m, t, result, split)
		p = &Paying{Payments: s.Payments, Burned: s.Burned, Treasury: s.Treasury, Earned: result.Outcome != verify.ActorFault}
	}
	before := len(p.Payments)
	for len(p.Payments) > 0 && m.paid < TranchesPerBlock {
		looked := m.Registry.Looked
		if err := m.Verifier.Reward(m, t, &p.Payments[0], p.Earned); err != nil {
			return err
		}
		m.paid += m.Registry.Looked - looked
		p.Payments = p.Payments[1:]
	}
	if len(p.Payments) > 0 {
		if len(p.Payments) < before {
			m.State.Set(of(underPaying, t.ID), p.Encode())
		}
		m.schedule(t, m.Height+1)
		m.save(t)
		return nil
	}
	m.State.Delete(of(underPaying, t.ID))
	if err := m.Pay(t, account.System(account.Treasury), p.Treasury); err != nil {
		return err
	}
	if err := m.Burn(t, p.Burned); err != nil {
		return err
	}
	return m.end(t, Completed, "")
}
