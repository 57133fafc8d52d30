package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// round is what is known of one view.
type round struct {
	view uint64
	seed *sig.BLSSignature // of this view

	votes    [3]voteSet // by sig.CertificateKind; a nullify vote's subject has only its round
	partials voteSet    // of the seed; the subject is unused
	left     bool       // the certificate was put off
	alone    bool       // it is not any more
	reserved bool       // the commit was left to a vote for a child
	apart    bool       // votes, partials, claims or commits of the parent did not verify together
	ignored  map[uint32]bool
	accused  map[uint32]bool

	accusations []*Accusation // by accuser, each one's first; nil while there are none
	recorded    bool          // more than f of them agree: evidence was made of them, or they were disputed

	certificates [3]*sig.Certificate // by kind

	proposal    *proposal
	early       map[uint32]*proposal // by sender, while the leader is unknown
	building    bool                 // Build was asked and not answered
	overdue     bool                 // the leader's proposal was not here in time
	missed      bool                 // others voted for a proposal that was not here yet
	wanted      bool                 // it is asked for
	relayed     sig.Signers          // who was given the proposal
	equivocated bool                 // the leader signed two blocks, or one was certified that is not its proposal
	verdict     verdict              // on the notarized block
	link        *BlockRef            // of the notarized block, once known

	mine own
}

// own is what this validator decided in a view. It is journaled before it is signed and never changes once set.
type own struct {
	notarize *sig.Subject
	half     *sig.Subject // of the notarize vote
	nullify  bool
	why      Cause            // of nullify
	again    uint64           // how often nullify was repeated
	commit   *sig.Subject     // signed by an explicit vote or as a half
	explicit bool             // the commit was (also) an explicit vote
	signed   sig.BLSSignature // the commit's signature once known
	partial  sig.BLSSignature // of the view's seed, once known

	// As they were sent, once signed: for whoever was not there to hear them.
	notarized, committed *Vote
	gaveUp               *NewView
}

// verdict is what is known of a notarized block.
type verdict uint8

const (
	unasked verdict = iota
	asked
	good
	bad
)

// proposal is what a leader proposed.
type proposal struct {
	vote   Vote
	link   BlockRef
	status status
	spoilt bool    // the leader sent another body than the header's with it
	proven bool    // the leader's vote was verified
	claims []Claim // of a valid one, not seen to yet
}

// status is how far the examination of a proposal got.
type status uint8

const (
	waiting   status = iota // for its parent to be certified and the gap to be nullified
	checking                // Check was asked
	abandoned               // Check was answered with Unchecked
	valid
	sworn // voted for in an earlier life, its claims not known any more
	invalid
)

// again reports whether the epoch's last block is proposed again.
func (p *proposal) again() bool { return p.link.absent() }

// block is the certificate that says which block the view certified, or nil.
func (r *round) block() *sig.Certificate {
	if c := r.certificates[sig.Finalization]; c != nil {
		return c
	}
	return r.certificates[sig.Notarization]
}

func (r *round) nullified() bool { return r.certificates[sig.Nullification] != nil }

// certified reports whether the view's block can be built on.
func (r *round) certified() bool { return r.block() != nil && r.verdict == good }

// heard reports whether a vote's proposal is here already.
func (r *round) heard(v *Vote) bool {
	early := r.early[v.Signer]
	return r.proposal != nil && r.proposal.vote.Subject == v.Subject || early != nil && early.vote.Subject == v.Subject
}

// ignoreSigner drops everything a validator sent for the view and whatever it will send: its signatures do not verify.
func (r *round) ignoreSigner(signer uint32) {
	if r.ignored == nil {
		r.ignored = map[uint32]bool{}
	}
	r.ignored[signer] = true
	for kind := range r.votes {
		r.votes[kind].remove(signer)
	}
	r.partials.remove(signer)
	if r.accusations != nil {
		r.accusations[signer] = nil
	}
}

// release drops the votes of a view that no longer collects any.
func (r *round) release() {
	r.votes, r.partials, r.early = [3]voteSet{}, voteSet{}, nil
	r.ignored, r.accused, r.accusations = nil, nil, nil
	if r.proposal != nil {
		r.proposal.link.Header = nil
	}
}
