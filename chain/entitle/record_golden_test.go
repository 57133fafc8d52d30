package entitle

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hashes of a stored manifest and a stored attestation: one that changes is a change of protocol.
// Spec: ENT §3.3, §5.1; WP §2.5.
func TestGoldenRecords(t *testing.T) {
	m, err := Parse([]byte(`[{"id":"econ.hold_balance"},{"id":"econ.transfer","params":{"max_amount":1001}}]`))
	if err != nil {
		t.Fatal(err)
	}
	a := &Attestation{
		Runner: account.Address{1}, Capabilities: *m, ValidFrom: 2, ValidUntil: 3, Evidence: &digest.Hash{4}, Signature: sig.Signature{5},
	}
	golden.Records(t, map[string][]byte{"Manifest": m.Encode(), "Attestation": a.Encode()})
}
