package mmr

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: commonware §5.6.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{"Proof": golden.Fill(&Proof{}).Append(nil)})
}
