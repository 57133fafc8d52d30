package model

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5, §5.1.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Record": golden.Fill(&Record{}).Encode(),
		"Marks":  Marks{*golden.Fill(&Marked{})}.Encode(),
	})
}
