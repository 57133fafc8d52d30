package wire

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// TestPlain: JSON reaches actors as canonical CBOR and is shown as the JSON it was; what has no encoding is refused. Spec: sdk §15.
func TestPlain(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `-1`, `9223372036854775807`, `9223372036854775808`, `"text <&> é"`, `[]`, `{}`, `[1,[2,{"a":null}]]`, `{"a":1,"b":{"c":[true,false]}}`,
	} {
		v, err := Plain(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		raw, err := cbor.Append(nil, v)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if back, err := cbor.Parse(raw); err != nil || string(JSON(back)) != strings.NewReplacer("<", `\u003c`, "&", `\u0026`, ">", `\u003e`).Replace(text) {
			t.Errorf("%s comes back as %s, %v", text, JSON(back), err)
		}
	}
	for text, why := range map[string]string{
		``: "not JSON", `{`: "not JSON", `Paris`: "not JSON", `1 2`: "something follows", `1.5`: "not an integer", `[1e400]`: "not an integer",
		`{"a":[0.1]}`: "not an integer",
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := Plain(text); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%q: %v", text, err)
			}
		})
	}
}

// TestJSON shows what JSON has no words for.
func TestJSON(t *testing.T) {
	for want, v := range map[string]any{
		`"0x0aff"`: []byte{0x0a, 0xff}, `1.5`: cbor.Float(math.Float64bits(1.5)), `"NaN"`: cbor.Float(0x7ff8000000000000),
		`"+Inf"`: cbor.Float(math.Float64bits(math.Inf(1))), `123456789012345678901`: bigNumber("123456789012345678901"),
		`{"1":"a","0x01":"b"}`: cbor.Map{{Key: int64(1), Value: "a"}, {Key: []byte{1}, Value: "b"}},
	} {
		t.Run(want, func(t *testing.T) {
			if got := string(JSON(v)); got != want {
				t.Errorf("%v: %s, want %s", v, got, want)
			}
		})
	}
}

func bigNumber(digits string) *big.Int {
	n, _ := new(big.Int).SetString(digits, 10)
	return n
}
