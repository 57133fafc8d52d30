package replica

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

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

// Peers are the subsystems the replica asks.
type Peers struct {
	Ledger  *ledger.Handle
	Verify  func(verifier.Verify) supervision.Delivery
	Execute func(executor.Execute) supervision.Delivery
	Propose func(Proposal) supervision.Delivery
	// Abandon takes a block back that the executor was asked for, and Withdraw a proposal of a round.
	Abandon  func(*executor.Errand)
	Withdraw func(sig.Round)
	// Seek asks for the final blocks up to a height that this node has not got; nil where there is nobody to ask.
	Seek func(unit.Height)
}

// Subsystem is the supervised actor of one node's part in agreement.
type Subsystem struct {
	Handle     *Handle
	Identity   Identity
	Committees Committees
	Peers      Peers
	Link       link.Link
	Clock      supervision.Clock
	// Interval is the least time between two blocks.
	Interval time.Duration
	// Timeouts are the deadlines of rounds; zero means the recommended ones, stretched to the interval.
	Timeouts simplex.Timeouts
	// Rewards shares out inflation; nil gives all of it to the proposer.
	Rewards transition.Rewards
	// Disk holds the journal and nothing else.
	Disk disk.Disk
	// Accuse, if set, takes evidence of misbehaviour. It must only send a command.
	Accuse func(*simplex.Evidence)
	// Suspect, if set, takes each proposal that this validator accuses its leader of. It must not wait.
	Suspect func(*Suspect)
	// Disputed, if set, is told of an accusation by more than f validators that this node knows to be false. It must not wait.
	Disputed func(*simplex.Accusation)
	// GaveUp, if set, is told of every view this validator gives up. It must not wait.
	GaveUp func(simplex.GaveUp)

	life      uint64
	namespace sig.Namespace
	journal   *journal
	epoch     *epoch
	former    *former
	tree      tree
	loop      loop
	questions questions
	finals    finals
	peers     peers
	fetches   []*fetch
	asks      int // for blocks by hash, so far
	pacing    *timer
	timers    map[simplex.Timer]*timer
	serial    uint64
	entered   time.Time
	committed unit.Height
	durable   unit.Height
	early     []link.Delivered // of the next epoch
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.stop()
	case link.Delivered:
		s.Handle.Release(command.From)
		s.heard(command)
	case link.PeerUp:
		s.peerUp(command.Peer)
	case link.PeerDown:
		s.peers.remove(command.Peer)
	case Import:
		s.imported(command)
	case durable:
		s.stored(command.height)
	case ready:
		s.questions.asked = false
	case due:
		s.due(command)
	case expired:
		s.expired(command)
	case proposed:
		s.proposed(command)
	case recovered:
		s.recovered(command)
	case executed:
		s.executed(command)
	case overdue:
		s.overdue(command)
	case awake:
		s.questions.alarm = s.questions.alarm && command.life != s.life
	default:
		return
	}
	s.run()
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
	s.namespace = sig.NewNamespace(s.Identity.ChainID)
	s.timers = map[simplex.Timer]*timer{}
	j, err := openJournal(s.Disk, s.Identity.Genesis)
	must(err)
	s.journal = j
	tip := s.Peers.Ledger.Tip()
	s.durable, s.committed = tip.Header.Height, tip.Header.Height
	must(s.plant(tip))
	for _, p := range s.Handle.Connected() {
		s.peers.add(p)
	}
	s.begin(s.Identity.Calendar.Epoch(tip.Header.Height + 1))
	s.resume(tip)
}

func (s *Subsystem) stop() {
	for _, t := range s.timers {
		t.deadline.Stop()
	}
	if s.pacing != nil {
		s.pacing.deadline.Stop()
	}
	for _, f := range s.fetches {
		f.deadline.Stop()
	}
	if s.journal != nil {
		_ = s.journal.close()
		s.journal = nil
	}
}

// after sends the replica a command once d has passed.
func (s *Subsystem) after(d time.Duration, command any) supervision.Deadline {
	inbox := s.Handle.inbox
	return s.Clock.AfterFunc(d, func() { inbox.Reply(command) })
}
