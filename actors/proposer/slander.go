package proposer

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// truthful leaves out the transactions with evidence that is known not to be true: more than f validators would have to be faulty for there to be any.
// Spec: WP "Slashing"; commonware §2.2 (verify before slashing).
func truthful(offers []tx.Verified, untrue func(*simplex.Evidence) bool) []tx.Verified {
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
