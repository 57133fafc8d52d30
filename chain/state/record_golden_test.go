package state

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: commonware §5.2, §5.6, §5.7.
func TestGoldenRecords(t *testing.T) {
	records := map[string][]byte{
		"RangeProof":     golden.Fill(&RangeProof{}).Append(nil),
		"OperationProof": golden.Fill(&OperationProof{}).Append(nil),
		"Target":         golden.Fill(&Target{}).Append(nil),
		"Foundation":     golden.Fill(&Foundation{}).Append(nil),
	}
	for name, kind := range map[string]Kind{"Operation delete": Delete, "Operation update": Update, "Operation commit": CommitFloor} {
		records[name] = new(Config).AppendOperation(nil, golden.Fill(&Operation{Kind: kind}))
	}
	golden.Records(t, records)
}
