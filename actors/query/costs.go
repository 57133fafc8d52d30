package query

import (
	"context"
	"net/netip"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// Costs is where executions of an actor in one block used their cycles.
type Costs struct {
	Runs   int
	Total  int64         // cycles of those executions, without what is paid before they begin
	Source map[int]int64 // of which by line of the actor's source, with what the library used on its behalf
	Others int64         // of which in the handlers of other actors
}

// asked names the executions of an actor in a block, with the code whose lines are counted.
type asked struct {
	block digest.Hash
	actor account.Address
	file  string
}

// keptCosts is how many are remembered: of each a number for a line of a source.
const keptCosts = 256

// Costs executes a final block again, and adds up where the executions of an actor in it used their cycles. file is the name host.Profiled gives the actor's
// source, at the block's hash. Errors as Trace's.
func (d *Service) Costs(
	ctx context.Context, client netip.Addr, at digest.Hash, actor account.Address, file string, open func() (transition.Parent, *block.Block, error),
) (Costs, error) {
	key := asked{at, actor, file}
	if known, ok := d.memory.costs.Find(key); ok {
		return known, nil
	}
	c := Costs{Source: map[int]int64{}}
	profile := pvm.NewProfile()
	var opening error
	err := d.historian.run(ctx, client, d.limits.Replay, func(w *worker, i drain.Interrupt) error {
		parent, b, err := open()
		if err != nil {
			opening = err
			return nil
		}
		w.watch.Profile = func(t *drain.Turn) *pvm.Profile {
			if t.Target != actor {
				return nil
			}
			return profile
		}
		defer func() { w.watch.Profile = nil }()
		return transition.Replay(parent, b, w.host, i, func(t *drain.Turn, _ *drain.Outcome) bool {
			if t.Target == actor {
				c.Runs++
			}
			return false
		})
	})
	if opening != nil || err != nil {
		if opening != nil {
			err = opening
		}
		return Costs{}, err
	}
	c.Total = profile.Total()
	stacks := profile.Stacks()
	lines, _ := stacks.Caused(func(name string) bool { return name == file })
	for _, l := range lines {
		c.Source[l.Line] += l.Cycles
	}
	for _, h := range stacks.Handlers() {
		if h.File != file {
			c.Others += h.Self
		}
	}
	d.memory.costs.Put(key, c, keptCosts)
	return c, nil
}
