package runner

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// exact is arithmetic with 256 bits.
func exact(v float64) *big.Float { return new(big.Float).SetPrec(256).SetFloat64(v) }

// decay is 2^(−delta/half), by square roots: the binary digits of delta/half choose which roots of one half are multiplied.
func decay(delta, half uint64) *big.Float {
	product, root := exact(1), exact(0.5)
	rest, whole := new(big.Int).SetUint64(delta), new(big.Int).SetUint64(half)
	for range 100 {
		if rest.Cmp(whole) >= 0 {
			product.Mul(product, root)
			rest.Sub(rest, whole)
		}
		root.Sqrt(root)
		rest.Lsh(rest, 1)
	}
	return product
}

func near(t *testing.T, what string, got uint64, want *big.Float, bits int) {
	t.Helper()
	diff := new(big.Float).SetPrec(256).SetUint64(got)
	diff.Quo(diff, new(big.Float).SetMantExp(exact(1), bits))
	diff.Sub(diff, want).Abs(diff)
	if limit := new(big.Float).SetMantExp(exact(1), -58); diff.Cmp(limit) > 0 {
		t.Errorf("%s: %d is off by %v", what, got, diff)
	}
}

// α against its definition in 256 bits; at a half-life it is a half exactly.
//
// Spec: WP §13 (reputation_half_life_blocks); runner-marketplace §8.
func TestAlpha(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	halves := []uint64{1, 2, 3, 1_209_600, 1 << 40, 1<<64 - 1}
	for i := range 400 {
		half := halves[i%len(halves)]
		delta := 1 + draw.Uint64N(half)
		if i%7 == 0 {
			delta = min(half, 1+uint64(i))
		}
		want := exact(1)
		near(t, "alpha", alpha(delta, half), want.Sub(want, decay(delta, half)), 64)
	}
	for _, half := range halves {
		if got := alpha(half, half); got != 1<<63 {
			t.Errorf("α of a half-life of %d is %x", half, got)
		}
	}
}

// Points by hand: after a half-life an event goes half the way, after less the share that 2^(−Δ/H) leaves.
//
// Spec: runner-marketplace §8.
func TestReputationByHand(t *testing.T) {
	const half = 1_209_600
	for _, c := range []struct {
		name        string
		from, score uint64
		delta       unit.Height
		low, high   uint64 // thousandths of a point
	}{
		{"half-life of a success", 50, ScoreSuccess, half, 75_000, 75_000},
		{"half-life of a failure", 50, ScoreTimeout, half, 25_000, 25_000},
		{"longer counts as one half-life", 200, ScoreTimeout, 50 * half, 100_000, 100_000},
		{"aggregator", 50, ScoreAggregator, half, 79_999, 80_000},
		{"half of a half-life", 0, ScoreSuccess, half / 2, 29_289, 29_289}, // 100·(1 − 1/√2) = 29.2893…
		{"a day", 100, ScoreTimeout, 86_400, 95_169, 95_169},               // 100·2^(−1/14) = 95.1695…
		{"nothing to gain", 100, ScoreSuccess, half, 100_000, 100_000},
		{"the same block counts as one", 100, ScoreTimeout, 0, 99_999, 99_999}, // 100·(1 − 5.7·10⁻⁷) = 99.99994…
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ReputationOf(c.from).toward(ReputationOf(c.score), 77, 77+c.delta, half).Milli()
			if got < c.low || got > c.high {
				t.Errorf("%d, want %d to %d", got, c.low, c.high)
			}
		})
	}
	for points, want := range map[uint64]uint64{0: 0, 50: 50_000, 100: 100_000, 200: 200_000, 1_000: 200_000} {
		t.Run(fmt.Sprint(points), func(t *testing.T) {
			if got := ReputationOf(points).Milli(); got != want {
				t.Error(got)
			}
		})
	}
}

// A thousand random histories in 256 bits beside the registry's.
//
// Spec: WP §13; runner-marketplace §8 (Q1.63, lazily with decay by block distance).
func TestReputationAgainstModel(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		w := newWorld(t)
		half := []uint64{1_209_600, 100, 7}[draw.IntN(3)]
		p := *w.Params
		p.Reputation.HalfLifeBlocks = half
		w.Params = &p
		w.must(w.register(1, plain(1, params.RunnerStakeFloor, 0)))
		model, last := exact(0.25), w.Height
		for range 25 {
			w.Height += unit.Height(draw.Uint64N(half + half/2 + 2))
			points := []uint64{0, 100, 110}[draw.IntN(3)]
			w.must(w.Score(keyOf(1).Address(), points))
			delta := max(min(uint64(w.Height-last), half), 1)
			step := exact(1)
			step.Sub(step, decay(delta, half))
			way := exact(float64(points))
			way.Quo(way, exact(200)).Sub(way, model)
			model.Add(model, step.Mul(step, way))
			last = w.Height
			near(t, "reputation", uint64(w.runner(1).Reputation), model, 63)
		}
	}
	w := newWorld(t)
	w.refused(w.Score(account.Address{1}, 1), ErrUnknown)
}

// Whole points are rounded to the nearest, a half up, so that the first timeout of a beginner, who has the 50 points that jobs are given from on, leaves it
// eligible for up to 17,538 blocks after it began: 1,209,600 · log2(50/49.5) is 17,538.7.
//
// Spec: runner-marketplace §4.1 (2), §8.
func TestPoints(t *testing.T) {
	for name, c := range map[string]struct {
		r    Reputation
		want uint64
	}{
		"nothing": {0, 0}, "all": {1 << 63, 200}, "50": {ReputationOf(50), 50}, "49": {ReputationOf(49), 49},
		"49.5": {99<<63/400 + 1, 50}, "just below 49.5": {99 << 63 / 400, 49}, "just below 200": {1<<63 - 1, 200}, "half a point": {1<<63/400 + 1, 1},
		"just below half a point": {1 << 63 / 400, 0},
		"a timeout in time":       {ReputationOf(50).toward(0, 0, 17_538, 1_209_600), 50},
		"a timeout later":         {ReputationOf(50).toward(0, 0, 17_539, 1_209_600), 49},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.r.Points(); got != c.want {
				t.Errorf("%d points, want %d", got, c.want)
			}
		})
	}
}
