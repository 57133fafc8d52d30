package simplex

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Message is what validators send each other: *Propose, *Vote, *NewView, *Certificate, *Request, *Response or *Accusation. Messages are not changed once made.
type Message interface{ message() }

// Vote is a vote to notarize or to commit (finalize) a block, with the voter's part of the round's seed.
// Spec: WP §6.1 (VOTE); commonware §3.6, §3.7.
type Vote struct {
	Kind      sig.CertificateKind // Notarization or Finalization
	Subject   sig.Subject
	Signer    uint32 // rank
	Signature sig.BLSSignature
	Partial   sig.BLSSignature // over the seed's preimage, by the signer's share
	Half      *Half            // only with Notarization; nil if withheld
}

// Half is the commit half for the direct parent of the block a vote is about: the same signature as an explicit vote to commit the parent.
// Spec: commonware §3.8 (2).
type Half struct {
	Parent    sig.Subject
	Signature sig.BLSSignature
}

// NewView is a vote to give up a round, with the highest certificate its signer knows.
// Spec: WP §6.1 (NEW_VIEW); commonware §3.6, §3.7.
type NewView struct {
	Round     sig.Round
	Signer    uint32
	Signature sig.BLSSignature // over the nullify preimage
	Partial   sig.BLSSignature
	Highest   *sig.Certificate // notarization or finalization; nil when the anchor is the highest
	HighestQC sig.BLSSignature // over the highest-QC preimage: makes the attachment the signer's word
}

// Propose is a block and its leader's vote to notarize it. Block is empty when the epoch's last block is proposed again. Ref is not on the
// wire; decoding computes it.
// Spec: WP §6.1 (PROPOSE); commonware §3.6.
type Propose struct {
	Vote  Vote
	Block []byte
	Ref   BlockRef
	// Spoilt says that the bytes that came are not the body the block's header commits to. It is not on the wire: whoever decodes the block sets it.
	Spoilt bool
}

// Certificate is a quorum's word on its way. With a notarization there may be, in Under, a finalization of an earlier view: both are verified together for
// little more than one of them costs.
type Certificate struct {
	*sig.Certificate
	Under *sig.Certificate
}

// Request asks for what the receiver knows about views, ascending, at most MaxRequestViews.
// Spec: commonware §2.2, §3.4 (resolver).
type Request struct {
	ID    uint64
	Views []uint64
}

// Response answers a request. Its certificates may be about later views than those asked for.
// Spec: commonware §3.4.
type Response struct {
	ID           uint64
	Certificates []*sig.Certificate
}

// Bounds of a request and its response.
const (
	MaxRequestViews         = 32
	MaxResponseCertificates = 2*MaxRequestViews + 1
)

func (*Propose) message()     {}
func (*Vote) message()        {}
func (*NewView) message()     {}
func (*Certificate) message() {}
func (*Request) message()     {}
func (*Response) message()    {}
func (*Accusation) message()  {}

// Preimage is what the vote's Signature is over.
func (v *Vote) Preimage(n sig.Namespace) []byte {
	return (&Statement{Kind: v.Kind, Subject: v.Subject}).Preimage(n)
}

// HighestQCPreimage is what HighestQC is over; anchor is the block the epoch builds on, which stands in view 0.
// Spec: commonware §3.7.
func (m *NewView) HighestQCPreimage(n sig.Namespace, anchor digest.Hash) []byte {
	if m.Highest == nil {
		return n.HighestQC(m.Round, sig.Round{Epoch: m.Round.Epoch}, anchor)
	}
	return n.HighestQC(m.Round, m.Highest.Subject.Round, m.Highest.Subject.BlockHash)
}

// Statement is one validator's signed word about a round: a vote without its seed part.
type Statement struct {
	Kind      sig.CertificateKind
	Subject   sig.Subject // only its Round for a Nullification
	Signature sig.BLSSignature
}

// Preimage is what the Signature is over. Spec: commonware §3.7.
func (s *Statement) Preimage(n sig.Namespace) []byte {
	c := sig.Certificate{Kind: s.Kind, Subject: s.Subject}
	return c.Preimage(n)
}
