package route

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; gateway-payments-streams §A.1; storage-cbfs §3.2.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Binding": golden.Fill(&Binding{}).Append(nil), "Config": golden.Fill(&Config{}).Append(nil), "Static": golden.Fill(&Static{}).Append(nil),
		"Dynamic": golden.Fill(&Dynamic{}).Append(nil), "Manifest": golden.Fill(&Manifest{}).Append(nil),
		"Attachment": golden.Fill(&Attachment{}).Append(nil),
	})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	b := *golden.Fill(&Binding{})
	if back, err := DecodeBinding(b.Append(nil)); err != nil || back != b {
		t.Errorf("%+v %v", back, err)
	}
	if back, err := DecodeConfig(Genesis().Append(nil)); err != nil || back != Genesis() {
		t.Errorf("%+v %v", back, err)
	}
	a := *golden.Fill(&Attachment{})
	if back, err := DecodeAttachment(a.Append(nil)); err != nil || back != a {
		t.Errorf("%+v %v", back, err)
	}
	m := *golden.Fill(&Manifest{})
	data := m.Append(nil)
	if back, err := DecodeManifest(data); err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range data {
		if _, err := DecodeManifest(data[:cut]); err == nil {
			t.Errorf("cut at %d it is read", cut)
		}
	}
}
