package testkit

import (
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/testkit/sequence"
	"github.com/cowboyinc/cowboy-go/testkit/shape"
)

// Invariant is what must hold after every block of a fuzzing. Check gives what is wrong, empty for nothing; it reads the chain and sends nothing.
type Invariant struct {
	Name  string
	Check func(c *Chain) string
}

// Finding is the shortest sequence of calls found after which an invariant does not hold.
type Finding struct {
	Invariant, Wrong string
	Calls            []string // by whom, handler, payload, coins in base units, blocks
}

// Fuzz calls the public handlers of an actor in sequences drawn from a seed, as two accounts alice and bob, until runs sequences were tried or
// every invariant broke. The chain is left as it was. A handler whose calls all fail, if there were enough of them, fails the test: the search has
// shown nothing of it.
func (c *Chain) Fuzz(actor account.Address, seed uint64, runs int, invariants ...Invariant) []Finding {
	c.t.Helper()
	source, ok, err := c.State().Lookup(host.CodeKey(c.Record(actor).CodeHash))
	if err != nil || !ok {
		c.t.Fatalf("%v is no actor: %v", actor, err)
	}
	handlers, err := shape.Handlers(source)
	if err != nil {
		c.t.Fatal(err)
	}
	people := map[string]*Account{"alice": c.Account("alice"), "bob": c.Account("bob")}
	s := &sequence.Space{
		Senders: []string{"alice", "bob"}, People: []string{people["alice"].Hex(), people["bob"].Hex(), actor.String()}, Rules: len(invariants),
		Mention: func(sender string) string { return people[sender].Hex() },
	}
	for _, h := range handlers {
		s.Targets = append(s.Targets, sequence.Target{Handler: h})
	}
	if len(s.Targets) == 0 {
		c.t.Fatalf("%v has no handler that anyone may call", actor)
	}
	start := c.Snapshot()
	var tally sequence.Tally
	_, found := sequence.Search(s, sequence.Options{Seed: seed, Runs: runs}, func(calls []sequence.Call, known func(int) bool) *sequence.Broken {
		c.Revert(start)
		sent := map[digest.Hash]string{}
		for i := range calls {
			k := &calls[i]
			in := &tx.Execute{To: actor, Handler: []byte(k.Handler), Payload: []byte(k.Payload.String()), Amount: unit.Amount(k.Coins)}
			sent[people[k.By].Send(in, ExecuteCycles, ExecuteCells)] = k.Handler
			for range k.Blocks {
				for _, x := range c.Mine().Receipts {
					if handler := sent[x.ID]; handler != "" && x.Kind == block.Transaction && !known(sequence.Shortening) {
						tally.Add(handler, x.Fault.Text)
					}
				}
			}
			for n, rule := range invariants {
				if k.Blocks == 0 || known(n) {
					continue
				}
				if wrong := rule.Check(c); wrong != "" {
					return &sequence.Broken{After: i + 1, Rule: n, Got: []string{wrong}}
				}
			}
		}
		return nil
	})
	c.Revert(start)
	if barren := tally.Barren(); barren != "" {
		c.t.Errorf("fuzzing: %s", barren)
	}
	list := make([]Finding, len(found))
	for i, f := range found {
		list[i] = Finding{Invariant: invariants[f.Rule].Name, Wrong: strings.Join(f.Got, "\n")}
		for _, k := range f.Calls {
			list[i].Calls = append(list[i].Calls, fmt.Sprintf("%s %s %q %d %d", k.By, k.Handler, k.Payload.String(), k.Coins, k.Blocks))
		}
	}
	return list
}
