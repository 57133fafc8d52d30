package receipt

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; gateway-payments-streams §C.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{"Receipt": golden.Fill(&Receipt{}).Append(nil)})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	for name, c := range map[string]Receipt{"filled": *golden.Fill(&Receipt{}), "without an envelope": {Status: Failed}} {
		t.Run(name, func(t *testing.T) {
			data := c.Append(nil)
			if back, err := Decode(data); err != nil || !reflect.DeepEqual(back, c) {
				t.Errorf("%+v %v", back, err)
			}
			for cut := range data {
				if _, err := Decode(data[:cut]); err == nil {
					t.Errorf("cut at %d it is read", cut)
				}
			}
		})
	}
}
