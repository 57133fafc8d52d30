package dispatcher

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of the state of developers' networks.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	golden.Fill(&counters{}).save(s)
	kept, _, err := s.Lookup(countersKey)
	if err != nil {
		t.Fatal(err)
	}
	golden.Records(t, map[string][]byte{
		"counters": kept,
		"Waiting":  golden.Fill(&Waiting{}).encode(),
		"Late":     golden.Fill(&Late{}).encode(),
		"Reply":    golden.Fill(&Reply{}).Append(nil),
		"Script":   golden.Fill(&Script{}).Append(nil),
		"Scope":    golden.Fill(&Scope{}).Append(nil),
		"ByHand":   golden.Fill(&ByHand{}).Append(nil),
	})
}
