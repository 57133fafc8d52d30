package verifier

import (
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity bounds waiting batches.
const inboxCapacity = 1024

// Result is the outcome of one transaction: Err is a class of package tx, or supervision.ErrAbandoned.
type Result struct {
	Verified tx.Verified
	Err      error
}

// Verify asks for a batch to be verified. Reply is called once; it must only send a command.
type Verify struct {
	Txs   []*tx.Tx
	Reply func([]Result)
}

// Abandoned implements supervision.Abandoner.
func (v Verify) Abandoned(cause error) {
	results := make([]Result, len(v.Txs))
	for i := range results {
		results[i].Err = cause
	}
	v.Reply(results)
}

// Handle is how others use the verifier.
type Handle struct{ inbox *supervision.Inbox }

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle { return &Handle{supervision.NewInbox("verifier", inboxCapacity)} }

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Verify asks for a batch to be verified.
func (h *Handle) Verify(v Verify) supervision.Delivery { return h.inbox.Send(v) }
