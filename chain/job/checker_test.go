package job

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// decimalText is a Decimal from its text.
func decimalText(t *testing.T, text string) Decimal {
	t.Helper()
	d, err := ParseDecimal(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// before is a job up to its verification.
const before = `{"job_type":{"Http":{"url":"x"}},"bounds":{"max_wall_time_seconds":1},"verification":{`

// cborOf is the CBOR of a JSON text, with fractions as IEEE 754 doubles, as Python has them.
func cborOf(t *testing.T, text string) []byte {
	t.Helper()
	v, err := parseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := cbor.Append(nil, doubles(v))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func doubles(v any) any {
	switch v := v.(type) {
	case number:
		switch string(v) {
		case "0.5":
			return cbor.Float(0x3fe0000000000000)
		case "2.5":
			return cbor.Float(0x4004000000000000)
		}
	case cbor.Map:
		for i := range v {
			v[i].Value = doubles(v[i].Value)
		}
	case []any:
		for i := range v {
			v[i] = doubles(v[i])
		}
	}
	return v
}

// Every checker of the SDK and every parameter of a mode, as commands write it in JSON and the SDK in CBOR, is the check of the third column; its canonical
// bytes are read back to the same.
//
// Spec: WP-January "Verification Mode Details", "SDK Verifier Functions", "Extraction-Based Verification"; sdk §9.4; runner-marketplace §2.3, §2.4.
func TestCheckers(t *testing.T) {
	toolchain := strings.Repeat("11", 32)
	for text, want := range map[string]Check{
		`"checks":[{"fn":"exact_match"}]`:                                 {},
		`"checks":[{"kind":"majority_vote","field":"a","threshold":0.5}]`: {Field: "a"},
		`"checks":[{"type":"supermajority_vote","field":"a"}]`:            {Field: "a"},
		`"checks":[{"fn":"structured_match","fields":["a","b"]}]`:         {Kind: CheckStructuredMatch, Fields: []string{"a", "b"}},
		`"fields":["a","b"]`: {Kind: CheckStructuredMatch, Fields: []string{"a", "b"}},
		`"vote_field":"a"`:   {Field: "a"},
		`"checks":[{"fn":"json_schema_valid","schema":{"type":"object"}}]`: {
			Kind: CheckJSONSchema, Schema: `{"type":"object"}`,
		},
		`"checks":[{"fn":"json_schema_valid"}]`: {Kind: CheckJSONSchema, Schema: `{}`},
		`"checks":[{"kind":"field_exists","fields":["a"]}]`: {
			Kind: CheckJSONSchema, Schema: `{"required":["a"],"type":"object"}`,
		},
		`"checks":[{"fn":"numeric_tolerance","field":"a","tolerance":0.5}]`: {
			Kind: CheckNumericTolerance, Field: "a", Tolerance: decimalText(t, "0.5"),
		},
		`"checks":[{"fn":"numeric_range","field":"a","min":-1,"max":2.5}]`: {
			Kind: CheckNumericRange, Field: "a", Min: decimalText(t, "-1"), Max: decimalText(t, "2.5"),
		},
		`"checks":[{"kind":"numeric_range","field":"a","min_val":-1,"max_val":2.5}]`: {
			Kind: CheckNumericRange, Field: "a", Min: decimalText(t, "-1"), Max: decimalText(t, "2.5"),
		},
		`"checks":[{"fn":"set_equality","field":"a"}]`: {Kind: CheckSetEquality, Field: "a"},
		`"checks":[{"SetEquality":{"field":"a"}}]`:     {Kind: CheckSetEquality, Field: "a"},
		`"checks":[{"fn":"contains_all","substrings":["x","y"]}]`: {
			Kind: CheckContainsAll, Texts: []string{"x", "y"},
		},
		`"checks":[{"kind":"contains","substring":"x"}]`: {
			Kind: CheckContainsAll, Texts: []string{"x"},
		},
		`"checks":[{"fn":"contains_none","substrings":["x"]}]`: {
			Kind: CheckContainsNone, Texts: []string{"x"},
		},
		`"checks":[{"fn":"regex_match","pattern":"^a+$"}]`:  {Kind: CheckRegex, Pattern: "^a+$"},
		`"checks":[{"fn":"length_bounds","min":1,"max":9}]`: {Kind: CheckLength, Least: 1, Most: 9},
		`"checks":[{"kind":"length_bounds","min_len":1}]`: {
			Kind: CheckLength, Least: 1, Most: 65_536,
		},
		`"checks":[{"kind":"length_limit","max_len":9}]`: {Kind: CheckLength, Most: 9},
		`"objective_checks":["schema_valid",{"min_length":20},"no_prompt_leak"]`: {
			Kind: CheckLength, Least: 20, Most: 65_536,
		},
		`"checks":[{"fn":"no_prompt_leak"},{"kind":"not_empty"},{"fn":"entropy_check","min_entropy":2.5}]`: {
			Kind: CheckEntropy, Limit: decimalText(t, "2.5"),
		},
		`"checks":[{"fn":"semantic_similarity","threshold":0.5}]`: {
			Kind: CheckSimilarity, Limit: decimalText(t, "0.5"),
		},
		`"similarity_threshold":0.5,"embedding_model":"m"`: {
			Kind: CheckSimilarity, Limit: decimalText(t, "0.5"), Model: "m",
		},
		`"embedding_model":"m"`: {
			Kind: CheckSimilarity, Limit: decimalText(t, "0.85"), Model: "m",
		},
		`"bond_multiplier":2.5`: {
			Kind: CheckBond, Limit: decimalText(t, "2.5"),
		},
		`"inference_config":{"temperature":0,"seed":12345,"framework":"vllm@1","toolchain_digest":"` + toolchain + `"}`: {
			Kind: CheckInference, Inference: Inference{Seed: 12345, Framework: "vllm@1", Toolchain: [32]byte(bytes.Repeat([]byte{0x11}, 32))},
		},
		`"checks":[{"fn":"custom","actor":"0x0700000000000000000000000000000000000009","method":"m"}]`: {
			Kind: CheckCustom, Actor: somebody, Method: "m",
		},
	} {
		t.Run(text, func(t *testing.T) {
			whole := before + text + "}}"
			s, err := FromJSON([]byte(whole))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(s.Verification.Checks, []Check{want}) {
				t.Errorf("%+v\nwant %+v", s.Verification.Checks, want)
			}
			packed, err := FromCBOR(cborOf(t, whole))
			if err != nil || !bytes.Equal(packed.Append(nil), s.Append(nil)) {
				t.Errorf("in CBOR: %+v %v", packed, err)
			}
			agree(t, s)
		})
	}
}

// What no check stands for is refused, and so is an argument nobody asked for.
//
// Spec: sdk §9.4; runner-marketplace §2.3.
func TestNoCheckers(t *testing.T) {
	for name, text := range map[string]string{
		"a value to compare with": `"checks":[{"fn":"exact_match","value":"x"}]`,
		"a text to compare with":  `"checks":[{"fn":"semantic_similarity","reference":"x","threshold":0.5}]`,
		"a rule of nobody's":      `"checks":[{"fn":"custom","name":"x"}]`,
		"arguments of a method":   `"checks":[{"fn":"custom_actor","actor":"0x0700000000000000000000000000000000000009","method":"m","args":[1]}]`,
		"an argument too many":    `"checks":[{"fn":"majority_vote","field":"a","colour":1}]`,
		"no length at all":        `"checks":[{"fn":"length_bounds","min":2,"max":1}]`,
		"no entropy":              `"checks":[{"fn":"entropy_check"}]`,
		"nine bits a byte":        `"checks":[{"fn":"entropy_check","min_entropy":9}]`,
		"a cosine above one":      `"similarity_threshold":2.5`,
		"a bond of nothing":       `"bond_multiplier":0`,
		"an unknown objective":    `"objective_checks":["polite"]`,
		"33 checks":               `"vote_field":"a","checks":[` + strings.TrimSuffix(strings.Repeat(`{"fn":"exact_match"},`, MaxChecks), ",") + `]`,
	} {
		t.Run(name, func(t *testing.T) {
			if s, err := FromJSON([]byte(before + text + "}}")); !errors.Is(err, ErrSpec) {
				t.Errorf("%+v %v", s, err)
			}
		})
	}
}
