package volume

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; storage-cbfs §2.2.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Volume": golden.Fill(&Volume{}).Encode(), "Token": golden.Fill(&Token{}).Encode(), "Summary": golden.Fill(&Summary{}).Encode(),
		"Wrapped": golden.Fill(&Wrapped{}).Encode(), "Revocation": golden.Fill(&Revocation{}).Encode(),
	})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	v, k, s, x := golden.Fill(&Volume{}), golden.Fill(&Token{}), golden.Fill(&Summary{}), golden.Fill(&Wrapped{})
	e := golden.Fill(&Revocation{})
	for name, run := range map[string]func(cut int) (any, any, error){
		"volume":  func(cut int) (any, any, error) { b, err := Decode(cutOff(v.Encode(), cut)); return v, b, err },
		"token":   func(cut int) (any, any, error) { b, err := DecodeToken(cutOff(k.Encode(), cut)); return k, b, err },
		"summary": func(cut int) (any, any, error) { b, err := DecodeSummary(cutOff(s.Encode(), cut)); return s, b, err },
		"wrapped": func(cut int) (any, any, error) { b, err := DecodeWrapped(cutOff(x.Encode(), cut)); return x, b, err },
		"revocation": func(cut int) (any, any, error) {
			b, err := DecodeRevocation(cutOff(e.Encode(), cut))
			return e, b, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, back, err := run(0)
			if err != nil || !reflect.DeepEqual(back, want) {
				t.Errorf("%+v %v", back, err)
			}
			if _, _, err := run(1); err == nil {
				t.Error("it is read without its last byte")
			}
		})
	}
}

func cutOff(raw []byte, n int) []byte { return raw[:len(raw)-n] }
