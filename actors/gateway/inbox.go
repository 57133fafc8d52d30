package gateway

import (
	"context"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity is how many requests wait to be sent.
const inboxCapacity = 1_024

// ErrBusy says that a request was not taken: too many wait, or the gateway stops.
var ErrBusy = errors.New("gateway: too many requests wait to be sent")

// dispatch asks for a request to be sent. It is answered once.
type dispatch struct {
	ctx      context.Context
	target   account.Address
	envelope []byte
	id       receipt.ID
	reply    chan<- error // has room for the answer
}

// beat asks for a heartbeat.
type beat struct{}

// Handle is how others reach the sender, over its restarts.
type Handle struct{ inbox *supervision.Inbox }

// NewHandle gives the handle of a sender that is to be started.
func NewHandle() *Handle { return &Handle{supervision.NewInbox("sender", inboxCapacity)} }

// Dispatch sends a request to an actor and waits until the node has the transaction. Errors: ErrBusy, the context's, and those of Node.
func (h *Handle) Dispatch(ctx context.Context, target account.Address, envelope []byte, id receipt.ID) error {
	reply := make(chan error, 1)
	if h.inbox.Send(dispatch{ctx, target, envelope, id, reply}) != supervision.Accepted {
		return ErrBusy
	}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
