package beacon

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity is above what a replica can have out: two questions per round.
const inboxCapacity = 64

// Contribute asks for this validator's partial signature over a round. Reply must only send a command.
type Contribute struct {
	Round sig.Round
	Reply func(bls.Partial)
}

// Recover asks for the seed of a round. Reply must only send a command; err is bls.ErrThreshold, bls.ErrSignature or bls.ErrVerify.
type Recover struct {
	Round    sig.Round
	Partials []bls.Partial
	Reply    func(seed sig.Seed, err error)
}

// Handle is how the replica asks the beacon.
type Handle struct{ inbox *supervision.Inbox }

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle { return &Handle{supervision.NewInbox("beacon", inboxCapacity)} }

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Contribute asks for a partial signature.
func (h *Handle) Contribute(c Contribute) supervision.Delivery { return h.inbox.Send(c) }

// Recover asks for a seed.
func (h *Handle) Recover(r Recover) supervision.Delivery { return h.inbox.Send(r) }
