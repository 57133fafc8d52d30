package job

import (
	"encoding/hex"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// vector is a line of testdata/draw.txt.
type vector struct {
	t     *testing.T
	parts []string
}

func (v vector) number(i int) uint64 {
	v.t.Helper()
	n, err := strconv.ParseUint(v.parts[i], 10, 64)
	if err != nil {
		v.t.Fatal(err)
	}
	return n
}

func (v vector) bytes(i int) []byte {
	v.t.Helper()
	b, err := hex.DecodeString(v.parts[i])
	if err != nil {
		v.t.Fatal(err)
	}
	return b
}

func (v vector) wide(i int) (list []unit.Uint128) {
	v.t.Helper()
	for _, text := range strings.Split(v.parts[i], ",") {
		n, err := unit.ParseUint128(text)
		if err != nil {
			v.t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// candidates have their place as their address.
func candidates(weights ...unit.Uint128) (list []Candidate) {
	for i, w := range weights {
		list = append(list, Candidate{account.Address{19: byte(i)}, w})
	}
	return list
}

func order(list []Candidate) string {
	var names []string
	for _, c := range list {
		names = append(names, fmt.Sprint(c.Address[19]))
	}
	return strings.Join(names, ",")
}

// Identities, seeds, committees, aggregators and sizes as testdata/draw.py has computed them, which shares nothing with this package.
//
// Spec: WP §5.3; runner-marketplace §4.2, §4.4, §4.5, §4.6, §14 (2, 3).
func TestVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/draw.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		v := vector{t, strings.Fields(line)}
		last := v.parts[len(v.parts)-1]
		got := ""
		switch v.parts[0] {
		case "identity":
			got = Identity(digest.Hash(v.bytes(1)), uint32(v.number(2)), unit.Height(v.number(3))).Hex()
		case "seed":
			beacon := &sig.Seed{Round: sig.Round{Epoch: v.number(1), View: v.number(2)}}
			copy(beacon.Signature[:], v.bytes(3))
			got = Seed(beacon, digest.Hash(v.bytes(4)), unit.Height(v.number(5))).Hex()
		case "retry":
			got = RetrySeed(digest.Hash(v.bytes(1)), uint32(v.number(2))).Hex()
		case "draw":
			got = order(Draw(candidates(v.wide(3)...), digest.Hash(v.bytes(1)), int(v.number(2))))
		case "favour":
			got = order(Favour(candidates(v.wide(4)...), digest.Hash(v.bytes(1)), int(v.number(2)), account.Address{19: byte(v.number(3))}, 4))
		case "aggregator":
			var reputations []uint64
			var members []account.Address
			for i, n := range v.wide(3) {
				reputations, members = append(reputations, n.Lo), append(members, account.Address{19: byte(i)})
			}
			got = fmt.Sprint(Aggregator(digest.Hash(v.bytes(1)), members, reputations, uint32(v.number(2)))[19])
		case "size":
			if exact, log := v.number(3), Log2(v.number(1)); log > exact || exact-log > 2 { // 2^-31 below, as it says
				t.Errorf("%s: the logarithm is %d", line, log)
			}
			c := Committee(v.number(1), Concentration(v.number(2)))
			got, last = fmt.Sprint(c.Members, c.Threshold), strings.Join(v.parts[4:], " ")
		}
		if got != last {
			t.Errorf("%s: %s", line, got)
		}
		seen[v.parts[0]]++
	}
	if seen["identity"] != 8 || seen["seed"] != 8 || seen["retry"] != 8 || seen["draw"] != 60 || seen["aggregator"] != 20 || seen["size"] != 39 ||
		seen["favour"] != 40 {
		t.Errorf("%v", seen)
	}
}

var draws = flag.Int("draws", 100_000, "committees drawn for the chi-square test")

// The first and the second of a committee come as often as their weights say: χ² over 10^5 draws, 10^6 with -draws. The limits are those that one run of a
// million would pass by chance (7 degrees of freedom: 40.5).
//
// Spec: WP §5.3 (stake-weighted); runner-marketplace §4.5.
func TestDrawIsByWeight(t *testing.T) {
	weights := []uint64{1, 2, 3, 5, 8, 13, 21, 47}
	const total, limit = 100.0, 40.5
	wide := make([]unit.Uint128, len(weights))
	for i, w := range weights {
		wide[i] = unit.Uint128{Hi: w << 20} // beyond 64 bits
	}
	var first, second [8]float64
	for i := range *draws {
		list := Draw(candidates(wide...), digest.SHA256(strconv.AppendInt(nil, int64(i), 10)), 3)
		first[list[0].Address[19]]++
		second[list[1].Address[19]]++
	}
	chi1, chi2 := 0.0, 0.0
	for j, w := range weights {
		p1 := float64(w) / total
		p2 := 0.0
		for i, other := range weights {
			if i != j {
				p2 += float64(other) / total * float64(w) / (total - float64(other))
			}
		}
		n := float64(*draws)
		chi1 += (first[j] - n*p1) * (first[j] - n*p1) / (n * p1)
		chi2 += (second[j] - n*p2) * (second[j] - n*p2) / (n * p2)
	}
	if chi1 > limit || chi2 > limit {
		t.Errorf("χ² of the first is %f, of the second %f", chi1, chi2)
	}
	t.Logf("χ² of the first is %.2f, of the second %.2f, over %d draws", chi1, chi2, *draws)
}

// A draw takes everybody at most once, and all where few are there.
//
// Spec: runner-marketplace §4.2, §4.5.
func TestDrawIsWithoutReplacement(t *testing.T) {
	draw := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		n, m := draw.IntN(12), draw.IntN(12)
		var weights []unit.Uint128
		for range n {
			weights = append(weights, unit.Wide(1+draw.Uint64N(5)))
		}
		list := Draw(candidates(weights...), digest.SHA256([]byte{byte(draw.Uint32())}), m)
		seen := map[byte]bool{}
		for _, c := range list {
			seen[c.Address[19]] = true
		}
		if len(list) != min(n, m) || len(seen) != len(list) {
			t.Fatalf("%d of %d: %s", m, n, order(list))
		}
	}
}

// Arithmetic of 128 bits beside package big.
//
// Spec: runner-marketplace §4.2, §4.3, §4.5.
func TestArithmetic(t *testing.T) {
	draw := rand.New(rand.NewPCG(13, 14))
	for range 20_000 {
		a := unit.Uint128{Hi: draw.Uint64() >> draw.IntN(64), Lo: draw.Uint64()}
		b := unit.Uint128{Hi: draw.Uint64() >> (draw.IntN(66)), Lo: 1 + draw.Uint64()>>draw.IntN(64)}
		if draw.IntN(5) == 0 {
			a.Hi = 0
		}
		if got, want := modulo(a, b).Int(), new(big.Int).Mod(a.Int(), b.Int()); got.Cmp(want) != 0 {
			t.Fatalf("%v mod %v is %v, want %v", a, b, got, want)
		}
		n := draw.Uint64() >> draw.IntN(64)
		if got, want := isqrt(n), new(big.Int).Sqrt(new(big.Int).SetUint64(n)); got != want.Uint64() {
			t.Fatalf("√%d is %d, want %v", n, got, want)
		}
		stake := unit.Amount(draw.Uint64N(uint64(params.GenesisSupply)))
		reputation := draw.Uint64N(1<<63) + 1
		want := new(big.Int).Sqrt(new(big.Int).SetUint64(max(reputation, 1<<63/200)))
		if got := Weight(stake, reputation).Int(); got.Cmp(want.Mul(want, new(big.Int).SetUint64(uint64(stake)))) != 0 {
			t.Fatalf("weight of %d at %d is %v, want %v", stake, reputation, got, want)
		}
	}
}

// Concentration of markets, by hand and beside big.Rat; how it is smoothed.
//
// Spec: WP §5.3, §13; runner-marketplace §4.2.
func TestConcentration(t *testing.T) {
	sums := func(stakes ...uint64) (squares unit.Uint128, all unit.Amount) {
		for _, s := range stakes {
			square, _ := unit.Uint128FromInt(new(big.Int).Mul(new(big.Int).SetUint64(s), new(big.Int).SetUint64(s)))
			squares, all = plus(squares, square), all+unit.Amount(s)
		}
		return squares, all
	}
	for name, c := range map[string]struct {
		stakes []uint64
		want   Concentration
	}{
		"nobody":                   {nil, 1 << 32},
		"one":                      {[]uint64{7}, 1 << 32},
		"four alike":               {[]uint64{5, 5, 5, 5}, 1 << 30},
		"one half and two fourths": {[]uint64{2, 1, 1}, 3 << 29}, // 1/4 + 1/16 + 1/16 = 3/8
	} {
		t.Run(name, func(t *testing.T) {
			if got := ConcentrationOf(sums(c.stakes...)); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
	draw := rand.New(rand.NewPCG(15, 16))
	for range 2_000 {
		var stakes []uint64
		for range 2 + draw.IntN(20) {
			stakes = append(stakes, 1+draw.Uint64N(1e16))
		}
		squares, all := sums(stakes...)
		whole := new(big.Int).SetUint64(uint64(all))
		want := new(big.Int).Lsh(squares.Int(), 32)
		if got := ConcentrationOf(squares, all); uint64(got) != want.Div(want, whole.Mul(whole, whole)).Uint64() {
			t.Fatalf("%v: %d, want %v", stakes, got, want)
		}
	}
	if got := Concentration(800).Smooth(1_600); got != 900 {
		t.Errorf("smoothed: %d", got)
	}
}

// Committees of jobs: what the mode needs, what the network gives, what the job asks for and what there is.
//
// Spec: WP §5.3, §5.4; runner-marketplace §2.4, §4.2.
func TestSizeOfAJob(t *testing.T) {
	network := params.CommitteeConfig{Members: 7, Threshold: 5}
	for _, c := range []struct {
		mode               Mode
		runners, threshold uint32
		candidates         int
		m, n               uint32
		ok                 bool
	}{
		{ModeNone, 5, 3, 100, 1, 1, true},
		{ModeEconomicBond, 0, 0, 1, 1, 1, true},
		{ModeNone, 0, 0, 0, 1, 1, false},
		{ModeMajorityVote, 0, 0, 7, 7, 5, true},
		{ModeMajorityVote, 0, 0, 4, 4, 3, true},
		{ModeMajorityVote, 0, 0, 2, 2, 2, false},
		{ModeMajorityVote, 1, 0, 9, 3, 2, true},
		{ModeSemanticSimilarity, 64, 0, 99, 9, 6, true},
		{ModeStructuredMatch, 2, 0, 9, 2, 2, true},
		{ModeStructuredMatch, 0, 0, 2, 2, 2, true},
		{ModeDeterministic, 0, 0, 1, 1, 1, false},
		{ModeMajorityVote, 5, 5, 9, 5, 5, true},
		{ModeMajorityVote, 5, 1, 9, 5, 3, true}, // a majority at least
		{ModeMajorityVote, 5, 5, 3, 3, 3, true},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			v := Verification{Mode: c.mode, Runners: c.runners, Threshold: c.threshold}
			got, ok := v.SizeFor(network, c.candidates)
			if ok != c.ok || got != (params.CommitteeConfig{Members: c.m, Threshold: c.n}) {
				t.Errorf("%+v %v", got, ok)
			}
		})
	}
	if list := []uint64{9, 1, 5, 3}; percentileOf(list, 50) != 3 || percentileOf(list, 51) != 5 || percentileOf(list, 0) != 1 || percentileOf(list, 100) != 9 ||
		!slices.Equal(list, []uint64{9, 1, 5, 3}) {
		t.Errorf("percentiles of %v", list)
	}
}
