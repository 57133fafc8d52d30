package verifier

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Uses against exact fractions of a second model: the mean and the variance of those before, the distance of the next from the mean, squared.
//
// Spec: WP-January "Dispute Resolution" (3 standard deviations above the norm for the job type).
func TestUsesAgreeWithASecondModel(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 3))
	found := 0
	for range 200 {
		var n norm
		var list []uint32
		most := uint32(1) << r.IntN(32)
		for range 20 + r.IntN(60) {
			use := r.Uint32N(most)
			if r.IntN(20) == 0 {
				use = ^uint32(0) - r.Uint32N(most)
			}
			got, want := n.beyond(use), false
			if len(list) >= 30 {
				count, sum, squares := big.NewRat(int64(len(list)), 1), new(big.Rat), new(big.Rat)
				for _, x := range list {
					one := new(big.Rat).SetInt64(int64(x))
					sum.Add(sum, one)
					squares.Add(squares, new(big.Rat).Mul(one, one))
				}
				mean := new(big.Rat).Quo(sum, count)
				variance := new(big.Rat).Sub(new(big.Rat).Quo(squares, count), new(big.Rat).Mul(mean, mean))
				off := new(big.Rat).Sub(new(big.Rat).SetInt64(int64(use)), mean)
				want = off.Sign() > 0 && new(big.Rat).Mul(off, off).Cmp(new(big.Rat).Mul(big.NewRat(9, 1), variance)) > 0
			}
			if got != want {
				t.Fatalf("%d behind %v: %v", use, list, got)
			}
			if got {
				found++
			}
			n.add(use)
			list = append(list, use)
			back, err := decodeNorm(n.Encode())
			if err != nil || *back != n {
				t.Fatalf("%+v %v", back, err)
			}
		}
	}
	if found < 50 {
		t.Errorf("%d uses are far from what is usual", found)
	}
	full := norm{uses: normMost}
	for range 40_000 { // the greatest uses there are leave the sums within their bounds
		full.add(^uint32(0))
	}
	if full.uses > normMost || full.beyond(^uint32(0)) {
		t.Errorf("%+v", full)
	}
}

// Thirty jobs say what is usual; who uses far more is looked at, and loses nothing. Of nine tokens and eleven in turns the mean is ten and the deviation
// one: thirteen are three deviations. With it the mean is 10.1 and the deviation 1.12, so that fifteen are more than three.
//
// Spec: WP-January "Dispute Resolution"; runner-marketplace §7.
func TestWhoUsesFarMoreThanIsUsualIsLookedAt(t *testing.T) {
	w := newWorld(t, 1)
	looked := func(tokens uint32) bool {
		w.events = nil
		id, who := w.assigned(ask(job.ModeNone, once))
		w.answers(id, who, gave("x", tokens))
		w.settled(id)
		if w.runner(who[0]).Stake != stake {
			t.Error("it lost stake")
		}
		return slices.Contains(w.events, TopicReview+" 03")
	}
	for n := range 30 {
		if tokens := uint32(9 + 2*(n%2)); looked(tokens) {
			t.Errorf("job %d: %d tokens are looked at", n, tokens)
		}
	}
	if looked(13) {
		t.Error("three deviations are looked at")
	}
	if !looked(15) {
		t.Error("more than three deviations are not looked at")
	}
}
