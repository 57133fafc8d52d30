package stake

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// copies are all weights as they were when a block ended, copied from the records: what snapshots stand for, without checkpoints.
type copies map[unit.Height]map[account.Address]Weight

// take copies the records of the present block.
func (c copies) take(w *world) {
	w.t.Helper()
	all := map[account.Address]Weight{}
	w.must(w.each(func(a account.Address, v *Validator) error {
		x := Weight{v.Stake + v.Joining, v.Status == Active}
		for _, r := range v.Releases {
			x.Stake += r.Amount
		}
		all[a] = x
		return nil
	}))
	c[w.Height] = all
}

// check holds what the checkpoints say of every copied block against the copy.
func (c copies) check(w *world) {
	w.t.Helper()
	for height, all := range c {
		var sums Weights
		for n := byte(1); n <= 20; n++ {
			got, err := WeightAt(w.overlay, addr(n), height)
			w.must(err)
			want := all[addr(n)]
			if got != want {
				w.t.Fatalf("height %d: %d weighed %+v at %d, a checkpoint says %+v", w.Height, n, want, height, got)
			}
			sums.Stake += want.Stake
			if want.Active {
				sums.Validators++
			}
		}
		got, err := WeightsAt(w.overlay, height)
		w.must(err)
		if got != sums {
			w.t.Fatalf("height %d: the sums were %+v at %d, a checkpoint says %+v", w.Height, sums, height, got)
		}
	}
}

// checkpoints counts the weights kept of an account, and the sums.
func (w *world) checkpoints(a account.Address) (own, sums int) {
	w.t.Helper()
	w.must(w.overlay.Scan(weightPrefix(a), nil, 0, func(_, _ []byte) bool { own++; return true }))
	w.must(w.overlay.Scan(recordKey(keyWeights), nil, 0, func(_, _ []byte) bool { sums++; return true }))
	return own, sums
}

// What is bonded, joining and unbonding counts until it is withdrawn; the vote of a validator counts while it is Active.
//
// Spec: governance-staking B2, B5.
func TestWeight(t *testing.T) {
	w := newWorld(t, minimum, 3*minimum)
	one, two := addr(1), addr(2)
	want := func(a account.Address, stake unit.Amount, active bool) {
		t.Helper()
		got, err := WeightAt(w.overlay, a, w.Height)
		w.must(err)
		if got != (Weight{stake, active}) {
			t.Errorf("height %d: %v weighs %+v, want %d, %v", w.Height, a, got, stake, active)
		}
	}
	want(one, minimum, true)
	want(addr(3), 0, false)
	w.Height++
	w.join(3, 2*minimum)
	want(addr(3), 2*minimum, false)
	w.pay(two, 7)
	w.must(w.AddStake(two, 7))
	want(two, 3*minimum+7, true)
	part := unit.Amount(minimum)
	w.must(w.Exit(two, &part))
	w.boundary()
	want(two, 3*minimum+7, true) // a part of it is unbonding
	w.must(w.Exit(one, nil))
	want(one, minimum, false)
	w.renew()
	want(one, minimum, false)
	want(addr(3), 2*minimum, true)
	w.Height += params.UnbondingBlocks + params.EpochBlocks
	if _, err := w.Withdraw(one); err != nil {
		t.Fatal(err)
	}
	want(one, 0, false)
	if got, err := WeightAt(w.overlay, one, w.Height-1); err != nil || got.Stake != minimum {
		t.Errorf("the block before: %+v %v", got, err)
	}
	sums, err := WeightsAt(w.overlay, w.Height)
	if err != nil || sums != (Weights{5*minimum + 7, 2}) {
		t.Errorf("%+v %v", sums, err)
	}
}

// Checkpoints that no vote can ask for go, and the one that was the newest when the longest phase began stays: a snapshot of that block is exact, one of the
// block before is not promised.
//
// Spec: governance-staking B4.
func TestCheckpointsAreForgotten(t *testing.T) {
	w := newWorld(t, minimum)
	a := addr(1)
	for range 10 {
		w.Height++
		w.pay(a, 1)
		w.must(w.AddStake(a, 1))
	}
	if own, sums := w.checkpoints(a); own != 11 || sums != 11 {
		t.Fatalf("%d and %d checkpoints of 11 weights", own, sums)
	}
	eleven := w.Height // the tenth coin came in this block
	w.Height = 5 + params.GovernanceLongest
	for range 6 {
		w.pay(a, 1)
		w.must(w.AddStake(a, 1))
		oldest := w.Height - params.GovernanceLongest
		if got, err := WeightAt(w.overlay, a, oldest); err != nil || got.Stake != minimum+unit.Amount(oldest)-1 {
			t.Errorf("height %d: %+v of height %d, %v", w.Height, got, oldest, err)
		}
		w.Height++
	}
	if _, err := WeightAt(w.overlay, a, eleven); err != nil {
		t.Error(err)
	}
	if own, sums := w.checkpoints(a); own != 8 || sums != 8 {
		t.Errorf("%d and %d checkpoints: those of heights 10 and 11 and six new ones are needed", own, sums)
	}
}
