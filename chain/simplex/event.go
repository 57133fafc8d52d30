package simplex

import "github.com/cowboyinc/cowboy-go/chain/sig"

// Event is one input of a State.
type Event interface{ event() }

type (
	// Received is a decoded message from an authenticated peer: a validator's rank in this epoch, or Observer.
	Received struct {
		From    uint32
		Message Message
	}
	// Built answers Build with the link of the block that was built.
	Built struct {
		Round sig.Round
		Ref   BlockRef
	}
	// Declined answers Build when there will be no block.
	Declined struct{ Round sig.Round }
	// Checked answers Check. Valid is a permanent verdict, the same on every honest node; unknown is no answer. Flaw is what the block itself, or what its
	// leader sent of it, is found guilty of; NoFlaw where it only stands on a bad one, or was not looked at to the end.
	Checked struct {
		Subject sig.Subject
		Valid   bool
		Claims  []Claim // what Valid takes for granted
		Flaw    Flaw    // NoFlaw if Valid
	}
	// Unchecked answers Check when the block is not looked at any longer: its view was given up or is over, so that no vote depends on it. Should it be
	// certified nevertheless, Certify asks for it.
	Unchecked struct{ Subject sig.Subject }
	// CertifiedBlock answers Certify: the block is here and can be built on, or never can. Ref is that of the block, Flaw as in Checked.
	CertifiedBlock struct {
		Subject sig.Subject
		Valid   bool
		Ref     BlockRef
		Flaw    Flaw
	}
	// VoteSigned answers SignVote with the same vote, signed.
	VoteSigned struct{ Vote *Vote }
	// NewViewSigned answers SignNewView with the same message, signed.
	NewViewSigned struct{ NewView *NewView }
	// AccusationSigned answers SignAccusation with the same accusation, signed.
	AccusationSigned struct{ Accusation *Accusation }
	// Met says that a validator can be reached, for the first time or again: what it may have missed is repeated to it.
	Met struct{ Peer uint32 }
	// Expired says that an armed deadline has passed.
	Expired struct {
		Timer Timer
		View  uint64 // as armed
	}
)

func (Received) event()         {}
func (Built) event()            {}
func (Declined) event()         {}
func (Checked) event()          {}
func (CertifiedBlock) event()   {}
func (VoteSigned) event()       {}
func (NewViewSigned) event()    {}
func (AccusationSigned) event() {}
func (Met) event()              {}
func (Expired) event()          {}
func (Unchecked) event()        {}

// Timer names a deadline. Arming one replaces the armed one of the same name.
type Timer uint8

// The deadlines. Spec: commonware §3.2.
const (
	LeaderTimer        Timer = iota // no proposal of the view's leader
	CertificationTimer              // no certificate of the view
	RetryTimer                      // repeat the nullify vote
	SkipTimer                       // rotate the record of who was active
	FetchTimer                      // a request went unanswered
	SettleTimer                     // finality was put off long enough
	PatienceTimer                   // no proposal of the view's leader in time
	RelayTimer                      // no proposal of the view's leader, but votes for it
	LeaveTimer                      // a certificate was put off long enough
	CommitTimer                     // there was no vote for a child to bring the commit
	TellTimer                       // by now the others have shown that they have a certificate, or are sent it
	timers
)

// String names the deadline.
func (t Timer) String() string {
	if t >= timers {
		return "unknown"
	}
	return [...]string{"leader", "certification", "retry", "skip", "fetch", "settle", "patience", "relay", "leave", "commit", "tell"}[t]
}
