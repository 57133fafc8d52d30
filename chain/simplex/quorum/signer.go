package quorum

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Signer holds one validator's keys of one epoch. It signs whatever it is asked to: that a request is durable first is the caller's duty.
type Signer struct {
	Namespace sig.Namespace
	Key       *bls.PrivateKey
	Share     bls.Share
	Anchor    digest.Hash // the block the epoch builds on
	// Hashes, if set, remembers messages; whoever signs a vote soon verifies others over the same one.
	Hashes *bls.Hashes

	ahead struct { // a partial made before it was asked for
		round   sig.Round
		partial sig.BLSSignature
	}
}

// Prepare makes the partial of a round in advance. It is given away with a vote of the round and not before.
func (s *Signer) Prepare(r sig.Round) {
	if s.ahead.round != r {
		s.ahead.partial = s.partial(r)
		s.ahead.round = r
	}
}

// SignVote answers simplex.SignVote: it makes the signatures that are missing.
// Spec: WP §6.1 (VOTE); commonware §2.5 (every vote carries a partial), §3.7, §3.8 (2).
func (s *Signer) SignVote(request *simplex.Vote) *simplex.Vote {
	v := *request
	if v.Signature == (sig.BLSSignature{}) {
		v.Signature = s.Hashes.Sign(s.Key, v.Preimage(s.Namespace))
	}
	if v.Partial == (sig.BLSSignature{}) {
		v.Partial = s.partial(v.Subject.Round)
	}
	if h := request.Half; h != nil {
		half := *h
		if half.Signature == (sig.BLSSignature{}) {
			half.Signature = s.Hashes.Sign(s.Key, s.Namespace.Finalize(half.Parent))
		}
		v.Half = &half
	}
	return &v
}

// SignNewView answers simplex.SignNewView.
// Spec: WP §6.1 (NEW_VIEW); commonware §3.7.
func (s *Signer) SignNewView(request *simplex.NewView) *simplex.NewView {
	m := *request
	m.Signature = s.Hashes.Sign(s.Key, s.Namespace.Nullify(m.Round))
	if m.Partial == (sig.BLSSignature{}) {
		m.Partial = s.partial(m.Round)
	}
	m.HighestQC = s.Key.Sign(m.HighestQCPreimage(s.Namespace, s.Anchor))
	return &m
}

// SignAccusation answers simplex.SignAccusation.
// Spec: WP "Slashing" (invalid proposal); commonware §2.3.
func (s *Signer) SignAccusation(request *simplex.Accusation) *simplex.Accusation {
	a := *request
	a.Signature = s.Key.Sign(a.Preimage(s.Namespace))
	return &a
}

func (s *Signer) partial(r sig.Round) sig.BLSSignature {
	if s.ahead.round == r && s.ahead.partial != (sig.BLSSignature{}) {
		return s.ahead.partial
	}
	return s.Hashes.Sign(s.Share.Key, s.Namespace.Seed(r))
}
