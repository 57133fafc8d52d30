package proposer

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Evidence that is known to be false is in no block of this node's; all else is, evidence of other blocks and what does not decode too.
// Spec: WP "Slashing"; commonware §2.2 (verify before slashing).
func TestFalseEvidenceIsLeftOut(t *testing.T) {
	submit := func(name byte, evidence []byte) tx.Verified {
		if evidence == nil {
			e := simplex.Evidence{Offence: simplex.InvalidProposal, Found: &simplex.Finding{Flaw: simplex.FlawedBlock, Signers: sig.NewSigners(4)}}
			e.First.Subject.BlockHash = digest.Hash{name}
			evidence = e.Encode()
		}
		x := &tx.Tx{ChainID: 1, Nonce: uint64(name), Instruction: &tx.SubmitMisbehaviour{Evidence: evidence}, From: person(1)}
		x.CyclesLimit, x.CellsLimit = x.Intrinsic().Cycles, x.Intrinsic().Cells
		copy(x.Signature[:], x.From[:])
		v, err := tx.Verify(x, 1, named{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	untrue := func(e *simplex.Evidence) bool { return e.First.Subject.BlockHash == digest.Hash{7} }
	offers := func() []tx.Verified {
		return []tx.Verified{transfer(t, 2, 5, 9_000), submit(6, nil), submit(7, nil), submit(8, []byte{1, 2, 3})}
	}
	left := withoutFalseEvidence(offers(), untrue)
	if len(left) != 3 || left[1].Tx().Nonce != 6 || left[2].Tx().Nonce != 8 {
		t.Errorf("%d of 4 are left", len(left))
	}
	if len(withoutFalseEvidence(offers(), nil)) != 4 {
		t.Error("who knows nothing leaves something out")
	}
}
