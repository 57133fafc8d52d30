package beacon

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	sharing, shares, err := bls.Deal([][]byte{bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32), bytes.Repeat([]byte{3}, 32)}, 4)
	if err != nil {
		t.Fatal(err)
	}
	acks := sig.NewSigners(4)
	acks.Add(2)
	var signature sig.BLSSignature
	golden.Fill(&signature)
	golden.Records(t, map[string][]byte{
		"Deal": Deal{Dealer: 1_001, Commitment: sharing, Share: shares[1], Signature: signature}.Encode(),
		"Ack":  golden.Fill(&Ack{}).Encode(),
		"Log":  (&Log{Dealer: 1_001, Commitment: sharing, Acks: acks, Aggregate: signature, Reveals: shares[:2]}).Encode(),
	})
}
