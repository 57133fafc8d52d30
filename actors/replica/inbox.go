package replica

import (
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// inboxCapacity bounds the frames of all peers that wait. Answers to the replica's own questions are never shed.
	inboxCapacity = 4096
	// peerCapacity bounds the frames of one peer that wait: it floods its own share only.
	peerCapacity = 256
)

// Proposal asks the proposer for a block. Reply is called once with a block that executed; it must only send a command.
type Proposal struct {
	// Header is complete but for roots, counts, basefees and use.
	Header block.Header
	Parent transition.Parent
	// Stalled are the views in a row before the block's own that were lost although their leader was waited for: what their blocks held may take too long.
	Stalled uint64
	Reply   func(*transition.Result) // nil: this validator may not propose
}

// Import hands over blocks that are final: consecutive ones, above what this node holds, and the finalization of the last.
type Import struct {
	Blocks       []Final
	Finalization *sig.Certificate
}

// Final is a block with its bytes and its hash. Its body is its header's.
type Final struct {
	Block *block.Block
	Hash  digest.Hash
	Raw   []byte
}

// BadProposal is a proposal that no honest leader makes.
type BadProposal struct {
	Accusation *simplex.Accusation // not signed yet
	Block      []byte              // empty where the leader's bytes were not the header's body
	Reason     string              // empty where the header alone tells
}

// Status is where agreement stands.
type Status struct {
	Round      sig.Round // the current one
	Leader     uint32    // its leader's rank
	Validators int
	Rank       uint32      // this node's, or simplex.Observer
	Certified  unit.Height // newest block with a certificate
	Committed  unit.Height // newest block whose direct child has a certificate, or that is final
	Finalized  unit.Height // newest block known to be final, here or not
	Durable    unit.Height // newest final block on disk
	Since      time.Time   // when the round was entered
	Lost       uint64      // views in a row, before the current one, without a certified block
	Peers      int         // connected
	Known      int         // of them, validators
	Met        []Met       // those, by identity; must not be changed
	Clocks     []Clock     // of leaders whose blocks this node was asked about, by rank; must not be changed
}

// Met is a connected peer that proved to be a validator of the epoch.
type Met struct {
	Peer link.Peer
	Rank uint32
}

// Handle is how others use the replica.
type Handle struct {
	*link.Intake
	inbox    *supervision.Inbox
	status   atomic.Pointer[Status]
	lives    atomic.Uint64
	counters counters
}

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle {
	inbox := supervision.NewInbox("replica", inboxCapacity)
	h := &Handle{Intake: link.NewIntake(inbox, peerCapacity), inbox: inbox}
	h.status.Store(&Status{})
	return h
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Ready tells the replica that the proposer has started and knows of no question.
func (h *Handle) Ready() { h.inbox.Reply(ready{}) }

// Hurry has the block of a height, and those below it that are still to come, proposed without waiting for the block interval. It is for networks of one
// validator, whose interval nobody else relies on.
func (h *Handle) Hurry(height unit.Height) { h.inbox.Reply(hurry{height}) }

// Pace makes another time the least one between two blocks, from the block on that is waited for. It is for networks of one validator, as Hurry is.
func (h *Handle) Pace(interval time.Duration) { h.inbox.Reply(pacer{interval}) }

// Status is where agreement stands. It may be called from any goroutine.
func (h *Handle) Status() Status { return *h.status.Load() }

// Import hands over final blocks. They were verified; the replica executes them. No flood of frames sheds them: the catch-up bounds what it hands over and is
// not durable.
func (h *Handle) Import(i Import) supervision.Delivery { return h.inbox.Reply(i) }
