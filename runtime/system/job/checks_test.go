package job

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// Every checker that stands for a check of the protocol is that check; one that stands for none is refused.
//
// Spec: sdk §9.3, §9.4; runner-marketplace §2.3.
func TestCheckersOfTheSDK(t *testing.T) {
	m := func(pairs ...any) (m cbor.Map) {
		for i := 0; i < len(pairs); i += 2 {
			m = append(m, cbor.Pair{Key: pairs[i], Value: pairs[i+1]})
		}
		return m
	}
	for name, c := range map[string]struct {
		check cbor.Map
		want  []chainjob.Check // nil: refused
	}{
		"exact_match":  {m("kind", "exact_match"), []chainjob.Check{{Kind: chainjob.CheckMajorityVote}}},
		"with a value": {m("kind", "exact_match", "value", "x"), nil},
		"majority_vote": {
			m("kind", "majority_vote", "field", "a", "threshold", cbor.Float(0x3fe0000000000000)),
			[]chainjob.Check{{Kind: chainjob.CheckMajorityVote, Field: "a"}},
		},
		"supermajority_vote": {
			m("kind", "supermajority_vote", "field", "a", "threshold", int64(1)),
			[]chainjob.Check{{Kind: chainjob.CheckMajorityVote, Field: "a"}},
		},
		"structured_match": {
			m("kind", "structured_match", "fields", []any{"a", "b"}),
			[]chainjob.Check{{Kind: chainjob.CheckStructuredMatch, Fields: []string{"a", "b"}}},
		},
		"json_schema_valid": {
			m("kind", "json_schema_valid", "schema", m("type", "object")),
			[]chainjob.Check{{Kind: chainjob.CheckJSONSchema, Schema: `{"type":"object"}`}},
		},
		"numeric_tolerance": {
			m("kind", "numeric_tolerance", "field", "a", "tolerance", int64(2)),
			[]chainjob.Check{{Kind: chainjob.CheckNumericTolerance, Field: "a", Tolerance: dec(t, "2")}},
		},
		"numeric_range": {
			m("kind", "numeric_range", "field", "a", "min_val", int64(1), "max_val", int64(3)),
			[]chainjob.Check{{Kind: chainjob.CheckNumericRange, Field: "a", Min: dec(t, "1"), Max: dec(t, "3")}},
		},
		"a range from below": {
			m("kind", "numeric_range", "field", "a", "max_val", int64(3)),
			[]chainjob.Check{{Kind: chainjob.CheckNumericRange, Field: "a", Min: dec(t, "-170141183460469231731687303715"), Max: dec(t, "3")}},
		},
		"custom_actor": {
			m("kind", "custom_actor", "actor_address", make([]byte, 20), "method", "judge", "args", nil),
			[]chainjob.Check{{Kind: chainjob.CheckCustom, Method: "judge"}},
		},
		"custom with an actor": {
			m("kind", "custom", "actor", make([]byte, 20), "method", "a"), []chainjob.Check{{Kind: chainjob.CheckCustom, Method: "a"}},
		},
		"custom_actor, arguments":  {m("kind", "custom_actor", "actor_address", make([]byte, 20), "method", "judge", "args", []any{int64(1)}), nil},
		"custom of nobody's, rule": {m("kind", "custom", "name", "rule", "arguments", m()), nil},
		"no_prompt_leak":           {m("kind", "no_prompt_leak"), []chainjob.Check{}},
		"http_status":              {m("kind", "http_status", "status", int64(200)), nil},
		"set_equality":             {m("kind", "set_equality", "field", "a"), []chainjob.Check{{Kind: chainjob.CheckSetEquality, Field: "a"}}},
		"regex_match":              {m("kind", "regex_match", "pattern", "a"), []chainjob.Check{{Kind: chainjob.CheckRegex, Pattern: "a"}}},
		"contains_all": {
			m("kind", "contains_all", "substrings", []any{"a", "b"}), []chainjob.Check{{Kind: chainjob.CheckContainsAll, Texts: []string{"a", "b"}}},
		},
		"contains_none": {
			m("kind", "contains_none", "substrings", []any{"a"}), []chainjob.Check{{Kind: chainjob.CheckContainsNone, Texts: []string{"a"}}},
		},
		"length_bounds": {
			m("kind", "length_bounds", "min_len", int64(1), "max_len", int64(2)), []chainjob.Check{{Kind: chainjob.CheckLength, Least: 1, Most: 2}},
		},
		"entropy_check": {
			m("kind", "entropy_check", "min_entropy", cbor.Float(0x4000000000000000)), []chainjob.Check{{Kind: chainjob.CheckEntropy, Limit: dec(t, "2")}},
		},
		"semantic_similarity": {
			m("kind", "semantic_similarity", "threshold", cbor.Float(0x3fe0000000000000)),
			[]chainjob.Check{{Kind: chainjob.CheckSimilarity, Limit: dec(t, "0.5")}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			fields := m("job_type", "llm", "prompt", "x", "verification", m("mode", "majority_vote", "timeout_blocks", int64(9), "checks", []any{c.check}))
			s, err := specOf(&dispatcher.Job{Type: "llm", Fields: fields})
			if c.want == nil {
				if err == nil {
					t.Error("taken")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := s.Verification.Checks
			if len(got) != len(c.want) {
				t.Fatalf("%+v", got)
			}
			for i := range got {
				a := &chainjob.Spec{Verification: chainjob.Verification{Checks: got[i : i+1]}}
				b := &chainjob.Spec{Verification: chainjob.Verification{Checks: c.want}}
				if string(a.Append(nil)) != string(b.Append(nil)) {
					t.Errorf("%+v, want %+v", got[i], c.want[i])
				}
			}
		})
	}
}

func dec(t *testing.T, text string) chainjob.Decimal {
	t.Helper()
	d, err := chainjob.ParseDecimal(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
