package verify

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// full has every part an output may have.
func full() *Output {
	return &Output{
		Outcome: External, Done: 2, Total: 3, Data: []byte("data"), Usage: Usage{1, 2, 3, 4}, Timestamp: 5, TEE: []byte{6},
		Source: &Source{
			FetchedAt: 7, URL: "https://example.org", Status: 404, ResponseHash: digest.Hash{8}, Certificate: &digest.Hash{9},
			Headers: []Header{{"a", "b"}, {"c", "d"}},
		},
		Embedding: &Embedding{Wide: true, Values: []int16{-32768, 0, 32767}},
	}
}

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; runner-marketplace §2.6; WP-January "Source Attestation".
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Output": full().Append(nil), "Source": full().Source.Append(nil), "Embedding": full().Embedding.Append(nil),
	})
}

// Spec: WP §2.5; runner-marketplace §2.6, §14.
func TestOutputsAreReadAsTheyWereWritten(t *testing.T) {
	narrow := full()
	narrow.Embedding = &Embedding{Values: []int16{-128, 0, 127}}
	for name, o := range map[string]*Output{"full": full(), "narrow": narrow, "bare": {Data: []byte{}}} {
		t.Run(name, func(t *testing.T) {
			raw := o.Append(nil)
			if back, err := DecodeOutput(raw); err != nil || !reflect.DeepEqual(back, o) {
				t.Errorf("%+v %v", back, err)
			}
			text, err := json.Marshal(o)
			back := new(Output)
			if err == nil {
				err = json.Unmarshal(text, back)
			}
			if err != nil || !reflect.DeepEqual(back, o) {
				t.Errorf("%s: %+v %v", text, back, err)
			}
			for cut := range raw {
				if _, err := DecodeOutput(raw[:cut]); !errors.Is(err, ErrOutput) {
					t.Errorf("cut at %d: %v", cut, err)
				}
			}
		})
	}
}

// Spec: WP §5.4 (64 KiB); runner-marketplace §2.6.
func TestOutputsHaveBounds(t *testing.T) {
	overhead := len((&Output{Data: make([]byte, 60_000)}).Append(nil)) - 60_000
	sized := func(n int) *Output { return &Output{Data: make([]byte, n-overhead)} }
	many := func(n int) *Output { return &Output{Data: []byte{}, Embedding: &Embedding{Values: make([]int16, n)}} }
	for name, c := range map[string]struct {
		o  *Output
		ok bool
	}{
		"n-1 bytes": {sized(MaxOutputBytes - 1), true}, "n bytes": {sized(MaxOutputBytes), true}, "n+1 bytes": {sized(MaxOutputBytes + 1), false},
		"n-1 numbers": {many(MaxEmbedding - 1), true}, "n numbers": {many(MaxEmbedding), true}, "n+1 numbers": {many(MaxEmbedding + 1), false},
		"no numbers":              {many(0), false},
		"progress of a success":   {&Output{Done: 1, Total: 1}, false},
		"more done than there is": {&Output{Outcome: External, Done: 2, Total: 1}, false},
		"all done":                {&Output{Outcome: External, Done: 2, Total: 2}, true},
		"headers twice":           {&Output{Source: &Source{Headers: []Header{{"a", ""}, {"a", ""}}}}, false},
		"no such outcome":         {&Output{Outcome: outcomes}, false},
		"evidence of n bytes":     {&Output{TEE: make([]byte, MaxEvidenceBytes)}, true},
		"evidence of n+1 bytes":   {&Output{TEE: make([]byte, MaxEvidenceBytes+1)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := DecodeOutput(c.o.Append(nil))
			if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrOutput) {
				t.Error(err)
			}
		})
	}
}

// A number of an embedding that one byte does not hold is not read back as it was given.
// Spec: runner-marketplace §14.
func TestJSONThatIsNoOutputIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"outcome": `{"outcome":"fine","data":"0x"}`, "digits": `{"outcome":"success","data":"0xz"}`, "type": `{"outcome":1}`,
		"progress": `{"outcome":"success","data":"0x","done":1,"total":1}`,
		"narrow":   `{"outcome":"success","data":"0x","embedding":{"wide":false,"values":[128]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := json.Unmarshal([]byte(text), new(Output)); !errors.Is(err, ErrOutput) {
				t.Error(err)
			}
		})
	}
}
