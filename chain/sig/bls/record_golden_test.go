package bls

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	sharing, _, err := Deal([][]byte{bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32), bytes.Repeat([]byte{3}, 32)}, 4)
	if err != nil {
		t.Fatal(err)
	}
	golden.Records(t, map[string][]byte{"Sharing": sharing.Append(nil)})
}
