package query

import (
	"context"
	"net/netip"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// Turn is a turn of a final block as it was seen when it was executed again.
type Turn struct {
	Told
	Calls   []host.Call // never empty; the first is the turn's own
	Skipped int         // calls beyond those
	Job     Job         // that it took to the dispatcher, or the answer to which it delivered; zero for any other
}

// Job names a job of a developer's network.
type Job struct {
	Actor account.Address // who asked for it
	CID   string
}

// jobOf finds the job a turn has to do with.
func jobOf(t *drain.Turn) Job {
	home := account.System(account.JobDispatcher)
	if t.Kind != block.Message || t.Target != home && t.Sender != home {
		return Job{}
	}
	if t.Target == home {
		if j, err := dispatcher.Read(t.Sender, t.Block.Height, t.Payload.Data); err == nil {
			return Job{t.Sender, j.CID}
		}
		return Job{}
	}
	v, err := cbor.Parse(t.Payload.Data)
	if err != nil {
		return Job{}
	}
	fields, _ := v.(cbor.Map)
	cid, _ := fields.Lookup("cid")
	name, _ := cid.(string)
	return Job{t.Target, name}
}

// executed names a turn of one block: what a developer's chain takes back may be executed otherwise.
type executed struct{ block, turn digest.Hash }

// Execution names a turn among all there ever were: by its identity, and one of a timer, which may fire often, by that of the fire (timer.Origin).
func Execution(t *drain.Turn) digest.Hash {
	if t.Kind == block.Timer {
		return timer.Origin(t.ID, t.Block.Height)
	}
	return t.ID
}

// What is remembered of turns: 24 MiB at most.
const (
	keptTurns     = 1_024
	keptTurnBytes = 24 << 10 // larger turns are executed again
)

// Trace executes a final block again, as far as it has to, and gives those of its turns that are wanted, by their names (Execution). What the node did itself
// without a turn, such as a plain transfer, is not among them. at is the block's hash.
func (d *Service) Trace(
	ctx context.Context, client netip.Addr, at digest.Hash, want []digest.Hash, open func() (transition.Parent, *block.Block, error),
) (map[digest.Hash]*Turn, error) {
	found, missing := map[digest.Hash]*Turn{}, map[digest.Hash]bool{}
	for _, id := range want {
		if t, ok := d.memory.turns.Find(executed{at, id}); ok {
			found[id] = t
		} else {
			missing[id] = true
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	var opening error
	err := d.historian.run(ctx, client, d.limits.Replay, func(w *worker, i drain.Interrupt) error {
		parent, b, err := open()
		if err != nil {
			opening = err
			return nil
		}
		w.watch.Record = func(t *drain.Turn) bool { return missing[Execution(t)] }
		defer func() { w.watch.Record = nil }()
		return transition.Replay(parent, b, w.host, i, func(t *drain.Turn, _ *drain.Outcome) bool {
			id := Execution(t)
			if !missing[id] {
				return false
			}
			delete(missing, id)
			told := w.told()
			told.Printed = cut(told.Printed)
			turn := &Turn{told, w.watch.Calls, w.watch.Skipped, jobOf(t)}
			found[id] = turn
			if turn.size() <= keptTurnBytes {
				d.memory.turns.Put(executed{at, id}, turn, keptTurns)
			}
			return len(missing) == 0
		})
	})
	if opening != nil {
		return nil, opening
	}
	return found, err
}

// maxPrinted is how many bytes of what a turn printed a trace has: there are many turns in one.
const maxPrinted = 4 << 10

// cut keeps the head of what was printed.
func cut(list []host.Print) (kept []host.Print) {
	left := maxPrinted
	for _, p := range list {
		if left == 0 {
			return kept
		}
		p.Text = strings.Clone(p.Text[:min(len(p.Text), left)])
		left -= len(p.Text)
		kept = append(kept, p)
	}
	return kept
}

// size is about how many bytes of the heap a turn takes.
func (t *Turn) size() int {
	const each = 256 // of the fixed parts of a call, a message, a timer
	n := each
	for _, p := range t.Printed {
		n += len(p.Text)
	}
	for f := t.Failure; f != nil; f = f.Before {
		n += each + len(f.Text)
		for _, p := range f.Places {
			n += each + len(p.Source) + len(p.Function) + len(p.Marks)
		}
	}
	for i := range t.Calls {
		c := &t.Calls[i]
		n += each + len(c.Handler) + len(c.Args.Data) + len(c.Args.Text) + len(c.Result.Data) + len(c.Result.Text)
		n += each * (len(c.Sent) + len(c.Timers))
	}
	return n
}
