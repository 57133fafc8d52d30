package develop

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of what developers' calls of 0x09 carry.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"SetBalance": golden.Fill(&SetBalance{}).Encode(),
		"SetStorage": golden.Fill(&SetStorage{}).Encode(),
		"SetCode":    golden.Fill(&SetCode{}).Encode(),
		"Send":       golden.Fill(&Send{}).Encode(),
	})
}
