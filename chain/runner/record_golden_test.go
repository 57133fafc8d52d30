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
		"Runner":       golden.Fill(&Runner{}).Encode(),
		"Declaration":  golden.Fill(&Declaration{}).Encode(),
		"RateCard":     golden.Fill(&RateCard{}).Append(nil),
		"Capabilities": golden.Fill(&Capabilities{}).Append(nil),
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
