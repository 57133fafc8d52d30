package fee

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	SaveBasefees(s, Rates{Cycle: 1_001, Cell: 1_002})
	basefees, _, err := s.Lookup(BasefeeKey())
	if err != nil {
		t.Fatal(err)
	}
	golden.Records(t, map[string][]byte{"Supply": golden.Fill(&Supply{}).Encode(), "Rates": basefees})
}
