package replica

import (
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity is ample: everything in it answers a question of the replica's own.
const inboxCapacity = 64

// Proposal asks the proposer for a block. Reply is called once with a block that executed; it must only send a command.
type Proposal struct {
	// Header is complete but for roots, counts, basefees and use.
	Header block.Header
	Parent transition.Parent
	Reply  func(*transition.Result)
}

// The answers to the replica's questions.
type (
	due     struct{ round sig.Round }
	partial struct {
		round   sig.Round
		partial bls.Partial
	}
	proposed struct {
		round  sig.Round
		result *transition.Result
	}
	recovered struct {
		round sig.Round
		seed  sig.Seed
		err   error
	}
	executed struct{ executed executor.Executed }
	durable  struct{ height unit.Height }
	ready    struct{}
)

// Status is where agreement stands.
type Status struct {
	Round     sig.Round   // the current one
	Certified unit.Height // newest block with a certificate
	Committed unit.Height // newest block whose direct child has a certificate, or that is final
	Finalized unit.Height // newest final block
	Durable   unit.Height // newest final block on disk
	Since     time.Time   // when the round was entered
}

// Handle is how others use the replica.
type Handle struct {
	inbox  *supervision.Inbox
	status atomic.Pointer[Status]
}

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle {
	h := &Handle{inbox: supervision.NewInbox("replica", inboxCapacity)}
	h.status.Store(&Status{})
	return h
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Ready tells the replica that the proposer has started and knows of no question.
func (h *Handle) Ready() { h.inbox.Reply(ready{}) }

// Status is where agreement stands. It may be called from any goroutine.
func (h *Handle) Status() Status { return *h.status.Load() }
