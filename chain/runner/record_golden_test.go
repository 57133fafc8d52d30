package runner

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; runner-marketplace §2.5.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Bands":        golden.Fill(&Bands{}).Encode(),
		"Runner":       golden.Fill(&Runner{}).Encode(),
		"Declaration":  golden.Fill(&Declaration{}).Encode(),
		"RateCard":     golden.Fill(&RateCard{}).Append(nil),
		"Capabilities": golden.Fill(&Capabilities{}).Append(nil),

		"DelegationConfig": golden.Fill(&DelegationConfig{}).Encode(),
		"DelegationTerms":  golden.Fill(&DelegationTerms{}).Append(nil),
		"Tranche":          golden.Fill(&Tranche{}).Encode(),
		"Summary":          golden.Fill(&Summary{}).Encode(),
		"Totals":           golden.Fill(&Totals{}).Encode(),
	})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	r := golden.Fill(&Runner{})
	r.Status = Leaving
	back, err := Decode(r.Encode())
	if err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("%+v %v", back, err)
	}
	d := golden.Fill(&Declaration{})
	read, err := DecodeDeclaration(d.Encode())
	if err != nil || !reflect.DeepEqual(read, d) {
		t.Errorf("%+v %v", read, err)
	}
	for cut := range d.Encode() {
		if _, err := DecodeDeclaration(d.Encode()[:cut]); err == nil {
			t.Errorf("cut at %d it is read", cut)
		}
	}
	r.Reputation = reputationOne + 1
	if _, err := Decode(r.Encode()); err == nil {
		t.Error("more than the greatest reputation is read")
	}
}

// Spec: WP §2.5; governance-staking C1.
func TestRecordsOfDelegationAreReadAsTheyWereWritten(t *testing.T) {
	readBack(t, golden.Fill(&DelegationConfig{}), (*DelegationConfig).Encode, DecodeDelegationConfig)
	readBack(t, golden.Fill(&Tranche{}), (*Tranche).Encode, DecodeTranche)
	readBack(t, golden.Fill(&Summary{}), (*Summary).Encode, DecodeSummary)
	readBack(t, golden.Fill(&Totals{}), (*Totals).Encode, DecodeTotals)
}

func readBack[T any](t *testing.T, v *T, encode func(*T) []byte, decode func([]byte) (*T, error)) {
	t.Helper()
	raw := encode(v)
	if back, err := decode(raw); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range raw {
		if _, err := decode(raw[:cut]); err == nil {
			t.Errorf("%T cut at %d is read", v, cut)
		}
	}
	if _, err := decode(append(raw, 0)); err == nil {
		t.Errorf("%T with a byte more is read", v)
	}
}
