package causal

import (
	"context"
	"net/netip"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// What a trace goes through at most.
const (
	maxTrace       = 500 // executions
	maxTraceBlocks = 64  // that are executed again
	maxFires       = 16  // of one timer
	maxWakes       = 8   // fires that follow from each other
	maxPending     = 100 // things that have not happened yet

	maxHeld = 8 << 20 // bytes of blocks that are held at the same time; one may always be
)

// Block is a final block with what became of it. Nobody writes to it.
type Block struct {
	Block    *block.Block
	Hash     digest.Hash
	Size     int // what it takes, in bytes
	Receipts []*block.Receipt
}

// Source is what a trace is made from: the final blocks of a chain.
type Source interface {
	// Executions gives the receipts of what an identity names, oldest first; Caused those of what it led to. Both as index.Handle has them.
	Executions(id digest.Hash, limit int) ([]index.Place, error)
	Caused(id digest.Hash, limit int) ([]index.Place, error)
	Block(height unit.Height) (*Block, error)
	Receipt(p index.Place) (wire.Receipt, error)
	// Before gives a block with what it stands on.
	Before(height unit.Height) (transition.Parent, *block.Block, error)
}

// Question is for a trace.
type Question struct {
	Context context.Context
	Client  netip.Addr // who asks
	From    Source
	Service *query.Service // nil: nothing is executed again, so that parents and calls are not known
	State   state.Reader   // after a block that the source has: what is pending there is pending
	Prints  bool           // what actors printed may be seen
}

// Root finds what an identity goes back to: its receipt, and the name under which everything it led to is kept. ok is false where there is none.
func Root(from Source, hash digest.Hash) (origin digest.Hash, place index.Place, ok bool, err error) {
	for range 2 { // an execution, then its cause
		places, err := from.Executions(hash, 1)
		if err != nil || len(places) == 0 {
			return origin, place, false, err
		}
		place = places[0]
		b, err := from.Block(place.Height)
		if err != nil {
			return origin, place, false, err
		}
		x := b.Receipts[place.Index]
		switch {
		case x.Kind == block.Timer:
			return timer.Origin(x.ID, place.Height), place, true, nil
		case x.Cause == x.ID || x.Cause == (digest.Hash{}):
			return x.ID, place, true, nil
		}
		hash = x.Cause
	}
	return origin, place, false, nil
}

// Trace gives the tree of a root that Root found. It is settled where nothing of it is pending and nothing is left out.
func Trace(q Question, origin digest.Hash, root index.Place) (wire.Trace, error) {
	t := &tracer{Question: q, origin: origin, blocks: map[unit.Height]*Block{}, seen: map[index.Place]bool{}}
	if err := t.gather(root); err != nil {
		return wire.Trace{}, err
	}
	t.link()
	w, err := t.view()
	if err != nil {
		return wire.Trace{}, err
	}
	w.State = wire.TraceFinal
	if len(w.Pending) == 0 && w.Waiting == 0 && len(w.Stops) == 0 {
		w.State = wire.TraceSettled
	}
	return w, nil
}
