package token

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; tokens §2.
func TestGoldenRecords(t *testing.T) {
	digest := golden.Fill(&Permit{}).Digest(7)
	golden.Records(t, map[string][]byte{
		"Token":         golden.Fill(&Token{}).Encode(),
		"Token minimal": (&Token{Name: "n", Symbol: "s"}).Encode(),
		"Permit digest": digest[:],
	})
}
