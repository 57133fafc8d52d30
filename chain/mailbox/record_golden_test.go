package mailbox

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	golden.Fill(&Counters{}).save(s)
	counters, _, err := s.Lookup(countersKey)
	if err != nil {
		t.Fatal(err)
	}
	golden.Records(t, map[string][]byte{
		"Message":               golden.Fill(&Message{}).Encode(),
		"Message without coins": (&Message{Handler: "h", Payload: []byte{1}}).Encode(),
		"Deferred":              golden.Fill(&Deferred{}).Encode(),
		"Pool":                  golden.Fill(&Pool{}).Encode(),
		"Counters":              counters,
	})
}
