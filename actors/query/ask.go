package query

import (
	"context"
	"net/netip"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// Told is what an execution left for people.
type Told struct {
	Failure *host.Failure // nil: it did not fail, or not in the code of an actor
	Missing *host.Missing // a handler it asked for in vain; nil
	Printed []host.Print
}

func (w *worker) told() Told { return Told{w.watch.Failure, w.watch.Missing, w.watch.Printed} }

// Answer is the outcome of a query.
type Answer struct {
	Outcome drain.Outcome
	Told
}

// Opening gives the state after a block, and the block's header. It is called in the place of who asks, since an old state costs undoing what came after.
type Opening func() (*block.Header, *state.Commit, error)

// Ask runs a handler on the state after a block. The question's limit of cycles is 0 for the usual one, and never above Limits.Most; cells are the most a
// transaction may have. Its Interrupt is the service's. An error of the opening is given as it is.
func (d *Service) Ask(ctx context.Context, client netip.Addr, open Opening, q host.Question) (Answer, error) {
	if q.Limit.Cycles == 0 {
		q.Limit.Cycles = d.limits.Cycles
	}
	q.Limit.Cycles, q.Limit.Cells = min(q.Limit.Cycles, d.limits.Most), params.MaxTxCells
	var a Answer
	var opening error
	err := d.queries.run(ctx, client, d.limits.Within, func(w *worker, i drain.Interrupt) error {
		header, commit, err := open()
		if err != nil {
			opening = err
			return nil
		}
		q.Interrupt = i
		a.Outcome, err = w.host.Ask(header, commit, q)
		a.Told = w.told()
		return err
	})
	if opening != nil {
		return Answer{}, opening
	}
	return a, err
}

// Tried is a transaction that was tried.
type Tried struct {
	*transition.Trial
	Told
}

// Try tries a transaction on the state after a block; now is the time, in milliseconds, that its block would have.
func (d *Service) Try(ctx context.Context, client netip.Addr, parent transition.Parent, t *tx.Tx, now time.Time) (Tried, error) {
	var r Tried
	err := d.queries.run(ctx, client, d.limits.Within, func(w *worker, i drain.Interrupt) (err error) {
		*w.watch = host.Watch{} // a transfer runs no turn, which would begin with this
		r.Trial, err = transition.Try(parent, t, uint64(max(now.UnixMilli(), 0)), w.host, i)
		r.Told = w.told()
		return err
	})
	return r, err
}

// kept is how many explanations are remembered: 16 MiB at most, since each has at most 64 KiB that was printed and as much that tells of a failure.
const kept = 128

// memory holds the newest explanations by what they explain.
type memory struct {
	recent.Table[digest.Hash, Told]
	turns recent.Table[executed, *Turn]
	costs recent.Table[asked, Costs]
}

// Explain executes a final block again, up to the execution with an identity, and gives what that left for people. What else failed in the block on the
// way is remembered with it.
func (d *Service) Explain(ctx context.Context, client netip.Addr, id digest.Hash, open func() (transition.Parent, *block.Block, error)) (Told, error) {
	if known, ok := d.memory.Find(id); ok {
		return known, nil
	}
	var found Told
	var opening error
	err := d.historian.run(ctx, client, d.limits.Replay, func(w *worker, i drain.Interrupt) error {
		parent, b, err := open()
		if err != nil {
			opening = err
			return nil
		}
		err = transition.Replay(parent, b, w.host, i, func(t *drain.Turn, o *drain.Outcome) bool {
			if t.ID == id {
				found = w.told()
			} else if o.Fault != nil {
				d.memory.Put(t.ID, w.told(), kept)
			}
			return t.ID == id
		})
		if err == nil {
			d.memory.Put(id, found, kept)
		}
		return err
	})
	if opening != nil {
		return Told{}, opening
	}
	return found, err
}
