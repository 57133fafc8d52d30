package gateway

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; gateway-payments-streams §B.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Profile": golden.Fill(&Profile{}).Append(nil), "Epoch": golden.Fill(&Epoch{}).Append(nil), "Config": golden.Fill(&Config{}).Append(nil),
		"Pool": golden.Fill(&Pool{}).Append(nil),
	})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	p := *golden.Fill(&Profile{})
	data := p.Append(nil)
	if back, err := DecodeProfile(data); err != nil || !reflect.DeepEqual(back, p) {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range data {
		if _, err := DecodeProfile(data[:cut]); err == nil {
			t.Errorf("cut at %d it is read", cut)
		}
	}
	e := *golden.Fill(&Epoch{})
	if back, err := DecodeEpoch(e.Append(nil)); err != nil || !reflect.DeepEqual(back, e) {
		t.Errorf("%+v %v", back, err)
	}
	if back, err := DecodeConfig(Genesis().Append(nil)); err != nil || back != Genesis() {
		t.Errorf("%+v %v", back, err)
	}
	if back, err := DecodePool(GenesisPool().Append(nil)); err != nil || back != GenesisPool() {
		t.Errorf("%+v %v", back, err)
	}
}

// Parameters at their bounds.
//
// Spec: gateway-payments-streams §B.
func TestParameters(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		ok   bool
	}{
		"no stake":             {Config{0, 1, 1}.Append(nil), false},
		"the least":            {Config{1, 1, 0}.Append(nil), true},
		"no health":            {Config{1, 0, 1}.Append(nil), false},
		"most health":          {Config{1, 65_535, 1}.Append(nil), true},
		"more health than u16": {Config{1, 65_536, 1}.Append(nil), false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := DecodeConfig(c.data); (err == nil) != c.ok {
				t.Error(err)
			}
		})
	}
	for name, c := range map[string]struct {
		p  Pool
		ok bool
	}{
		"stake alone":           {Pool{10_000, 0, 600}, true},
		"a sum below the whole": {Pool{5_000, 4_999, 600}, false},
		"a sum above the whole": {Pool{5_000, 5_001, 600}, false},
		"the shortest epoch":    {Pool{5_000, 5_000, leastEpoch}, true},
		"a shorter one":         {Pool{5_000, 5_000, leastEpoch - 1}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := DecodePool(c.p.Append(nil)); (err == nil) != c.ok {
				t.Error(err)
			}
		})
	}
}
