package sig

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	signers := NewSigners(70)
	signers.Add(1)
	signers.Add(69)
	golden.Records(t, map[string][]byte{
		"Signers":     signers.Append(nil),
		"Votes":       golden.Fill(&Votes{Signers: signers}).Append(nil),
		"LateVotes":   golden.Fill(&LateVotes{Votes: Votes{Signers: signers}}).Append(nil),
		"Certificate": golden.Fill(&Certificate{Signers: signers}).Encode(),
		"Round":       golden.Fill(&Round{}).Append(nil),
		"Seed":        golden.Fill(&Seed{}).Append(nil),
		"Subject":     golden.Fill(&Subject{}).Append(nil),
	})
}
