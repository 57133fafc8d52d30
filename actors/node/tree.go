package node

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/attendant"
	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/catchup"
	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/proposer"
	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/system"
	"github.com/cowboyinc/cowboy-go/actors/timers"
	"github.com/cowboyinc/cowboy-go/actors/verifier"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// tree is the node as data. Order is start order; stops run backwards.
func (n *Node) tree() supervision.Spec {
	return supervision.Spec{
		Name: "node", Strategy: supervision.OneForOne, // no budget: every escalation halts
		Children: []supervision.Spec{n.core(), n.intake(), n.network()},
	}
}

func (n *Node) core() supervision.Spec {
	return n.outer("core", supervision.RestForOne,
		supervision.Spec{Name: "ledger", Inbox: n.Ledger.Inbox(), Drain: true, New: n.newLedger},
		n.timers(),
		n.system(),
		n.pvm(),
		supervision.Spec{Name: "executor", Inbox: n.executor.Inbox(), New: n.newExecutor},
		supervision.Spec{Name: "signatures", Inbox: n.signatures.Inbox(), New: n.newVerifier},
		supervision.Spec{Name: "replica", Inbox: n.Replica.Inbox(), New: n.newReplica},
		supervision.Spec{Name: "proposer", Inbox: n.proposer.Inbox(), New: n.newProposer},
	)
}

func (n *Node) intake() supervision.Spec {
	members := []supervision.Spec{
		{Name: "verifier", Inbox: n.verifier.Inbox(), New: n.newVerifier},
		n.lanes(),
		{Name: "attendant", Inbox: n.Attendant.Inbox(), New: n.newAttendant},
	}
	if n.config.Runners != nil {
		members = append(members, supervision.Spec{Name: "push", Inbox: n.Push.Inbox(), New: n.newPush, StopWithin: pushStop})
	}
	if n.config.Intake != nil {
		members = append(members, n.config.Intake(n)...)
	}
	return n.outer("intake", supervision.OneForOne, members...)
}

func (n *Node) network() supervision.Spec {
	members := append(n.config.Network[:len(n.config.Network):len(n.config.Network)],
		supervision.Spec{Name: "catchup", Inbox: n.Catchup.Inbox(), New: n.newCatchup})
	return n.outer("network", supervision.AllForOne, members...)
}

func (n *Node) lanes() supervision.Spec {
	members := []supervision.Spec{{Name: "router", Inbox: n.Lanes.Router(), New: n.newRouter}}
	for l := range params.LaneCount {
		members = append(members, supervision.Spec{Name: l.String(), Inbox: n.Lanes.Lane(l), New: n.newLane(l)})
	}
	return n.group("lanes", supervision.OneForOne, members...)
}

func (n *Node) timers() supervision.Spec {
	var members []supervision.Spec
	for t := range timers.TierCount {
		members = append(members, supervision.Spec{Name: t.String(), Inbox: n.Timers.Tier(t), New: n.newTier(t)})
	}
	return n.group("timers", supervision.OneForOne, members...)
}

func (n *Node) system() supervision.Spec {
	var members []supervision.Spec
	for _, h := range append(n.table[:len(n.table):len(n.table)], n.reserved) {
		members = append(members, supervision.Spec{
			Name: h.Name, Inbox: h.Inbox(), New: func() actor.Actor { return system.New() },
		})
	}
	return n.group("system", supervision.OneForOne, members...)
}

func (n *Node) pvm() supervision.Spec {
	var members []supervision.Spec
	for i, w := range n.workers {
		members = append(members, supervision.Spec{Name: fmt.Sprintf("worker-%d", i), Inbox: w.Inbox(), New: n.newWorker})
	}
	return n.group("pvm", supervision.OneForOne, members...)
}

func (n *Node) group(name string, strategy supervision.Strategy, members ...supervision.Spec) supervision.Spec {
	return supervision.Spec{
		Name: name, Strategy: strategy, Limit: n.config.Restarts, Backoff: n.config.Backoff, Children: members,
	}
}

func (n *Node) outer(name string, strategy supervision.Strategy, members ...supervision.Spec) supervision.Spec {
	g := n.group(name, strategy, members...)
	g.Limit = supervision.Limit{Restarts: 2 * g.Limit.Restarts, Within: 10 * g.Limit.Within}
	return g
}

func (n *Node) newLedger() actor.Actor {
	return &ledger.Subsystem{Handle: n.Ledger, Store: n.config.Store}
}

func (n *Node) newTier(t timers.Tier) func() actor.Actor {
	return func() actor.Actor { return &timers.Subsystem{Tier: t, Ledger: n.Ledger} }
}

func (n *Node) newWorker() actor.Actor {
	return &executor.Runs{Runner: n.config.NewRunner(), Processor: n.config.Processor}
}

func (n *Node) newExecutor() actor.Actor {
	return &executor.Subsystem{
		Handle: n.executor, Performers: &n.performers, Clock: n.config.Supervision.Clock, Slow: n.budget() / 2, Report: n.report, Evidence: n.config.Evidence,
	}
}

func (n *Node) newReplica() actor.Actor {
	return &replica.Subsystem{
		Handle: n.Replica, Identity: n.identity, Committees: n.committees, Link: n.config.Link, Clock: n.config.Supervision.Clock,
		Memory:   replica.Memory{Candidates: n.config.Memory.Of(budget.Candidates), Finals: n.config.Memory.Of(budget.Finals)},
		Interval: n.config.Interval, Timeouts: n.config.Timeouts, Rewards: n.config.Rewards, Disk: n.config.Journal, Accuse: n.accuse,
		Last:        n.config.Last,
		BadProposal: n.config.BadProposal, Disputed: n.config.Disputed, GaveUp: n.config.GaveUp,
		Services: replica.Services{
			Ledger: n.Ledger, Verify: n.signatures.Verify, Execute: n.executor.Execute, Propose: n.proposer.Propose,
			Abandon: n.executor.Abandon, Withdraw: n.proposer.Withdraw,
			Seek: n.Catchup.Seek,
		},
	}
}

func (n *Node) newProposer() actor.Actor {
	return &proposer.Subsystem{
		Handle: n.proposer, Replica: n.Replica, Lanes: n.Lanes, Executor: n.executor, Clock: n.config.Supervision.Clock,
		Rewards: n.config.Rewards, Proposed: n.config.Proposed, Budget: n.budget(), Dropped: n.config.Dropped, Untrue: n.untrue,
	}
}

// report passes on what the executor saw of a block.
func (n *Node) report(r executor.Report) {
	n.proposer.Learn(r)
	if n.config.Slow != nil {
		for i := range r.Slow {
			n.config.Slow(r.Slow[i])
		}
	}
}

// budget is how long a block may take to build: what the configuration says, or a fifth of the leader deadline. Then it is built and checked, one after the
// other, within the time from the block interval to the certification deadline, and comes before anybody's patience ends. Where nobody waits for anybody it is
// the whole deadline.
func (n *Node) budget() time.Duration {
	if n.config.Budget > 0 {
		return n.config.Budget
	}
	leader := time.Duration(replica.Deadlines(n.config.Timeouts, n.config.Interval).Leader) * time.Millisecond
	if len(n.config.Genesis.Validators) <= 1 {
		return leader
	}
	return leader / 5
}

// untrue reports whether evidence is of an invalid block that is final here: this node has executed it and knows better.
func (n *Node) untrue(e *simplex.Evidence) bool {
	f := e.Found
	if f == nil || f.Flaw != simplex.FlawedBlock {
		return false
	}
	if _, err := n.Ledger.HeightOf(e.First.Subject.BlockHash); err != nil {
		return false
	}
	if n.config.Disputed != nil {
		n.config.Disputed(&simplex.Accusation{Subject: e.First.Subject, Accused: e.Signer, Vote: e.First.Signature, Flaw: f.Flaw})
	}
	return true
}

func (n *Node) newCatchup() actor.Actor {
	return &catchup.Subsystem{
		Handle: n.Catchup, Ledger: n.Ledger, Replica: n.Replica, Committees: n.committees, Calendar: n.identity.Calendar,
		Link: n.config.Link, Clock: n.config.Supervision.Clock, Snapshot: n.config.Snapshot, Memory: n.config.Memory.Of(budget.Catchup),
	}
}

func (n *Node) newAttendant() actor.Actor {
	v := n.config.Validator
	return &attendant.Subsystem{
		Handle: n.Attendant, ChainID: n.identity.ChainID, Calendar: n.identity.Calendar, Vote: v.Vote, Account: v.Account, Shares: n.shares, First: v.Share,
		Ledger: n.Ledger, Submit: n.Lanes.Admit, Link: n.config.Link, Clock: n.config.Supervision.Clock,
	}
}

// pushStop is what the end of connections with runners may take.
const pushStop = 10 * time.Second

func (n *Node) newPush() actor.Actor {
	return &push.Subsystem{
		Handle: n.Push, ChainID: n.identity.ChainID, Vote: n.config.Validator.Vote, Place: *n.config.Runners,
		View: push.Tip(n.Ledger, n.identity.Calendar), Submit: n.Lanes.Admit, Link: n.config.Link,
		Clock: n.config.Supervision.Clock, Memory: n.config.Memory.Of(budget.Runners),
	}
}

// accuse takes evidence from the replica.
func (n *Node) accuse(e *simplex.Evidence) {
	n.Attendant.Accuse(e)
	if n.config.Accuse != nil {
		n.config.Accuse(e)
	}
}

func (n *Node) newVerifier() actor.Actor {
	return &verifier.Subsystem{ChainID: n.config.Genesis.ChainID, Cores: n.config.Cores, Recoverer: n.memory}
}

func (n *Node) newRouter() actor.Actor {
	return &lanes.Router{
		Handle: n.Lanes, Verifier: n.verifier, Ledger: n.Ledger, Limits: n.config.Pool, Memory: n.config.Memory.Of(budget.Pool), Link: n.config.Link,
	}
}

func (n *Node) newLane(l params.Lane) func() actor.Actor {
	return func() actor.Actor { return &lanes.Lane{Handle: n.Lanes, Lane: l} }
}
