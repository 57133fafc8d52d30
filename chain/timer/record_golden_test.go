package timer

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	golden.Fill(&Market{}).Save(s)
	golden.Fill(&Fairness{}).save(s)
	stored := func(key []byte) []byte {
		value, ok, err := s.Lookup(key)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		return value
	}
	golden.Records(t, map[string][]byte{
		"Timer":                 golden.Fill(&Timer{}).Encode(),
		"Timer without options": (&Timer{Handler: "h", Payload: []byte{1}}).Encode(),
		"Market":                stored(account.KeyString(account.KindChain, account.Address{}, nameMarket)),
		"Fairness":              stored(histogramKey()),
	})
}
