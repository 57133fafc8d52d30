package chapter

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// The handler a message names is found behind whatever else the map has, and nothing is found where there is none.
//
// Spec: sdk §7; storage-cbfs §3.1.
func TestHandlerOf(t *testing.T) {
	deep := any("x")
	for range 20 {
		deep = []any{deep, cbor.Map{{Key: "handler", Value: "inner"}}}
	}
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"alone":       {cbor.Map{{Key: "handler", Value: "go"}}, "go"},
		"behind":      {cbor.Map{{Key: "a", Value: deep}, {Key: "handler", Value: "go"}, {Key: "zzzzzzzzz", Value: deep}}, "go"},
		"within":      {cbor.Map{{Key: "a", Value: deep}}, ""},
		"no text":     {cbor.Map{{Key: "handler", Value: int64(7)}}, ""},
		"a key of 1":  {cbor.Map{{Key: int64(1), Value: "handler"}, {Key: "handler", Value: "go"}}, "go"},
		"a list":      {[]any{"handler", "go"}, ""},
		"a long one":  {cbor.Map{{Key: "a", Value: strings.Repeat("x", 5_000)}, {Key: "handler", Value: strings.Repeat("y", 300)}}, strings.Repeat("y", 300)},
		"too long":    {cbor.Map{{Key: "a", Value: strings.Repeat("x", MaxArguments)}, {Key: "handler", Value: "go"}}, ""},
		"octets":      {cbor.Map{{Key: "a", Value: []byte("handler")}, {Key: "handler", Value: "go"}}, "go"},
		"truth, none": {cbor.Map{{Key: "a", Value: true}, {Key: "b", Value: nil}, {Key: "handler", Value: "go"}}, "go"},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := cbor.Append(nil, c.value)
			if err != nil {
				t.Fatal(err)
			}
			if got := HandlerOf(raw); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 { // what a stranger sends ends, whatever it is
		raw := make([]byte, r.IntN(40))
		for i := range raw {
			raw[i] = byte(r.Uint32())
		}
		if len(raw) > 0 {
			raw[0] = 0xa0 | raw[0]&31
		}
		HandlerOf(raw)
	}
	if got := HandlerOf([]byte{0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}); got != "" {
		t.Error(got)
	}
}
