package simplex

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// voteSet collects, for one view and one kind of vote, at most one signature of each validator, unverified. The zero voteSet is empty.
type voteSet struct{ slots []slot }

type slot struct {
	subject   sig.Subject
	signature sig.BLSSignature
	filled    bool
}

// empty reports whether nobody's slot is filled.
func (v *voteSet) empty() bool {
	return !slices.ContainsFunc(v.slots, func(s slot) bool { return s.filled })
}

// of gives the validator's slot, or nil if it is empty.
func (v *voteSet) of(signer uint32) *slot {
	if v.slots == nil || !v.slots[signer].filled {
		return nil
	}
	return &v.slots[signer]
}

// put fills the validator's slot, which is empty, among n validators.
func (v *voteSet) put(n int, signer uint32, subject sig.Subject, signature sig.BLSSignature) {
	if v.slots == nil {
		v.slots = make([]slot, n)
	}
	v.slots[signer] = slot{subject: subject, signature: signature, filled: true}
}

func (v *voteSet) remove(signer uint32) {
	if v.slots != nil {
		v.slots[signer] = slot{}
	}
}

// about gives who signed a subject, ascending, and what.
func (v *voteSet) about(subject sig.Subject) (signers []uint32, signatures []sig.BLSSignature) {
	for i := range v.slots {
		if v.slots[i].filled && v.slots[i].subject == subject {
			signers = append(signers, uint32(i))
			signatures = append(signatures, v.slots[i].signature)
		}
	}
	return signers, signatures
}

// by gives what each of the signers signed, or nil if one of them did not sign the subject.
func (v *voteSet) by(signers []uint32, subject sig.Subject) (signatures []sig.BLSSignature) {
	for _, i := range signers {
		s := v.of(i)
		if s == nil || s.subject != subject {
			return nil
		}
		signatures = append(signatures, s.signature)
	}
	return signatures
}

// count is the number of validators that signed the subject.
func (v *voteSet) count(subject sig.Subject) int {
	n := 0
	for i := range v.slots {
		if v.slots[i].filled && v.slots[i].subject == subject {
			n++
		}
	}
	return n
}

// all gives every filled slot's signer, ascending, and signature.
func (v *voteSet) all() (signers []uint32, signatures []sig.BLSSignature) {
	for i := range v.slots {
		if v.slots[i].filled {
			signers = append(signers, uint32(i))
			signatures = append(signatures, v.slots[i].signature)
		}
	}
	return signers, signatures
}
