package timer

import (
	"math/bits"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Active reports whether the block at height h is in the fee-market phase.
//
// Spec: WP §5.1b; scheduler-timers §1, §9.6.
func Active(p *params.Params, h unit.Height) bool {
	return h >= p.Hybrid.ActivationHeight && p.Hybrid.ActivationHeight != params.TimerHybridNever
}

// Effective is the configuration a block works under: in the fee-market phase the smaller cap per fire.
//
// Spec: WP §5.1b (MAX_CYCLES_PER_FIRE_AUCTION_PHASE); scheduler-timers §9.4, §9.6.
func Effective(p *params.Params, h unit.Height) Config {
	c := p.Timer
	if Active(p, h) {
		c.MaxCyclesPerFire = min(c.MaxCyclesPerFire, p.Hybrid.MaxCyclesPerFire)
	}
	return c
}

// Market is the state of the timer lane's own fee market.
//
// Spec: WP §5.1b; scheduler-timers §9.1.
type Market struct {
	Basefee uint64      // base units per cycle, on top of the global cycle basefee
	Tip     uint64      // median priority per cycle of the previous block's fires; 0 if it had none
	Burned  unit.Amount // lane basefees burned so far
}

func marketKey() []byte {
	return account.KeyString(account.KindChain, account.Address{}, nameMarket)
}

// LoadMarket reads the market. Before the phase's first block it starts at the basefee floor, as every basefee does.
func LoadMarket(s state.Reader) (Market, error) {
	data, ok, err := s.Lookup(marketKey())
	if err != nil || !ok {
		return Market{Basefee: params.MinBasefee}, err
	}
	r := codec.NewReader(data)
	m := Market{Basefee: r.Uint(), Tip: r.Uint(), Burned: unit.Amount(r.Uint())}
	return m, r.Finish()
}

// Save writes the market.
func (m Market) Save(s state.Store) {
	out := codec.AppendUint(codec.AppendUint(nil, m.Basefee), m.Tip)
	s.Set(marketKey(), codec.AppendUint(out, uint64(m.Burned)))
}

// Next is the market after a block whose fires used so many cycles of the lane at these priorities.
//
//	bf' = bf × (1 + clip((util − ½)/½, −⅛, +⅛)),  util = used / LANE_TIMER_CYCLES
//
// The change rounds down in magnitude; the global floor holds here too, which keeps the rule in its geometric range.
//
// Spec: WP §5.1b; scheduler-timers §9.1, §9.5 (p50).
func (m Market) Next(used unit.Cycles, priorities []uint64) (Market, error) {
	rule := fee.Adjustment{
		Target: uint64(params.LaneTimerCycles) * params.TimerLaneTargetBPS / params.BasisPoints,
		Alpha:  1, Change: params.BasisPoints / params.TimerLaneMaxChangeBPS, Floor: params.MinBasefee,
	}
	burned, err := used.Price(m.Basefee)
	if err != nil {
		return m, err
	}
	if m.Burned, err = m.Burned.Add(burned); err != nil {
		return m, err
	}
	m.Basefee, m.Tip = rule.Next(m.Basefee, uint64(used)), median(priorities)
	return m, nil
}

// median is the lower of the two middle values, 0 of none.
func median(values []uint64) uint64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[(len(sorted)-1)/2]
}

// Bid is what a timer offers per cycle: its own numbers, or the default policy's where they are unset, the priority as its tier has it.
//
// Spec: WP §5.1b (default GBA); scheduler-timers §9.5.
func (m Market) Bid(t *Timer) (most, priority uint64) {
	most, carry := bits.Add64(m.Basefee, m.Basefee, 0) // params.DefaultGBAFeeMultiple
	if carry != 0 {
		most = ^uint64(0)
	}
	priority = t.Tier.Scale(m.Tip)
	if t.MaxFee != nil {
		most = *t.MaxFee
	}
	if t.MaxPriority != nil {
		priority = *t.MaxPriority
	}
	return most, priority
}

// Priority is min(max_priority, max_fee − lane basefee); ok is false for a timer whose maximum is below the lane basefee, which
// then waits.
//
// Spec: WP §5.1b; scheduler-timers §9.2.
func (m Market) Priority(t *Timer) (priority uint64, ok bool) {
	most, priority := m.Bid(t)
	if most < m.Basefee {
		return 0, false
	}
	return min(priority, most-m.Basefee), true
}

// Price is what a fire pays in the fee-market phase: both basefees burned, the priority to the proposer.
//
// Spec: WP §5.1b; scheduler-timers §9.2 (both basefee terms).
func (m Market) Price(lane fee.Rates, priority uint64) (fee.Price, error) {
	base, err := unit.Amount(lane.Cycle).Add(unit.Amount(m.Basefee))
	if err != nil {
		return fee.Price{}, err
	}
	most, err := base.Add(unit.Amount(priority))
	if err != nil {
		return fee.Price{}, err
	}
	return fee.Price{
		Base: fee.Rates{Cycle: uint64(base), Cell: lane.Cell},
		Tip:  fee.Rates{Cycle: priority},
		Max:  fee.Rates{Cycle: uint64(most), Cell: lane.Cell},
	}, nil
}

// Clamp checks a bid when a timer is scheduled: a maximum below the lane basefee is ErrBelowBasefee, a priority beyond what the
// maximum leaves is cut; clamped reports that.
//
// Spec: scheduler-timers §9.5 (TimerRejectedBelowBasefee, TimerPriorityClampedAtSchedule).
func (m Market) Clamp(most, priority *uint64) (cut *uint64, clamped bool, err error) {
	if most == nil {
		return priority, false, nil
	}
	if *most < m.Basefee {
		return priority, false, ErrBelowBasefee
	}
	room := *most - m.Basefee
	if priority == nil || *priority <= room {
		return priority, false, nil
	}
	return &room, true, nil
}
