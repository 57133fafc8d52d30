package relay

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// mostAge is the age, in epochs, above which a relay's weight does not grow.
//
// Spec: storage-cbfs §6 (relay weight).
const mostAge = 90

// End is the registry's part of a block's end: challenges, the sweep of an epoch, and its turn when the sweeps are done.
//
// Spec: storage-cbfs §4, §6.
func (g *Registry) End() error {
	k, err := g.clock()
	if err != nil || k.Epoch == 0 {
		return err
	}
	for _, part := range [...]func() error{g.misses, g.draws, g.issues, g.sweep, g.turn} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// VolumesSwept says that all volumes were billed in this epoch.
func (g *Registry) VolumesSwept() error {
	k, err := g.clock()
	if err == nil && !k.Volumes {
		k.Volumes = true
		g.keep(k)
	}
	return err
}

// sweep meets the next relays of the epoch.
func (g *Registry) sweep() error {
	k, err := g.clock()
	if err != nil || k.Relays {
		return err
	}
	var after *account.Address
	if !k.Cursor.IsZero() {
		after = &k.Cursor
	}
	list, err := List(g.State, after, SweptPerBlock)
	if err != nil {
		return err
	}
	for i := range list {
		// An earlier one of the list may have written to this one.
		r, err := Load(g.State, list[i].Owner)
		if err != nil {
			return err
		}
		if err := g.meet(list[i].Owner, r); err != nil {
			return err
		}
		g.save(list[i].Owner, r)
	}
	if k, err = g.clock(); err != nil {
		return err
	}
	if k.Relays = len(list) < SweptPerBlock; len(list) > 0 {
		k.Cursor = list[len(list)-1].Owner
	}
	g.keep(k)
	return nil
}

// meet pays a relay its share of the epoch before, looks at how it is, and weighs it.
func (g *Registry) meet(owner account.Address, r *Relay) error {
	if err := g.settle(owner, r); err != nil {
		return err
	}
	if err := g.look(owner, r); err != nil {
		return err
	}
	k, err := g.clock()
	if err != nil {
		return err
	}
	r.Updated, r.Weight = k.Epoch, 0
	if (r.Status == Active || r.Status == Draining) && r.Barred < k.Epoch {
		r.Weight = r.Shards * min(k.Epoch-r.Since, mostAge)
	}
	k.Weight += r.Weight
	g.keep(k)
	return nil
}

// settle pays a relay its share of the epoch before, once.
//
// Spec: storage-cbfs §6 (relay weight).
func (g *Registry) settle(owner account.Address, r *Relay) error {
	k, err := g.clock()
	if err != nil {
		return err
	}
	switch {
	case r.Updated == k.Epoch && r.Weight > 0: // a relay that leaves after the sweep has met it in this epoch
		k.Weight -= r.Weight
		r.Weight = 0
		g.keep(k)
		return nil
	case r.Updated+1 != k.Epoch || r.Weight == 0 || k.Whole == 0:
		return nil
	}
	share, err := k.Past.MulDiv(r.Weight, k.Whole)
	if err != nil {
		return err
	}
	r.Weight = 0
	k.Left -= share
	g.keep(k)
	if share == 0 {
		return nil
	}
	g.emit(TopicPaid, owner[:], uvar(share))
	return g.Pay(owner, share)
}

// look drains a relay that is too full, not heard of, or has too little stake, and takes the bond of one that has not drained in time.
//
// Spec: storage-cbfs §3.2 (86), §4 (relay).
func (g *Registry) look(owner account.Address, r *Relay) error {
	p := g.Terms.Policy
	quiet := g.TimeMs > r.BeatMs+p.StaleMs
	if r.Status == Active && quiet {
		if err := g.rise(r); err != nil {
			return err
		}
		g.become(owner, r, Stale, NoBeats)
	}
	if r.Status == Draining && r.Bond > 0 && g.TimeMs >= r.DrainUntil {
		bond := r.Bond
		if r.Bond = 0; r.Slots > 0 {
			return g.penalize(owner, r, bond)
		}
	}
	if r.Status != Active && r.Status != Stale {
		return nil
	}
	r.Over, r.StaleRow = next(r.Over, above(r.Used, r.Capacity, p.HighWaterBPS)), next(r.StaleRow, quiet)
	switch {
	case !p.Enabled:
		return nil
	case r.Stake < p.MinStake:
		return g.drain(owner, r, LowStake)
	case r.Over >= p.OverEpochs:
		return g.drain(owner, r, HighWater)
	case r.StaleRow >= p.StaleEpochs:
		return g.drain(owner, r, NoBeats)
	}
	return nil
}

func next(row uint64, again bool) uint64 {
	if again {
		return row + 1
	}
	return 0
}

// above reports whether a part is at least so many ten-thousandths of a whole. A mark of nothing is never reached.
func above(part, whole, bps uint64) bool {
	high, low := bits.Mul64(part, params.BasisPoints)
	markHigh, markLow := bits.Mul64(whole, bps)
	return bps > 0 && (high > markHigh || high == markHigh && low >= markLow)
}

// turn begins the next epoch once the block is the last of this one and everybody was met. What nobody had a share in is the next one's.
func (g *Registry) turn() error {
	k, err := g.clock()
	if err != nil || !k.Volumes || !k.Relays || g.Height < k.Ends {
		return err
	}
	k.Past, k.Whole = k.Pot+k.Left, k.Weight
	k.Left = k.Past
	k.Pot, k.Weight, k.Bounty = 0, 0, 0
	if k.Whole == 0 {
		k.Pot, k.Past, k.Left = k.Past, 0, 0
	}
	k.Epoch++
	k.Ends = g.Height + unit.Height(g.Terms.Rent.EpochBlocks)
	k.Volumes, k.Relays, k.Cursor = false, false, account.Address{}
	g.keep(k)
	return nil
}
