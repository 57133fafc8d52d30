package container

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; gateway-payments-streams §I.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{"Image": golden.Fill(&Image{}).Append(nil), "Class": golden.Fill(&Class{}).Append(nil)})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	i := *golden.Fill(&Image{})
	if back, err := DecodeImage(i.Append(nil)); err != nil || !reflect.DeepEqual(back, i) {
		t.Errorf("%+v %v", back, err)
	}
	c := *golden.Fill(&Class{})
	if back, err := DecodeClass(c.Append(nil)); err != nil || back != c {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range i.Append(nil) {
		if _, err := DecodeImage(i.Append(nil)[:cut]); err == nil {
			t.Errorf("cut at %d it is read", cut)
		}
	}
}
