package light

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	calendar, err := params.NewCalendar(20)
	if err != nil {
		t.Fatal(err)
	}
	header, certificate := golden.Fill(&block.Header{}), golden.Fill(&sig.Certificate{})
	client := &Client{
		chainID: 1_001, calendar: calendar, set: *golden.Fill(&stake.Set{}), record: *golden.Fill(&stake.EpochRecord{}), head: Final{header: header},
	}
	golden.Records(t, map[string][]byte{
		"Client":              client.Encode(),
		"Client without head": client.Again().Encode(),
		"Entry":               golden.Fill(&Entry{}).Append(nil),
		"Handover":            golden.Fill(&Handover{}).Encode(),
		"Handover unchanged":  (&Handover{Record: *golden.Fill(&Entry{})}).Encode(),
		"Trust":               golden.Fill(&Trust{}).Encode(),
		"EpochProof":          (&EpochProof{Header: header, Certificate: certificate, Handover: golden.Fill(&Handover{})}).Encode(),
	})
}
