package timer

import (
	"math/bits"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Fairness counts fires over the last params.FairnessWindowBlocks blocks: per owner, and as a histogram that gives the median. A
// block adds its own counts at its end and takes out those of the block that leaves the window, so its work depends on what these
// two blocks fired.
//
// Layout: Timer ‖ owner ‖ w — the owner's sum; Chain ‖ zero ‖ timer.fires ‖ be8 height — what a block fired; Chain ‖ zero ‖
// timer.histogram — how many owners have each sum.
//
// Spec: WP §5.1b; scheduler-timers §9.3.
type Fairness struct {
	histogram []bin // ascending by sum, sums and counts positive
}

type bin struct {
	sum    uint64
	owners uint64
}

// Fires is how often an owner's timers fired in one block.
type Fires struct {
	Owner account.Address
	Count uint64
}

func histogramKey() []byte {
	return account.KeyString(account.KindChain, account.Address{}, nameHistogram)
}

func firesKey(height unit.Height) []byte {
	return codec.AppendU64(account.KeyString(account.KindChain, account.Address{}, nameFires), uint64(height))
}

func sumKey(owner account.Address) []byte { return account.Key(account.KindTimer, owner, tagSum) }

// LoadFairness reads the histogram.
func LoadFairness(s state.Reader) (*Fairness, error) {
	f := &Fairness{}
	data, ok, err := s.Lookup(histogramKey())
	if err != nil || !ok {
		return f, err
	}
	r := codec.NewReader(data)
	n := r.Len(0, len(data), 2)
	for range n {
		f.histogram = append(f.histogram, bin{r.Uint(), r.Uint()})
	}
	return f, r.Finish()
}

func (f *Fairness) save(s state.Store) {
	if len(f.histogram) == 0 {
		s.Delete(histogramKey())
		return
	}
	out := codec.AppendLen(nil, len(f.histogram))
	for _, b := range f.histogram {
		out = codec.AppendUint(codec.AppendUint(out, b.sum), b.owners)
	}
	s.Set(histogramKey(), out)
}

// Sum is how often the owner's timers fired in the window.
func Sum(s state.Reader, owner account.Address) (uint64, error) {
	data, ok, err := s.Lookup(sumKey(owner))
	if err != nil || !ok {
		return 0, err
	}
	r := codec.NewReader(data)
	n := r.Uint()
	return n, r.Finish()
}

// twiceMedian is 2 × the median number of fires over owners with at least one, at least 2 × 1.
func (f *Fairness) twiceMedian() uint64 {
	var owners uint64
	for _, b := range f.histogram {
		owners += b.owners
	}
	if owners == 0 {
		return 2
	}
	return max(2, f.rank((owners-1)/2)+f.rank(owners/2))
}

// rank is the sum of the owner at place n, counted from zero in ascending order.
func (f *Fairness) rank(n uint64) uint64 {
	for _, b := range f.histogram {
		if n < b.owners {
			return b.sum
		}
		n -= b.owners
	}
	return 0
}

// Score ranks a timer: priority × W(owner), exact, as a 128-bit number. W = clip(3 − fires/median, 1, 2): two at or below the median, one
// from twice the median on, linear between; every score of a block is scaled by 2 × median, which keeps it an integer.
//
// Spec: WP §5.1b (W = 2 at or below the median); scheduler-timers §9.2, §9.3 (over CIP-1's formula).
func (f *Fairness) Score(priority, fires uint64) (hi, lo uint64) {
	unit := f.twiceMedian()
	weight := unit
	if spent := 2 * min(fires, unit); spent < 3*unit {
		weight = min(max(3*unit-spent, unit), 2*unit)
	}
	return bits.Mul64(priority, weight)
}

// Advance moves the window past a block: the block's fires come in, those of the block that is params.FairnessWindowBlocks older go
// out. fires has each owner once, ascending.
//
// Spec: scheduler-timers §9.3.
func (f *Fairness) Advance(s state.Store, height unit.Height, fires []Fires) error {
	if len(fires) > 0 {
		out := codec.AppendLen(nil, len(fires))
		for _, x := range fires {
			out = codec.AppendUint(append(out, x.Owner[:]...), x.Count)
			if err := f.add(s, x.Owner, x.Count, true); err != nil {
				return err
			}
		}
		s.Set(firesKey(height), out)
	}
	if uint64(height) >= params.FairnessWindowBlocks {
		if err := f.expire(s, height-params.FairnessWindowBlocks); err != nil {
			return err
		}
	}
	f.save(s)
	return nil
}

func (f *Fairness) expire(s state.Store, height unit.Height) error {
	key := firesKey(height)
	data, ok, err := s.Lookup(key)
	if err != nil || !ok {
		return err
	}
	r := codec.NewReader(data)
	for range r.Len(0, len(data), account.AddressSize+1) {
		var owner account.Address
		r.Into(owner[:])
		count := r.Uint()
		if r.Err() != nil {
			break
		}
		if err := f.add(s, owner, count, false); err != nil {
			return err
		}
	}
	s.Delete(key)
	return r.Finish()
}

// add changes an owner's sum and moves the owner between bins.
func (f *Fairness) add(s state.Store, owner account.Address, count uint64, in bool) error {
	before, err := Sum(s, owner)
	if err != nil {
		return err
	}
	after := before + count
	if !in {
		after = before - min(before, count)
	}
	f.move(before, -1)
	f.move(after, +1)
	state.SetCount(s, sumKey(owner), after)
	return nil
}

// move changes the number of owners with a sum by one; owners without fires are in no bin.
func (f *Fairness) move(sum uint64, by int) {
	if sum == 0 {
		return
	}
	at, found := slices.BinarySearchFunc(f.histogram, sum, func(b bin, sum uint64) int {
		switch {
		case b.sum < sum:
			return -1
		case b.sum > sum:
			return 1
		}
		return 0
	})
	switch {
	case !found && by > 0:
		f.histogram = slices.Insert(f.histogram, at, bin{sum, 1})
	case found && by > 0:
		f.histogram[at].owners++
	case found && f.histogram[at].owners == 1:
		f.histogram = slices.Delete(f.histogram, at, at+1)
	case found:
		f.histogram[at].owners--
	}
}
