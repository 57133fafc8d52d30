package relay

import (
	"context"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Held is a slot that a relay has been given.
type Held struct {
	Volume digest.Hash
	Slot   uint8
}

// Chain is the chain as a relay sees it and sends to it. What the last five give is whether a node took the transaction; what became of it a later poll shows.
type Chain interface {
	reach.Source
	// Self tells of the relay itself, with its open challenges. Error: reach.ErrUnknown where it is not registered.
	Self(ctx context.Context) (*reach.Relay, error)
	// Held lists the slots of the relay.
	Held(ctx context.Context) ([]Held, error)

	Heartbeat(ctx context.Context) error
	Confirm(ctx context.Context, h Held, root digest.Hash) error
	Prove(ctx context.Context, challenge digest.Hash, p *cbfs.Proof) error
	Repair(ctx context.Context, h Held, version uint64) error
}
