package simplex

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	signers := sig.NewSigners(70)
	signers.Add(3)
	signers.Add(69)
	certificate := golden.Fill(&sig.Certificate{Signers: signers})
	vote := golden.Fill(&Vote{Kind: sig.Notarization})
	records := map[string][]byte{
		"Vote to finalize":      golden.Fill(&Vote{Kind: sig.Finalization}).append(nil),
		"Statement":             golden.Fill(&Statement{}).append(nil),
		"Finding":               golden.Fill(&Finding{Signers: signers}).append(nil),
		"BlockRef":              golden.Fill(&BlockRef{}).append(nil),
		"Evidence":              golden.Fill(&Evidence{Offence: DoubleNotarize}).Encode(),
		"Evidence of a finding": golden.Fill(&Evidence{Offence: InvalidProposal, Found: golden.Fill(&Finding{Signers: signers})}).Encode(),
		"Certificate alone":     Encode(&Certificate{Certificate: certificate}),
	}
	for name, m := range map[string]Message{
		"Propose":     &Propose{Vote: *vote, Block: []byte("a block")},
		"Vote":        vote,
		"NewView":     golden.Fill(&NewView{Highest: certificate}),
		"Certificate": &Certificate{Certificate: certificate, Under: certificate},
		"Request":     golden.Fill(&Request{}),
		"Response":    &Response{ID: 1_001, Certificates: []*sig.Certificate{certificate, certificate}},
		"Accusation":  golden.Fill(&Accusation{}),
	} {
		records[name] = Encode(m)
	}
	golden.Records(t, records)
}
