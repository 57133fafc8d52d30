package push

import (
	"net/netip"
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// inboxCapacity is more than all connections and peers can have waiting.
	inboxCapacity = 2_048
	// peerCapacity bounds the frames of one peer that wait.
	peerCapacity = 64
)

// session names a connection, over restarts.
type session uint64

type (
	final   struct{}
	greeted struct { // by a runner: may it go on?
		from  netip.Addr
		hello *protocol.Hello
		reply chan welcome
	}
	joined struct { // a runner has shown who it is
		talk  *talk
		reply chan bool
	}
	said struct { // a frame of a runner, which has been verified
		session session
		message protocol.Message
		done    chan struct{}
	}
	answered struct { // what became of an assignment
		session session
		job     digest.Hash
		sending *sending
		ack     *protocol.Ack // nil where there is none
	}
	left struct{ session session }
)

// welcome is the answer to a Hello.
type welcome struct {
	height  uint64
	refused bool
	why     protocol.Reason
}

// Abandoned implements supervision.Abandoner.
func (g greeted) Abandoned(error) { g.reply <- welcome{refused: true, why: protocol.Stopping} }

// Abandoned implements supervision.Abandoner.
func (j joined) Abandoned(error) { j.reply <- false }

// Abandoned implements supervision.Abandoner.
func (s said) Abandoned(error) { close(s.done) }

// Status is what this node says of its runners.
type Status struct {
	Endpoint  string // where it takes connections; "" for nowhere
	Snapshot  uint64 // number of the set of validators; that of the start is 0
	Runners   int    // connected
	Present   int    // of them
	Waiting   int    // assignments without an answer
	Pushed    uint64 // assignments sent
	Accepted  uint64
	Duplicate uint64
	Rejected  uint64
	Silent    uint64 // assignments that were not answered in time
	Cancelled uint64
	Results   uint64                     // transactions taken
	Refused   map[protocol.Reason]uint64 // connections that ended for a reason
	Delays    [DelayBuckets]uint64       // assignments by the blocks between the draw and their sending: 0, 1, 2, 3 and more

	Invitations []*protocol.Invitation // known, ascending by voting key
}

// DelayBuckets is how many rows Status.Delays has.
const DelayBuckets = 4

// Handle is how others use the subsystem.
type Handle struct {
	*link.Intake
	inbox    *supervision.Inbox
	status   atomic.Pointer[Status]
	woken    atomic.Bool // a final is in the inbox
	sessions atomic.Uint64
	reports  reports
	bound    atomic.Pointer[netip.AddrPort] // what the first instance listened on
}

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle {
	inbox := supervision.NewInbox("push", inboxCapacity)
	h := &Handle{Intake: link.NewIntake(inbox, peerCapacity), inbox: inbox}
	h.Share(budget.NewAccount(1 << 20))
	h.status.Store(&Status{})
	return h
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Status is where things stand. It may be called from any goroutine; nobody may change what it gives.
func (h *Handle) Status() *Status { return h.status.Load() }

// Invitations are those this node knows.
func (h *Handle) Invitations() []*protocol.Invitation { return h.Status().Invitations }

// Finalized tells of a durable block; it is a ledger.Subscriber. However many come, one command waits.
func (h *Handle) Finalized(*ledger.Final) {
	if !h.woken.Swap(true) {
		h.inbox.Reply(final{})
	}
}
