package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// Effect is one output of a State. The package comment says in which order effects may be performed.
type Effect interface{ effect() }

type (
	// Persist asks to append a record to the journal.
	Persist struct{ Record Record }
	// Forget lets the journal drop its records of views below View.
	Forget struct{ View uint64 }

	// SignVote asks for the signatures a vote lacks: those of Signature, Partial and Half.Signature that are zero. Signing the same vote again is safe.
	SignVote struct{ Vote *Vote }
	// SignNewView asks for Signature, HighestQC, and Partial if it is zero.
	SignNewView struct{ NewView *NewView }

	// SignAccusation asks for Signature. It is asked for once a view; the block is the one with the accusation's hash that was just found guilty.
	SignAccusation struct{ Accusation *Accusation }

	// Announce asks to send PROPOSE to every other validator, or to those in To if there are any: the vote and the block it is about; no block if Again.
	Announce struct {
		Vote  *Vote
		Again bool
		To    []uint32
	}
	// Broadcast asks to send a message to everybody: every other validator but those in Except, and whoever follows.
	Broadcast struct {
		Message Message
		Except  []uint32
	}
	// Send asks to send a message to one validator; To is Observer for whoever sent the event that is answered.
	Send struct {
		To      uint32
		Message Message
	}

	// Build asks for a block on a certified parent. Stalled are the views in a row before it that were nullified although their leader was waited for: what
	// their blocks held may have taken too long.
	Build struct {
		Round   sig.Round
		Parent  sig.Subject
		Seed    *sig.Seed // of the round before; nil in view 1
		Stalled uint64
	}
	// Check asks whether a proposed block is valid: its header's seed is Seed, it follows its parent, and it executes to its roots. The round,
	// height, parent and proposer of its header were checked.
	Check struct {
		Subject sig.Subject
		Ref     BlockRef
		Parent  sig.Subject
		Seed    *sig.Seed
	}
	// Certify asks whether a block with a notarization, not checked here, is here and can be built on. Whoever signed has the block.
	Certify struct {
		Subject sig.Subject
		Signers sig.Signers
	}

	// Arm asks for Expired after a delay.
	Arm struct {
		Timer Timer
		View  uint64
		Delay Millis
	}

	// Entered reports the current view and its leader.
	Entered struct {
		Round  sig.Round
		Leader uint32
	}
	// GaveUp reports that this validator votes to nullify the current view, and why. Lost are the views before it in a row that were nullified, at most
	// sixteen; Again is how often the vote was repeated since, because too few others have voted.
	GaveUp struct {
		Round  sig.Round
		Leader uint32
		Cause  Cause
		Lost   uint64
		Again  uint64
	}
	// Notarized reports a block's QC.
	Notarized struct{ Certificate *sig.Certificate }
	// Committed reports that a direct child of the block has a QC. It may still be dropped: nothing irreversible may rest on it.
	// Spec: WP §6.1; commonware §3.8 (4).
	Committed struct{ Subject sig.Subject }
	// Finalized reports that the block and all its ancestors are final. Spec: WP §6.1; commonware §3.8.
	Finalized struct{ Certificate *sig.Certificate }

	// Accuse reports a proof of misbehaviour that anybody can verify.
	Accuse struct{ Evidence *Evidence }
	// Disputed reports that more than f validators have accused the proposer of a block that this node found valid, or this validator itself: either more
	// than f are faulty or this node errs. It brings no evidence.
	Disputed struct{ Accusation *Accusation }
	// Blame reports a peer that sent what no honest one sends; its connection should be cut. Peer is Observer for the sender of the event.
	Blame struct {
		Peer   uint32
		Reason Reason
	}
	// Halt reports two certificates that cannot both exist with at most f faulty validators. The State does nothing any more.
	Halt struct{ First, Second *sig.Certificate }
)

func (Persist) effect()        {}
func (Forget) effect()         {}
func (SignVote) effect()       {}
func (SignNewView) effect()    {}
func (SignAccusation) effect() {}
func (Announce) effect()       {}
func (Broadcast) effect()      {}
func (Send) effect()           {}
func (Build) effect()          {}
func (Check) effect()          {}
func (Certify) effect()        {}
func (Arm) effect()            {}
func (Entered) effect()        {}
func (GaveUp) effect()         {}
func (Notarized) effect()      {}
func (Committed) effect()      {}
func (Finalized) effect()      {}
func (Accuse) effect()         {}
func (Disputed) effect()       {}
func (Blame) effect()          {}
func (Halt) effect()           {}

// Cause says why a view is given up.
type Cause uint8

// The causes.
const (
	NoProposal   Cause = iota // there was none until the leader deadline
	NotCertified              // there was no certificate until the certification deadline
	SilentLeader              // nothing was heard of the leader for the skip time
	AbsentLeader              // it let the last view it led pass, and took no part since
	TardyLeader               // it is on probation, and the patience ended
	LeaderGaveUp              // it gave the view up itself
	NoQuorum                  // too few are left that may vote for a block
	BadBlock                  // the proposal, or a block certified in the view, is not valid
	NoBlock                   // this validator leads and has no block to propose
	Earlier                   // it was given up before a restart
	Causes                    // their number
)

// String names the cause.
func (c Cause) String() string {
	if c >= Causes {
		return "unknown"
	}
	return [...]string{
		"no proposal", "not certified", "silent leader", "absent leader", "tardy leader", "leader gave up", "no quorum", "bad block", "no block", "earlier",
	}[c]
}

// Reason says what a peer is blamed for.
type Reason uint8

// The reasons. Spec: commonware §2.6.
const (
	BadSignature   Reason = iota // a vote, partial or naming that does not verify
	WrongSigner                  // a vote of somebody else, or of nobody
	BadCertificate               // a certificate that does not verify
	DoubleVote                   // two votes that exclude each other
	NotLeader                    // a proposal by a validator that does not lead the view
	BadProposal                  // a proposal no honest leader makes
	reasons
)

// String names the reason.
func (r Reason) String() string {
	if r >= reasons {
		return "unknown"
	}
	return [...]string{
		"bad signature", "wrong signer", "bad certificate", "double vote", "not the leader", "bad proposal",
	}[r]
}
