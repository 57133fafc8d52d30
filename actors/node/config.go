package node

import (
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/proposer"
	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Validator is what a validator signs with. The zero Validator is an observer: it follows and never votes.
type Validator struct {
	Vote beacon.Key // a *bls.PrivateKey, or a replica.Elsewhere: votes and header proofs; who it belongs to is the registry's to know
	// Share is the genesis dealer's, of the round seed; zero for who was not in the first set.
	Share bls.Share
	// Account sends the validator's transactions, dealer logs and evidence, and pays for them; nil: it sends none.
	Account *sig.PrivateKey
	// Rejoin says that the key was used before and its journal is lost: the node does not vote in epochs that began before it was made.
	Rejoin bool
}

// Config is what a node is made of.
type Config struct {
	Genesis   *genesis.Spec
	Validator Validator
	// Interval is the least time between two blocks.
	Interval time.Duration
	// Timeouts are the deadlines of rounds; zero means the recommended ones.
	Timeouts simplex.Timeouts
	// Link reaches the other nodes; nil means that there are none.
	Link link.Messenger
	// Committees stands between the registry's sets and the node, for simulations with other signatures; nil: nothing does.
	Committees func(*replica.Registered) replica.Committees
	// Accuse, if set, is told of evidence of misbehaviour, which the attendant brings to the chain. It must only send a command.
	Accuse func(*simplex.Evidence)
	// BadProposal, if set, takes each proposal that this validator accuses its leader of. It must not wait.
	BadProposal func(*replica.BadProposal)
	// Disputed, if set, is told of an accusation by more than f validators that this node knows to be false. It must not wait.
	Disputed func(*simplex.Accusation)
	// GaveUp, if set, is told of every view this validator gives up. It must not wait.
	GaveUp func(simplex.GaveUp)

	// Store holds the chain; the node closes it when it stops.
	Store ledger.Store
	// Snapshot is how many blocks behind the others a node fetches a state instead of blocks; 0: never.
	Snapshot unit.Height
	// Last is the height the node takes part in last; it goes on answering others. 0: there is none.
	Last unit.Height
	// Journal holds the validator's votes and nothing else.
	Journal disk.Disk
	// Shares holds the validator's shares of the round seeds and nothing else; only a node with a voting key needs it.
	Shares disk.Disk

	// NewRunner makes the Python side of one PVM worker, at its start and at every restart.
	NewRunner func() drain.Runner
	// Workers is the number of PVM workers, at least 1. One is enough to run; a second takes over at once when a turn is lost.
	Workers int
	// Recoverer recovers signers; nil means sig.Default().
	Recoverer sig.Recoverer
	// Cores is how many signatures are recovered at the same time.
	Cores int
	// Processor gives the processor time of the thread that calls it; nil: turns are measured by the clock alone.
	Processor func() time.Duration
	// Perform stands between the executor and a PVM worker, for simulations of slow ones; nil: nothing does.
	Perform func(executor.Performer) executor.Performer
	// Budget is how long a block may take to build; 0 means a fifth of the leader deadline.
	Budget time.Duration
	// Slow, if set, is told of every turn that took more than half of the budget, and Dropped of every transaction that did so alone in a block and was
	// dropped. They must not wait.
	Slow    func(executor.Slow)
	Dropped func(proposer.Drop)
	// Rewards shares out inflation; nil gives all of it to the proposer.
	Rewards transition.Rewards
	// Proposed, if set, is told of every block this node put together and how long that took. It must not wait.
	Proposed func(block digest.Hash, took time.Duration)
	// Pool bounds the mempool, within its share of Memory; the zero value means the network's limits.
	Pool lanes.Limits
	// Memory is divided among what others can fill; nil means the usual.
	Memory *budget.Budget
	// Evidence keeps what is known about a block that failed twice, before it is built without the turn that broke the machine, or the node halts.
	Evidence func(*executor.Evidence)

	// Runners is where this node takes the connections of runners; nil: it takes none, and keeps no invitations.
	Runners *push.Place

	// Network are the members of the network group that stand under Link; they start before the catch-up.
	Network []supervision.Spec
	// Intake adds members to the intake group, after the lanes.
	Intake func(*Node) []supervision.Spec

	// Restarts is the budget of each innermost group; the zero value means 10 in a minute. Core and intake have twice as many in ten
	// times the span: what keeps failing below must exhaust them rather than go on for ever.
	Restarts supervision.Limit
	// Backoff delays repeated restarts; the zero value means 10 ms to 2 s.
	Backoff supervision.Backoff
	// Supervision supplies clock, scheduler, seed and observers.
	Supervision supervision.Config
}

// defaultRestarts is the budget of a group: failures faster than this are no accident.
var defaultRestarts = supervision.Limit{Restarts: 10, Within: time.Minute}

// defaultBackoff lets the first failure in a row pass at once.
var defaultBackoff = supervision.Backoff{Initial: 10 * time.Millisecond, Max: 2 * time.Second}

func (c Config) withDefaults() Config {
	if c.Workers < 1 {
		c.Workers = 1
	}
	if c.Cores < 1 {
		c.Cores = 1
	}
	if c.Pool == (lanes.Limits{}) {
		c.Pool = lanes.DefaultLimits()
	}
	if c.Memory == nil {
		c.Memory, _ = budget.Divide(budget.Usual) // it is enough
	}
	c.Pool = c.Pool.Within(c.Memory.Of(budget.Pool).Limit())
	if c.Restarts == (supervision.Limit{}) {
		c.Restarts = defaultRestarts
	}
	if c.Backoff == (supervision.Backoff{}) {
		c.Backoff = defaultBackoff
	}
	if c.Link == nil {
		c.Link = link.Alone{}
	}
	if c.Supervision.Clock == nil {
		c.Supervision.Clock = supervision.RealClock{}
	}
	return c
}
