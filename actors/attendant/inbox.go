package attendant

import (
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// inboxCapacity bounds the frames of all peers that wait.
	inboxCapacity = 1024
	// peerCapacity bounds the frames of one peer that wait.
	peerCapacity = 64
)

type (
	final   struct{}
	accused struct{ evidence *simplex.Evidence }
)

// Status is where the duties stand.
type Status struct {
	// Epoch is what the ceremony under way makes the key for; zero: there is none.
	Epoch uint64
	// Dealers and Players take part in it, Required logs complete it, Logs are on chain.
	Dealers, Players, Required, Logs int
	// Dealer and Player say whether this node deals and plays. Silent players have not answered its deal; Held deals are its own.
	Dealer, Player bool
	Silent, Held   int
	// Mute says that this node cannot post a log: it has no account.
	Mute bool
	// Unpaid says that the account cannot pay for the transaction this node wants to send now.
	Unpaid bool
	// Charges is how much evidence waits for the chain.
	Charges int
}

// Handle is how others use the attendant.
type Handle struct {
	*link.Intake
	inbox  *supervision.Inbox
	status atomic.Pointer[Status]
	woken  atomic.Bool // a final is in the inbox
}

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle {
	inbox := supervision.NewInbox("attendant", inboxCapacity)
	h := &Handle{Intake: link.NewIntake(inbox, peerCapacity), inbox: inbox}
	h.status.Store(&Status{})
	return h
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Status is where the duties stand. It may be called from any goroutine.
func (h *Handle) Status() Status { return *h.status.Load() }

// Finalized tells of a durable block; it is a ledger.Subscriber. However many come, one command waits.
func (h *Handle) Finalized(*ledger.Final) { h.wake() }

func (h *Handle) wake() {
	if !h.woken.Swap(true) {
		h.inbox.Reply(final{})
	}
}

// Accuse hands over evidence of misbehaviour, which holds.
func (h *Handle) Accuse(e *simplex.Evidence) { h.inbox.Reply(accused{e}) }
