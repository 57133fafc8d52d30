package testkit

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// maxTold bounds the executions of which a chain remembers where they failed and what they printed.
const maxTold = 4_096

// attentive is a runner whose chain notes what turns leave for people.
type attentive struct {
	drain.Runner
	chain *Chain
}

// Run implements drain.Runner.
func (a *attentive) Run(t *drain.Turn) (drain.Outcome, error) {
	c := a.chain
	*c.watch = host.Watch{Profile: c.watch.Profile} // a turn of the chain's own begins nothing
	o, err := a.Runner.Run(t)
	if err == nil && (o.Fault != nil || len(c.watch.Printed) > 0) {
		if len(c.told) == maxTold {
			clear(c.told)
		}
		c.told[t.ID] = host.Watch{Failure: c.watch.Failure, Missing: c.watch.Missing, Printed: c.watch.Printed}
	}
	return o, err
}

// Failure tells where an execution failed, by the identity of its receipt; nil if it did not, or not in the code of an actor.
func (c *Chain) Failure(id digest.Hash) *host.Failure { return c.told[id].Failure }

// Printed gives what actors printed in an execution, those too whose calls failed.
func (c *Chain) Printed(id digest.Hash) []host.Print { return c.told[id].Printed }

// Asked tells where the last Query failed, what was printed in it, and which handlers there are if there was none of the name.
func (c *Chain) Asked() host.Watch {
	if c.asked == nil {
		return host.Watch{}
	}
	return *c.asked
}

// Profile has the cycles of everything that runs on the chain from now on counted by function and line, as host.Watch.Profile says; what it costs and what
// becomes of it is the same. Queries, which nobody pays for, are not counted. nil ends it. Forks go on with the profile of the chain they are of.
func (c *Chain) Profile(p *pvm.Profile) {
	if p == nil {
		c.watch.Profile = nil
		return
	}
	c.watch.Profile = func(*drain.Turn) *pvm.Profile { return p }
}
