package mailbox

import (
	"errors"
	"fmt"
)

// Rejects of this package.
var (
	ErrTarget       = errors.New("mailbox: no actor at the target address")
	ErrSize         = errors.New("mailbox: handler or payload is too long")
	ErrValue        = errors.New("mailbox: the sender's balance does not cover the coins of the message")
	ErrDuplicate    = errors.New("mailbox: message identity was seen before")
	ErrFanout       = errors.New("mailbox: origin has enqueued as many messages and timers as it may")
	ErrDepth        = errors.New("mailbox: chain of messages is too deep")
	ErrDeferredFull = errors.New("mailbox: actor has as many deferred calls pending as it may")
	ErrListFull     = errors.New("mailbox: the chain has as many deferred calls pending as it may")
)

// Full says that a message does not fit into its target's mailbox.
type Full struct {
	Held     uint64 // bytes already waiting
	Size     uint64 // bytes of the message
	Capacity uint64
}

func (e *Full) Error() string {
	return fmt.Sprintf("mailbox: %d bytes do not fit beside %d of %d", e.Size, e.Held, e.Capacity)
}
