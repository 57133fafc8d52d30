package verify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// The second model: every mode by trying all subsets of a committee, over the standard library's JSON and math/big.

// member is a result as the model sees it.
type member struct {
	who   account.Address
	data  string
	json  bool
	value any      // as rationally has it
	field any      // of "f"
	num   *big.Rat // of "f"
	vec   []int64
}

func modelled(results []Result) (list []member) {
	for _, r := range results {
		m := member{who: r.Runner, data: string(r.Output.Data)}
		d := json.NewDecoder(bytes.NewReader(r.Output.Data))
		d.UseNumber()
		var v any
		if d.Decode(&v) == nil {
			m.json, m.value = true, rationally(v)
			if fields, ok := v.(map[string]any); ok {
				if m.field, ok = rationally(fields["f"]), fields["f"] != nil; ok {
					if n, ok := fields["f"].(json.Number); ok {
						m.num, _ = new(big.Rat).SetString(string(n))
					}
				}
			}
		}
		if e := r.Output.Embedding; e != nil {
			for _, n := range e.Values {
				m.vec = append(m.vec, int64(n))
			}
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b member) int { return bytes.Compare(a.who[:], b.who[:]) })
	return list
}

// best gives the largest subsets that satisfy a condition, as bits over the list.
func best(list []member, good func(set []member) bool) (sets []uint) {
	most := 1
	for bits := uint(1); bits < 1<<len(list); bits++ {
		var set []member
		for i, m := range list {
			if bits>>i&1 == 1 {
				set = append(set, m)
			}
		}
		if len(set) < most || !good(set) {
			continue
		}
		if len(set) > most {
			most, sets = len(set), nil
		}
		sets = append(sets, bits)
	}
	return sets
}

func equal(key func(m member) (string, bool)) func(set []member) bool {
	return func(set []member) bool {
		first, ok := key(set[0])
		for _, m := range set[1:] {
			k, has := key(m)
			ok = ok && has && k == first
		}
		return ok
	}
}

func pick(list []member, bits uint) (out []member) {
	for i, m := range list {
		if bits>>i&1 == 1 {
			out = append(out, m)
		}
	}
	return out
}

// hash is keccak256 straight from the library.
func hash(text string) string {
	h := sha3.NewLegacyKeccak256()
	h.Write([]byte(text))
	return string(h.Sum(nil))
}

func randomResults(r *rand.Rand, most int, make func() (string, *Embedding)) (list []Result) {
	for n := byte(1); n <= 9 && len(list) < most; n++ {
		if r.IntN(4) > 0 {
			data, e := make()
			list = append(list, Result{Runner: at(n), Output: &Output{Data: []byte(data), Embedding: e, Source: &Source{}}, Index: uint32(n)})
		}
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// compare holds a verdict to the subsets of the model; of several the verdict's must be one.
func compare(t *testing.T, v *Verdict, list []member, sets []uint, threshold int) []member {
	t.Helper()
	if len(sets) == 0 || len(pick(list, sets[0])) < threshold {
		if v.Reason == nil {
			t.Fatalf("%+v, want no agreement", v)
		}
		return nil
	}
	if v.Reason != nil {
		t.Fatalf("%v, want an agreement", v.Reason)
	}
	for _, bits := range sets {
		set := pick(list, bits)
		var who []account.Address
		for _, m := range set {
			who = append(who, m.who)
		}
		if slices.Equal(who, v.Accepted) {
			return set
		}
	}
	t.Fatalf("accepted %v, which is none of the largest sets", v.Accepted)
	return nil
}

// Spec: runner-marketplace §2.3 (MajorityVote), §2.4; CIP-2 §9.
func TestVotesAgreeWithASecondModel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := []string{`1`, `1.0`, `10e-1`, `2`, `"1"`, `null`, `[1]`, `[1.00]`, `{"a":1}`}
	for range 1_500 {
		results := randomResults(r, 9, func() (string, *Embedding) {
			return fmt.Sprintf(`{"f":%s,"n":%d}`, values[r.IntN(1+r.IntN(len(values)))], r.IntN(3)), nil
		})
		n := 1 + r.IntN(6)
		list := modelled(results)
		key := func(m member) (string, bool) { return fmt.Sprintf("%T%v", m.field, m.field), true }
		v, err := Judge(&Terms{Spec: plain(job.ModeMajorityVote, vote("f")), Threshold: n}, results)
		if err != nil {
			t.Fatal(err)
		}
		if set := compare(t, v, list, best(list, equal(key)), n); set != nil && (string(v.Data) != set[0].data || v.From != set[0].who) {
			t.Fatalf("%s of %v, want the lowest address's %s", v.Data, v.From, set[0].data)
		}
	}
}

// Spec: runner-marketplace §2.4 (deterministic), §6.2 (ties).
func TestExactMatchesAgreeWithASecondModel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 1_500 {
		results := randomResults(r, 9, func() (string, *Embedding) { return string(rune('a' + r.IntN(1+r.IntN(5)))), nil })
		n := 1 + r.IntN(6)
		list := modelled(results)
		sets := best(list, equal(func(m member) (string, bool) { return m.data, true }))
		v, err := Judge(&Terms{Spec: plain(job.ModeDeterministic), Threshold: n}, results)
		if err != nil {
			t.Fatal(err)
		}
		set := compare(t, v, list, sets, n)
		if set == nil {
			continue
		}
		for _, bits := range sets {
			if other := pick(list, bits)[0].data; hash(other) < hash(set[0].data) {
				t.Fatalf("%q, and %q has the lower hash", set[0].data, other)
			}
		}
	}
}

// Spec: runner-marketplace §2.3 (StructuredMatch, NumericTolerance, NumericRange).
func TestTolerancesAgreeWithASecondModel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 1_500 {
		results := randomResults(r, 9, func() (string, *Embedding) {
			if r.IntN(8) == 0 {
				return `{"f":"none"}`, nil
			}
			return fmt.Sprintf(`{"f":%d.%de%d}`, r.IntN(4), r.IntN(100), r.IntN(2)-1), nil
		})
		n, tolerance := 1+r.IntN(5), fmt.Sprintf("0.%d", 1+r.IntN(9))
		limit, _ := new(big.Rat).SetString(tolerance)
		list := modelled(results)
		spread := func(set []member) (*big.Rat, *big.Rat) {
			low, high := set[0].num, set[0].num
			for _, m := range set {
				if m.num == nil {
					return nil, nil
				}
				if low != nil && m.num.Cmp(low) < 0 {
					low = m.num
				}
				if high != nil && m.num.Cmp(high) > 0 {
					high = m.num
				}
			}
			return low, high
		}
		sets := best(list, func(set []member) bool {
			low, high := spread(set)
			return low != nil && high != nil && new(big.Rat).Sub(high, low).Cmp(limit) <= 0
		})
		v, err := Judge(&Terms{Spec: plain(job.ModeStructuredMatch, near(t, "f", tolerance)), Threshold: n}, results)
		if err != nil {
			t.Fatal(err)
		}
		set := compare(t, v, list, sets, n)
		if set == nil {
			continue
		}
		low, _ := spread(set)
		for _, bits := range sets {
			if other, _ := spread(pick(list, bits)); other.Cmp(low) < 0 {
				t.Fatalf("from %s, and as many are from %s", low, other)
			}
		}
	}
}

// Spec: runner-marketplace §6.2 (median).
func TestMediansAgreeWithASecondModel(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	threshold := decimal(t, "0.25")
	for range 1_500 {
		results := randomResults(r, 9, func() (string, *Embedding) { return fmt.Sprintf(`{"f":%de-1}`, r.IntN(40)-20), nil })
		if len(results) == 0 {
			continue
		}
		list := modelled(results)
		h := job.HTTPJob{Snapshot: &job.Snapshot{Mode: median, OutlierThreshold: &threshold}}
		v, err := Judge(&Terms{Spec: fetch(job.ModeMajorityVote, h, vote("f")), Threshold: 1}, results)
		if err != nil || v.Reason != nil {
			t.Fatal(err, v)
		}
		sorted := slices.Clone(list)
		slices.SortStableFunc(sorted, func(a, b member) int { return cmp.Or(a.num.Cmp(b.num), bytes.Compare(a.who[:], b.who[:])) })
		below := 0 // how many are strictly less than the median: less than half, and with it at least half
		middle := sorted[(len(sorted)-1)/2].num
		for _, m := range list {
			if m.num.Cmp(middle) < 0 {
				below++
			}
		}
		if want := sorted[below]; v.From != want.who {
			t.Fatalf("%v, want %v", v.From, want.who)
		}
		allowed := new(big.Rat).Mul(new(big.Rat).Abs(middle), big.NewRat(1, 4))
		var far []account.Address
		for _, m := range list {
			if d := new(big.Rat).Sub(m.num, middle); d.Abs(d).Cmp(allowed) > 0 {
				far = append(far, m.who)
			}
		}
		if !slices.Equal(far, v.Outliers) {
			t.Fatalf("outliers %v, want %v", v.Outliers, far)
		}
	}
}

// Spec: runner-marketplace §2.4 (semantic_similarity), §14.
func TestClustersAgreeWithASecondModel(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 1_500 {
		size := 1 + r.IntN(3)
		results := randomResults(r, 9, func() (string, *Embedding) {
			e := &Embedding{Wide: true}
			for range size {
				e.Values = append(e.Values, int16(r.IntN(21)-6))
			}
			return "x", e
		})
		n := 1 + r.IntN(6)
		list := modelled(results)
		var most []account.Address
		for _, center := range list {
			var set []account.Address
			for _, m := range list {
				if m.who == center.who || cosineAtLeast(center.vec, m.vec) {
					set = append(set, m.who)
				}
			}
			if len(set) > len(most) {
				most = set
			}
		}
		v, err := Judge(&Terms{Spec: plain(job.ModeSemanticSimilarity), Threshold: n}, results)
		if err != nil {
			t.Fatal(err)
		}
		if len(most) < n != (v.Reason != nil) || v.Reason == nil && !slices.Equal(v.Accepted, most) {
			t.Fatalf("%+v, want %v", v, most)
		}
	}
}

// cosineAtLeast says whether a·b / (|a| |b|) ≥ 0.85, by a root of 256 bits.
func cosineAtLeast(a, b []int64) bool {
	product := func(x, y []int64) *big.Float {
		sum := new(big.Float).SetPrec(256)
		for i := range x {
			sum.Add(sum, new(big.Float).SetPrec(256).SetInt64(x[i]*y[i]))
		}
		return sum
	}
	norm := new(big.Float).SetPrec(256).Mul(product(a, a), product(b, b))
	if norm.Sign() == 0 {
		return false
	}
	ratio, _ := new(big.Rat).SetString("85/100")
	right := new(big.Float).SetPrec(256).SetRat(ratio)
	return product(a, b).Cmp(right.Mul(right, norm.Sqrt(norm))) >= 0
}
