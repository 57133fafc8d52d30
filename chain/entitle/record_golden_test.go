package entitle

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of a stored manifest: one that changes is a change of protocol.
// Spec: ENT §3.3; WP §2.5.
func TestGoldenRecords(t *testing.T) {
	m, err := Parse([]byte(`[{"id":"econ.hold_balance"},{"id":"econ.transfer","params":{"max_amount":1001}}]`))
	if err != nil {
		t.Fatal(err)
	}
	golden.Records(t, map[string][]byte{"Manifest": m.Encode()})
}
