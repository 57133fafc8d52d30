package cbss

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; secrets-cbss §2, §3.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Envelope": golden.Fill(&Envelope{}).Append(nil), "SecretID": golden.Fill(&SecretID{}).Append(nil), "Identity": golden.Fill(&Identity{}).Bytes(),
		"Request": golden.Fill(&Request{}).Bytes(), "Answer": golden.Fill(&Answer{}).bytes(), "Deal": golden.Fill(&Deal{}).bytes(),
		"HiddenDeal": golden.Fill(&HiddenDeal{}).bytes(),
	})
}
