package verifier

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; runner-marketplace §8.1.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"crashLog": crashLog{1, 300, 70_000}.Encode(), "norm": (&norm{3, 70_000, unit.Uint128{Hi: 1, Lo: 300}}).Encode(),
	})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	key := account.KeyString(account.KindRecord, Home(), underCrashes)
	list := crashLog{1, 300, 70_000}
	overlay.Set(key, list.Encode())
	if back, err := loadCrashes(overlay, key); err != nil || !reflect.DeepEqual(back, list) {
		t.Errorf("%v %v", back, err)
	}
	for cut := range list.Encode() {
		overlay.Set(key, list.Encode()[:cut])
		if _, err := loadCrashes(overlay, key); err == nil {
			t.Errorf("cut at %d it is read", cut)
		}
	}
}
