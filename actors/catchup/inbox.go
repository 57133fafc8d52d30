package catchup

import (
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// inboxCapacity bounds the frames of all peers that wait.
	inboxCapacity = 128
	// peerCapacity bounds the frames of one peer that wait: more than both sides have requests out.
	peerCapacity = 16
)

type (
	seek  struct{ height unit.Height }
	final struct{ at place }
	look  struct{ life uint64 }
)

// Handle is how others use the catch-up.
type Handle struct {
	*link.Intake
	inbox  *supervision.Inbox
	lives  atomic.Uint64
	status atomic.Pointer[Status]
}

// Status is how far a node is behind and what it does about it.
type Status struct {
	Tip    unit.Height // newest durable block
	Target unit.Height // newest height others claimed; below Tip: none above
	// Snapshot says that a state is being fetched; Height is its block's, 0 while none is chosen, and Operations of Total are held.
	Snapshot          bool
	Height            unit.Height
	Operations, Total uint64
	// Trouble is why the last attempt to fetch a state stopped, "" if none did.
	Trouble string
}

// Status may be called from any goroutine.
func (h *Handle) Status() Status { return *h.status.Load() }

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle {
	inbox := supervision.NewInbox("catchup", inboxCapacity)
	h := &Handle{Intake: link.NewIntake(inbox, peerCapacity), inbox: inbox}
	h.status.Store(&Status{})
	return h
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Seek tells that there are final blocks up to a height that this node has not got.
func (h *Handle) Seek(height unit.Height) { h.inbox.Reply(seek{height}) }

// Finalized tells about a durable block; it is a ledger.Subscriber.
func (h *Handle) Finalized(f *ledger.Final) { h.inbox.Reply(final{place{f.Height(), f.Hash}}) }
