package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// batches is the list of hooks that earlier emits left, as a block sees it.
type batches struct {
	before uint64 // places below it existed when the block began
	none   bool   // nothing waits, or 0x1D is paused
	places []uint64
}

// openBatches sees what waits when a block begins.
//
// Spec: gateway-payments-streams §H.2; governance-staking B7.
func openBatches(r state.Reader, height unit.Height) (b batches, err error) {
	c, err := event.LoadCounters(r)
	if err != nil || c.Waiting == 0 {
		return batches{none: true}, err
	}
	_, paused, err := govern.Paused(r, event.Home(), height)
	return batches{before: c.Batches, none: paused}, err
}

// load gives the drain the next batches. A batch runs as many of its hooks as there is room for, so that one hook has to fit.
func (b *batches) load(s *State, limit int) ([]drain.Item, bool, error) {
	if b.none {
		return nil, false, nil
	}
	var cursor *uint64
	if n := len(b.places); n > 0 {
		cursor = &b.places[n-1]
	}
	found, err := event.Pending(s.overlay, cursor, limit)
	if err != nil {
		return nil, false, err
	}
	items := make([]drain.Item, 0, len(found))
	cycles := drain.TurnCycles(s.block.Params.Limits.PerActorPerBlockCycles)
	for _, place := range found {
		if place >= b.before {
			return items, false, nil
		}
		items = append(items, drain.Item{Place: uint64(len(b.places)), Actor: event.Home(), Lane: params.LaneSystem, Limit: cycles})
		b.places = append(b.places, place)
	}
	return items, len(found) == limit, nil
}

// hooks leaves a batch running. Nobody's limit bounds it and nobody pays for it but the subscriptions.
//
// Spec: gateway-payments-streams §H.2 (deferred system transactions), §H.1 (triggered_by_emit).
func (s *State) hooks(e drain.Deliver) error {
	batch, err := event.LoadBatch(s.overlay, s.batches.places[e.Item.Place])
	if err != nil {
		return err
	}
	if batch == nil {
		s.dropped(e.Turn)
		return nil
	}
	turn := &drain.Turn{
		Number: e.Turn, Kind: block.Hooks, Native: true, Target: event.Home(), Sender: batch.Emitter, ID: batch.ID(), TxHash: batch.Origin.Tx,
		Origin: batch.Origin.Tx, Nonce: batch.Seq, Block: s.block, Overlay: s.overlay, Batch: batch,
	}
	s.running = &running{
		turn: turn, number: e.Turn, mark: s.overlay.Mark(), receipt: &block.Receipt{
			Kind: block.Hooks, ID: turn.ID, Cause: batch.Origin.Tx, Sender: batch.Emitter, Target: event.Home(), Emit: batch.Origin,
		},
	}
	return nil
}

// settleHooks takes from subscriptions what hooks of a turn have used, whatever became of the turn, and counts it towards the block.
//
// Spec: gateway-payments-streams §H.2 (a failure still costs its gas; cycles of hooks count towards the block).
func (s *State) settleHooks(o *drain.Outcome) (err error) {
	if len(o.Fires) == 0 {
		return nil
	}
	burned, err := event.Spend(s.overlay, o.Fires)
	if err != nil {
		return err
	}
	if s.burned, err = s.burned.Add(burned); err != nil {
		return err
	}
	s.flows.Add(flow.Burned, string(tx.ChapterEvent), burned)
	s.used, err = s.used.Add(o.Hooks)
	return err
}
