package proposer

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// withoutFalseEvidence leaves out the transactions with evidence that is known to be false. There is some only where more than f
// validators are faulty.
// Spec: WP "Slashing"; commonware §2.2 (verify before slashing).
func withoutFalseEvidence(offers []tx.Verified, untrue func(*simplex.Evidence) bool) []tx.Verified {
	if untrue == nil {
		return offers
	}
	return slices.DeleteFunc(offers, func(v tx.Verified) bool {
		in, ok := v.Tx().Instruction.(*tx.SubmitMisbehaviour)
		if !ok {
			return false
		}
		e, err := simplex.DecodeEvidence(in.Evidence)
		return err == nil && untrue(e)
	})
}
