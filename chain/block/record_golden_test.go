package block

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	first := golden.Fill(&Header{})
	first.ParentSeed, first.ParentVotes, first.LateVotes = nil, nil, nil
	golden.Records(t, map[string][]byte{
		"Header":                          golden.Fill(&Header{}).Encode(),
		"Header without what is optional": first.Encode(),
		"Block": (&Block{Header: *golden.Fill(&Header{}),
			Txs: []*tx.Tx{golden.Fill(&tx.Tx{Instruction: golden.Fill(&tx.Transfer{})})}}).Encode(),
		"Receipt":        golden.Fill(&Receipt{}).Encode(),
		"Receipt record": golden.Fill(&Receipt{}).AppendRecord(nil),
	})
}
