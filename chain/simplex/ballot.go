package simplex

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// ballot collects, for one view and one kind of vote, at most one signature of each validator, unverified. The zero ballot is empty.
type ballot struct{ slots []slot }

type slot struct {
	subject   sig.Subject
	signature sig.BLSSignature
	filled    bool
}

// empty reports whether nobody's slot is filled.
func (b *ballot) empty() bool {
	return !slices.ContainsFunc(b.slots, func(s slot) bool { return s.filled })
}

// of gives the validator's slot, or nil if it is empty.
func (b *ballot) of(signer uint32) *slot {
	if b.slots == nil || !b.slots[signer].filled {
		return nil
	}
	return &b.slots[signer]
}

// put fills the validator's slot, which is empty, among n validators.
func (b *ballot) put(n int, signer uint32, subject sig.Subject, signature sig.BLSSignature) {
	if b.slots == nil {
		b.slots = make([]slot, n)
	}
	b.slots[signer] = slot{subject: subject, signature: signature, filled: true}
}

func (b *ballot) remove(signer uint32) {
	if b.slots != nil {
		b.slots[signer] = slot{}
	}
}

// about gives who signed a subject, ascending, and what.
func (b *ballot) about(subject sig.Subject) (signers []uint32, signatures []sig.BLSSignature) {
	for i := range b.slots {
		if b.slots[i].filled && b.slots[i].subject == subject {
			signers = append(signers, uint32(i))
			signatures = append(signatures, b.slots[i].signature)
		}
	}
	return signers, signatures
}

// by gives what each of the signers signed, or nil if one of them did not sign the subject.
func (b *ballot) by(signers []uint32, subject sig.Subject) (signatures []sig.BLSSignature) {
	for _, i := range signers {
		s := b.of(i)
		if s == nil || s.subject != subject {
			return nil
		}
		signatures = append(signatures, s.signature)
	}
	return signatures
}

// count is the number of validators that signed the subject.
func (b *ballot) count(subject sig.Subject) int {
	n := 0
	for i := range b.slots {
		if b.slots[i].filled && b.slots[i].subject == subject {
			n++
		}
	}
	return n
}

// all gives every filled slot's signer, ascending, and signature.
func (b *ballot) all() (signers []uint32, signatures []sig.BLSSignature) {
	for i := range b.slots {
		if b.slots[i].filled {
			signers = append(signers, uint32(i))
			signatures = append(signatures, b.slots[i].signature)
		}
	}
	return signers, signatures
}
