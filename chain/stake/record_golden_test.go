package stake

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	voters := sig.NewSigners(70)
	voters.Add(3)
	voters.Add(69)
	golden.Records(t, map[string][]byte{
		"Validator":   golden.Fill(&Validator{}).Encode(),
		"EpochRecord": golden.Fill(&EpochRecord{}).encode(),
		"Ballot":      golden.Fill(&Ballot{Voters: voters}).encode(),
		"attendance":  (&attendance{missed: []uint16{1_001, 0, 1_002}}).encode(),
		"Weight":      (Weight{5, true}).encode(),
		"Weights":     (Weights{7, 3}).encode(),
		"Member list": appendMembers(nil, *golden.Fill(new([]Member))),
	})
}
