package replica

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/verifier"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Identity is which chain the node is on.
type Identity struct {
	ChainID uint64
	Genesis digest.Hash
	// Calendar is the network's epochs.
	Calendar params.Calendar
	// Rejoin says that the key was used before and its journal is lost: the node votes in no epoch that began before Started, the start of its
	// process.
	Rejoin  bool
	Started time.Time
}

// Services are the subsystems the replica asks.
type Services struct {
	Ledger  *ledger.Handle
	Verify  func(verifier.Verify) supervision.Delivery
	Execute func(executor.Execute) supervision.Delivery
	Propose func(Proposal) supervision.Delivery
	// Abandon takes a block back that the executor was asked for, and Withdraw a proposal of a round.
	Abandon  func(*executor.CancelToken)
	Withdraw func(sig.Round)
	// Seek asks for the final blocks up to a height that this node has not got; nil where there is nobody to ask.
	Seek func(unit.Height)
}

// Memory are shares of the node's memory.
type Memory struct {
	Candidates *budget.Account // of blocks that nobody asked for
	Finals     *budget.Account // of final blocks that wait for the ledger
}

// Subsystem is the supervised actor of one node's part in agreement.
type Subsystem struct {
	Handle     *Handle
	Identity   Identity
	Committees Committees
	Services   Services
	Link       link.Messenger
	Clock      supervision.Clock
	// Interval is the least time between two blocks.
	Interval time.Duration
	// Timeouts are the deadlines of rounds; zero means the recommended ones, stretched to the interval.
	Timeouts simplex.Timeouts
	// Last is the height at which the node is to stop: it proposes, votes for and keeps nothing above. 0: there is none.
	Last unit.Height
	// Rewards shares out inflation; nil gives all of it to the proposer.
	Rewards transition.Rewards
	// Disk holds the journal and nothing else.
	Disk disk.Disk
	// Memory is what blocks may take.
	Memory Memory
	// Accuse, if set, takes evidence of misbehaviour. It must only send a command.
	Accuse func(*simplex.Evidence)
	// BadProposal, if set, takes each proposal that this validator accuses its leader of. It must not wait.
	BadProposal func(*BadProposal)
	// Disputed, if set, is told of an accusation by more than f validators that this node knows to be false. It must not wait.
	Disputed func(*simplex.Accusation)
	// GaveUp, if set, is told of every view this validator gives up. It must not wait.
	GaveUp func(simplex.GaveUp)

	life      uint64
	state     *state
	journal   *journal
	keys      *keys
	events    []event // that are decided next
	deadlines map[uint64]supervision.Deadline
	running   map[uint64]*executor.CancelToken // executions
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.stop()
	case link.Delivered:
		s.Handle.Handled(command)
		s.decide(heard{command.From, command.Frame})
	case link.PeerUp:
		s.decide(connected{command.Peer})
	case link.PeerDown:
		s.decide(disconnected{command.Peer})
	case expired:
		s.passed(command.life, command.serial)
		s.decide(command)
	case due:
		s.passed(command.life, command.serial)
		s.decide(command)
	case overdue:
		s.passed(command.life, command.serial)
		s.decide(command)
	case awake:
		s.passed(command.life, command.serial)
		s.decide(command)
	case executed:
		if command.life == s.life {
			delete(s.running, command.run)
		}
		s.decide(command)
	case event:
		s.decide(command)
	}
}

// decide has an event decided and performs what is to be done, and what follows from its answers.
func (s *Subsystem) decide(e event) {
	s.events = append(s.events, e)
	for len(s.events) > 0 {
		e := s.events[0]
		s.events = s.events[1:]
		for _, x := range s.state.decide(s.Clock.Now(), e) {
			s.perform(x)
		}
	}
	if s.Handle.inbox.Tally().Depth == 0 {
		for _, x := range s.state.idle() {
			s.perform(x)
		}
	}
}

// must ends the node over a failure that is not to be restarted over.
func must(err error) {
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
}

// accepted holds that a question was accepted. Each subsystem asked has room for more questions than the replica can have out, so anything else is
// a bug.
func accepted(who string, d supervision.Delivery) {
	if d == supervision.Shed {
		panic(fmt.Sprintf("replica: %s shed a question", who))
	}
}

func (s *Subsystem) start() {
	s.life = s.Handle.lives.Add(1)
	s.deadlines, s.running = map[uint64]supervision.Deadline{}, map[uint64]*executor.CancelToken{}
	j, err := openJournal(s.Disk, s.Identity.Genesis)
	must(err)
	s.journal = j
	tip := s.Services.Ledger.Tip()
	seed, err := s.epochSeed(tip)
	must(err)
	s.state = newState(settings{
		life: s.life, identity: s.Identity, namespace: sig.NewNamespace(s.Identity.ChainID), interval: s.Interval, timeouts: s.Timeouts,
		candidates: s.Memory.Candidates.Limit(), finals: s.Memory.Finals.Limit(), seeks: s.Services.Seek != nil, last: s.Last,
	}, head{header: tip.Header, hash: tip.Hash, state: tip.State, epochSeed: seed}, s.Handle.Connected())
	s.decide(begun{})
}

func (s *Subsystem) stop() {
	for _, d := range s.deadlines { // order-free: each is stopped
		d.Stop()
	}
	if s.journal != nil {
		_ = s.journal.file.Close()
		s.journal = nil
	}
}

// passed forgets a deadline that has passed.
func (s *Subsystem) passed(life, serial uint64) {
	if life == s.life {
		delete(s.deadlines, serial)
	}
}
