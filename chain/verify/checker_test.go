package verify

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// The table of outcomes of the checkers: what each leaves of three results, and whose failure it is.
//
// Spec: WP-January "SDK Verifier Functions"; sdk §9.4; runner-marketplace §2.3, §6.3.
func TestCheckerOutcomes(t *testing.T) {
	list := func(k job.CheckKind, texts ...string) job.Check { return job.Check{Kind: k, Texts: texts} }
	length := func(least, most uint64) job.Check { return job.Check{Kind: job.CheckLength, Least: least, Most: most} }
	regex := func(p string) job.Check { return job.Check{Kind: job.CheckRegex, Pattern: p} }
	entropy := func(bits string) job.Check { return job.Check{Kind: job.CheckEntropy, Limit: decimal(t, bits)} }
	set := job.Check{Kind: job.CheckSetEquality, Field: "a"}
	for name, c := range map[string]struct {
		check job.Check
		said  []string
		want  ruled
	}{
		"set, in any order": {
			set, []string{`{"a":[1,2]}`, `{"a":[2.0,1]}`, `{"a":[1,3]}`}, ruled{data: `{"a":[1,2]}`, accepted: runners(1, 2)},
		},
		"set, as often": {
			set, []string{`{"a":[1,1,2]}`, `{"a":[1,2]}`, `{"a":[2,1]}`}, ruled{data: `{"a":[1,2]}`, accepted: runners(2, 3)},
		},
		"set, texts that look alike": {
			set, []string{`{"a":["1",2]}`, `{"a":[1,"2"]}`, `{"a":["1","2"]}`}, ruled{reason: ErrField},
		},
		"set, no list":   {set, []string{`{"a":1}`, `{"a":1}`, `{"b":[1]}`}, ruled{reason: ErrField}},
		"contains all":   {list(job.CheckContainsAll, "x", "yz"), []string{"xyz", "x y z", "yzx"}, ruled{data: "xyz", accepted: runners(1, 3)}},
		"contains none":  {list(job.CheckContainsNone, "x", "q"), []string{"abc", "aqc", "def"}, ruled{data: "abc", accepted: runners(1, 3)}},
		"contains, few":  {list(job.CheckContainsAll, "x"), []string{"x", "y", "X"}, ruled{reason: ErrField}},
		"regex anywhere": {regex("[0-9]{2}"), []string{"a12", "1a2", "99"}, ruled{data: "a12", accepted: runners(1, 3)}},
		"regex anchored": {regex("^[0-9]+$"), []string{"12", "12\n", "99"}, ruled{data: "12", accepted: runners(1, 3)}},
		// a byte that is no text counts as one character
		"regex, no text": {regex("^.$"), []string{"\xff", "\xc3\xa4", "ab"}, ruled{data: "\xff", accepted: runners(1, 2)}},
		"too short is a failure": {
			length(3, 9), []string{"ab", "abc", "abcdefghi"}, ruled{data: "abc", accepted: runners(2, 3), failed: runners(1)},
		},
		"too long is none": {length(0, 3), []string{"abcd", "abc", ""}, ruled{reason: ErrSchema, failed: runners(3)}},
		"two values evenly are one bit": {
			entropy("1"), []string{"abab", "aabb", "aaab"}, ruled{data: "abab", accepted: runners(1, 2), failed: runners(3)},
		},
		"more than one bit": {entropy("1.000000001"), []string{"abab", "abcd", "dcba"}, ruled{data: "abcd", accepted: runners(2, 3), failed: runners(1)}},
		"one value has none": {
			entropy("0.000000001"), []string{strings.Repeat("a", 999), "ab", "abc"}, ruled{data: "ab", accepted: runners(2, 3), failed: runners(1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.hold(t, judge(t, &Terms{Spec: plain(job.ModeStructuredMatch, c.check), Threshold: 2}, said(c.said...)))
		})
	}
}

// exactEntropy is Shannon's estimate with 200 bits: logarithms by squaring a big.Float.
func exactEntropy(data []byte) *big.Float {
	logarithm := func(n int64) *big.Float {
		x, sum := new(big.Float).SetPrec(200).SetInt64(n), new(big.Float).SetPrec(200)
		for two := big.NewFloat(2); x.Cmp(two) >= 0; {
			x.Quo(x, two)
			sum.Add(sum, big.NewFloat(1))
		}
		for bit := 1; bit <= 60; bit++ {
			if x.Mul(x, x); x.Cmp(big.NewFloat(2)) >= 0 {
				x.Quo(x, big.NewFloat(2))
				sum.Add(sum, new(big.Float).SetMantExp(big.NewFloat(1), -bit))
			}
		}
		return sum
	}
	counts := map[byte]int64{}
	for _, b := range data {
		counts[b]++
	}
	n := int64(len(data))
	whole := new(big.Float).SetPrec(200).Mul(new(big.Float).SetInt64(n), logarithm(n))
	for _, c := range counts { // order-free: a sum far below the margin the test leaves
		whole.Sub(whole, new(big.Float).SetPrec(200).Mul(new(big.Float).SetInt64(c), logarithm(c)))
	}
	return whole.Quo(whole, new(big.Float).SetInt64(n))
}

// What counts as entropy is within 2⁻³⁰ of what floats of 200 bits give.
//
// Spec: runner-marketplace §6.3 (integer Shannon estimate).
func TestEntropyAgreesWithASecondModel(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	margin := new(big.Float).SetMantExp(big.NewFloat(1), -29)
	for range 300 {
		data := make([]byte, 1+r.IntN(3_000))
		values := 2 + r.IntN(254)
		for i := range data {
			data[i] = byte(r.IntN(1 + r.IntN(values)))
		}
		exact := exactEntropy(data)
		counts := func(by *big.Float) (*big.Int, bool) {
			scaled, _ := new(big.Float).Mul(by, big.NewFloat(1e9)).Int(nil)
			return scaled, (entropyLeast{scaled}).met(data)
		}
		if below, met := counts(new(big.Float).Sub(exact, margin)); !met && below.Sign() > 0 {
			t.Fatalf("%d bytes of entropy %s do not have %s", len(data), exact, below)
		}
		nano := big.NewFloat(1e-9)
		if above, met := counts(new(big.Float).Add(exact, new(big.Float).Add(margin, nano))); met {
			t.Fatalf("%d bytes of entropy %s have %s", len(data), exact, above)
		}
	}
}

// The threshold of a job moves what counts as similar: (3,4) and (4,3) have the cosine 24/25.
//
// Spec: WP-January "Verification Mode Details" (similarity_threshold); runner-marketplace §2.4.
func TestSimilarityThreshold(t *testing.T) {
	results := said("a", "b", "c")
	for i, v := range [][]int16{{3, 4}, {4, 3}, {-4, 3}} {
		results[i].Output.Embedding = &Embedding{Wide: true, Values: v}
	}
	for limit, want := range map[string]ruled{
		"0.96":        {data: "a", accepted: runners(1, 2)},
		"0.960000001": {reason: ErrNoConsensus},
	} {
		for _, mode := range []job.Mode{job.ModeSemanticSimilarity, job.ModeStructuredMatch} {
			t.Run(limit+" "+mode.String(), func(t *testing.T) {
				check := job.Check{Kind: job.CheckSimilarity, Limit: decimal(t, limit)}
				want.hold(t, judge(t, &Terms{Spec: plain(mode, check), Threshold: 2}, results))
			})
		}
	}
	t.Run("without embeddings", func(t *testing.T) {
		check := job.Check{Kind: job.CheckSimilarity, Limit: decimal(t, "0.5")}
		(&ruled{reason: ErrNoConsensus}).hold(t, judge(t, &Terms{Spec: plain(job.ModeStructuredMatch, check), Threshold: 2}, said("a", "b")))
	})
}

// A result of HTTP that does not say where it was fetched is no result, and its runner's failure; but for the mode none.
//
// Spec: WP-January "Source Attestation"; runner-marketplace §2.6.
func TestSourcesAreSaid(t *testing.T) {
	for _, c := range []struct {
		spec *job.Spec
		n    int
		want ruled
	}{
		{fetch(job.ModeMajorityVote, job.HTTPJob{}), 2, ruled{data: "x", accepted: runners(1, 2), failed: runners(3)}},
		{fetch(job.ModeMajorityVote, job.HTTPJob{}), 3, ruled{reason: ErrInsufficient, failed: runners(3)}},
		{fetch(job.ModeNone, job.HTTPJob{}), 3, ruled{data: "x", accepted: runners(1, 2, 3)}},
		{plain(job.ModeMajorityVote), 3, ruled{data: "x", accepted: runners(1, 2, 3)}},
	} {
		t.Run(c.spec.Verification.Mode.String(), func(t *testing.T) {
			results := said("x", "x", "x")
			results[2].Output.Source = nil
			c.want.hold(t, judge(t, &Terms{Spec: c.spec, Threshold: c.n}, results))
		})
	}
}

// What a network can verify of the checkers and the parameters of modes, and what it refuses.
//
// Spec: WP §5.3, §5.4; WP-January "Verification Mode Details"; runner-marketplace §2.3, §14 (12).
func TestWhatCheckersAreTaken(t *testing.T) {
	network := Network{Similarity: true, Model: "m"}
	pin := job.Check{Kind: job.CheckInference, Inference: job.Inference{Toolchain: [32]byte{1}}}
	warm := pin
	warm.Inference.Temperature = decimal(t, "0.1")
	model := func(checks ...job.Check) *job.Spec {
		s := plain(job.ModeDeterministic, checks...)
		s.Kind, s.MCP, s.LLM = job.LLM, nil, new(job.LLMJob)
		return s
	}
	for name, c := range map[string]struct {
		spec *job.Spec
		on   Network
		ok   bool
	}{
		"a pattern":          {plain(job.ModeEconomicBond, job.Check{Kind: job.CheckRegex, Pattern: "a+"}), network, true},
		"no pattern":         {plain(job.ModeEconomicBond, job.Check{Kind: job.CheckRegex}), network, false},
		"a look around":      {plain(job.ModeEconomicBond, job.Check{Kind: job.CheckRegex, Pattern: "a(?=b)"}), network, false},
		"a long pattern":     {plain(job.ModeEconomicBond, job.Check{Kind: job.CheckRegex, Pattern: "a{90}"}), network, false},
		"substrings":         {plain(job.ModeEconomicBond, job.Check{Kind: job.CheckContainsAll, Texts: []string{"a"}}), network, true},
		"an empty substring": {plain(job.ModeEconomicBond, job.Check{Kind: job.CheckContainsNone, Texts: []string{""}}), network, false},
		"more substrings than time": {
			plain(job.ModeEconomicBond, job.Check{Kind: job.CheckContainsAll, Texts: strings.Fields("a b c d e f g h i")}), network, false,
		},
		"a path that is none":         {plain(job.ModeStructuredMatch, job.Check{Kind: job.CheckSetEquality, Field: "a..b"}), network, false},
		"the network's model":         {plain(job.ModeSemanticSimilarity, job.Check{Kind: job.CheckSimilarity, Model: "m"}), network, true},
		"another model":               {plain(job.ModeSemanticSimilarity, job.Check{Kind: job.CheckSimilarity, Model: "n"}), network, false},
		"similarity, nobody's model":  {plain(job.ModeStructuredMatch, job.Check{Kind: job.CheckSimilarity}), Network{}, false},
		"a model's job that pins":     {model(pin), network, true},
		"a model's job that does not": {model(), network, false},
		"no toolchain":                {model(job.Check{Kind: job.CheckInference}), network, false},
		"a temperature":               {model(warm), network, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Check(c.spec, c.on); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrConfig) {
				t.Error(err)
			}
		})
	}
}

// A job of the SDK is fitted to what its results can be judged by, whatever checkers it has, and one that fits is left alone.
//
// Spec: WP §5.3 (bounded verification).
func TestFit(t *testing.T) {
	for pattern, want := range map[string]uint32{
		"a":          65_536,                 // 2 + 3 + 1 parts
		"a{90}":      MaxWork / (2 + 92 + 1), // a program has two instructions more than the 90 of the pattern
		"(?:ab){40}": MaxWork / (2 + 2 + 80 + 1),
	} {
		t.Run(pattern, func(t *testing.T) {
			s := plain(job.ModeEconomicBond, job.Check{Kind: job.CheckRegex, Pattern: pattern})
			if Fit(s); s.Schema.MaxReturnBytes != want {
				t.Errorf("%d bytes, want %d", s.Schema.MaxReturnBytes, want)
			}
			if err := Check(s, Network{}); err != nil {
				t.Error(err)
			}
		})
	}
}
