package runner

import (
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Commands of the dispatcher.
type (
	due   struct{} // the next poll
	heard struct { // the courier's answer to asking
		view View
		err  error
	}
	failed struct { // the courier could not do it
		act any
		err error
	}
	// brought is a result; whether it is in the journal is answered.
	brought struct {
		data  []byte
		reply chan bool
	}
	// opened is the question for the specification of a job that is at work in a queue; nil where it is not.
	opened struct {
		id    digest.Hash
		queue string
		reply chan []byte
	}
	// progressed is what a worker of a queue tells of how far it is.
	progressed struct {
		queue string
		data  []byte
	}
	// pushed is a job that a validator brings; what is made of it is answered when it is in the journal.
	pushed struct {
		assignment *protocol.Assignment
		reply      chan verdict
	}
	// handed is what an aggregator says to a reveal.
	handed struct {
		act  *handing
		says Reply
		err  error
	}
	// offering is a reveal of another runner; what is made of it is answered when it is in the journal.
	offering struct {
		offer *offer
		reply chan said
	}
	beaten struct{ accepting bool }      // a node took a heartbeat that says so
	hurry  struct{}                      // the chain has something new
	drain  struct{ reply chan struct{} } // closed when no job is open and the chain was told
	status struct{ reply chan Status }
)

// verdict is what is made of a job that is pushed.
type verdict struct {
	status protocol.AckStatus
	why    string // rejected
}

// said is what is made of a reveal of another runner.
type said struct {
	reply Reply
	why   string // declined, or early
}

// Abandoned implements supervision.Abandoner.
func (p pushed) Abandoned(error) { p.reply <- verdict{protocol.Rejected, "the dispatcher has failed"} }

// Abandoned implements supervision.Abandoner.
func (o offering) Abandoned(error) { o.reply <- said{Declined, "the dispatcher has failed"} }

// Abandoned implements supervision.Abandoner.
func (b brought) Abandoned(error) { b.reply <- false }

// Abandoned implements supervision.Abandoner.
func (o opened) Abandoned(error) { o.reply <- nil }

// Abandoned implements supervision.Abandoner: whoever drains asks again.
func (d drain) Abandoned(error) {}

// Abandoned implements supervision.Abandoner.
func (s status) Abandoned(error) { close(s.reply) }

// errand is the command of the courier: one of what leaves the dispatcher, or asking.
type errand struct {
	act  any
	from *supervision.Inbox
}

// asking is the question what the chain has.
type asking struct{ known []digest.Hash }

// Abandoned implements supervision.Abandoner: what came to nothing is done again.
func (e errand) Abandoned(cause error) {
	switch act := e.act.(type) {
	case asking:
		e.from.Reply(heard{err: cause})
		return
	case *handing:
		e.from.Reply(handed{act, Declined, cause})
		return
	}
	e.from.Reply(failed{e.act, cause})
}

// lost is a worker's end by itself.
type lost struct{ err error }

// Status is what a dispatcher says of itself.
type Status struct {
	Height   uint64   `json:"height"`
	Open     int      `json:"open"`
	Results  int      `json:"results"` // of the open ones
	Draining bool     `json:"draining"`
	Jobs     []string `json:"jobs"` // at most 100
	Polled   uint64   `json:"jobs_polled"`
	Pushed   uint64   `json:"jobs_pushed"` // since the start, as those that were polled
	// Promised counts the reveals of others that were taken to be posted, since the start.
	Promised uint64 `json:"reveals_promised"`
	// Working is how far workers are with those of Jobs that they have begun.
	Working []AtWork `json:"working"`
}

// AtWork is how far a worker is with a job.
type AtWork struct {
	Job      string `json:"job"`
	Fraction uint8  `json:"fraction"` // of a hundred
	Detail   string `json:"detail,omitempty"`
}
