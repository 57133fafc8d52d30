package proposer

import (
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// offerWithin is how long a proposal waits for the lanes.
const offerWithin = 100 * time.Millisecond

// brokenMost is how many transactions may break the machine before a round gets a block without any.
const brokenMost = 3

// Subsystem is the supervised actor that puts blocks together.
type Subsystem struct {
	Handle   *Handle
	Replica  *replica.Handle
	Lanes    *lanes.Handle
	Executor *executor.Handle
	Clock    supervision.Clock
	// Rewards shares out inflation; nil gives all of it to the proposer.
	Rewards transition.Rewards
	// Budget is how long a block may take to build, of which its transactions have what its other work leaves them; 0: as long as it takes.
	Budget time.Duration
	// Dropped, if set, is told of every transaction that was too slow alone in a block. It must not wait.
	Dropped func(Drop)
	// Untrue, if set, reports whether this node knows that evidence is not true. Such evidence is left out, and whoever knows it tells the operator.
	Untrue func(*simplex.Evidence) bool
	// Proposed, if set, is told of every block that was put together and how long that took. It must not wait.
	Proposed func(block digest.Hash, took time.Duration)

	experience experience
	work       *work
	began      time.Time // the work
	deadline   supervision.Deadline
}

// Drop is a transaction that was dropped because it was too slow.
type Drop struct {
	Height unit.Height // of the block it was tried for
	Tx     digest.Hash
	Sender account.Address
	Budget time.Duration // that it had for itself
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.Replica.Ready()
	case *actor.Stopping, *actor.Restarting:
		s.cancel()
	case propose:
		s.propose(command)
	case offered:
		s.offered(command)
	case late:
		s.late(command)
	case built:
		s.built(command)
	case withdraw:
		if s.work != nil && s.work.round() == command.round {
			s.cancel()
		}
	case learn:
		s.drop(s.experience.learn(command.report), command.report.Height)
	}
}

// propose begins a proposal. One of an earlier round is dropped; a question asked twice is answered once.
func (s *Subsystem) propose(p propose) {
	if s.work != nil && s.work.round() == p.proposal.Header.Round() {
		return
	}
	s.cancel()
	w, err := begin(p.proposal)
	if errors.Is(err, stake.ErrProposerJailed) {
		p.proposal.Reply(nil)
		return
	}
	if err != nil {
		panic(err)
	}
	dropped, err := s.experience.review(p.proposal.Parent.State, p.proposal.Header.Height)
	if err != nil {
		panic(err)
	}
	s.drop(dropped, p.proposal.Header.Height)
	s.work, s.began = w, s.Clock.Now()
	if w.how = s.experience.choose(p.proposal.Stalled, p.proposal.Header.Height); w.how == none {
		w.empty = true
		s.build()
		return
	}
	inbox, round := s.Handle.inbox, w.round()
	take := s.experience.takes(w.how, p.proposal.Header.Height)
	s.deadline = s.Clock.AfterFunc(offerWithin, func() { inbox.Reply(late{round}) })
	for l := range params.LaneCount {
		d := s.Lanes.Offer(l, lanes.Offer{
			Cycles: w.share(l), Txs: w.limits.MaxTxs, Bytes: w.limits.MaxBytes, State: w.proposal.Parent.State, Take: w.payable(take),
			Reply: func(lane params.Lane, txs []tx.Verified) { inbox.Reply(offered{round, lane, txs}) },
		})
		if d != supervision.Accepted {
			inbox.Reply(offered{round, l, nil})
		}
	}
}

// drop has the lanes drop a transaction that was too slow, if there is one.
func (s *Subsystem) drop(v *tx.Verified, height unit.Height) {
	if v == nil {
		return
	}
	s.Lanes.Drop([]digest.Hash{v.Hash()}, lanes.ErrSlow)
	if s.Dropped != nil {
		s.Dropped(Drop{Height: height, Tx: v.Hash(), Sender: v.Tx().From, Budget: s.Budget})
	}
}

func (s *Subsystem) cancel() {
	if s.deadline != nil {
		s.deadline.Stop()
		s.deadline = nil
	}
	if s.work != nil && s.work.token != nil {
		s.Executor.Abandon(s.work.token)
	}
	s.work = nil
}

func (s *Subsystem) offered(o offered) {
	if w := s.work; w != nil && w.round() == o.round && w.answered(o.lane, o.txs) {
		s.build()
	}
}

func (s *Subsystem) late(l late) {
	if w := s.work; w != nil && w.round() == l.round && !w.building {
		s.build()
	}
}

func (s *Subsystem) build() {
	w := s.work
	if s.deadline != nil {
		s.deadline.Stop()
	}
	w.building, w.token = true, &executor.CancelToken{}
	var txs []tx.Verified
	if !w.empty {
		var err error
		w.offers = withoutFalseEvidence(w.offers, s.Untrue)
		if txs, err = w.choose(&s.experience); err != nil {
			panic(err)
		}
	}
	budget := s.experience.budget(s.Budget)
	if w.trial != nil {
		budget = s.Budget
	}
	inbox, round, token := s.Handle.inbox, w.round(), w.token
	d := s.Executor.Execute(executor.Execute{
		Parent: w.proposal.Parent,
		Job:    transition.Job{Mode: transition.Build, Header: w.proposal.Header, Txs: txs, Rewards: s.Rewards},
		Budget: budget, Cancel: token,
		Reply: func(e executor.Executed) { inbox.Reply(built{round, token, e}) },
	})
	if d == supervision.Shed {
		panic("proposer: the executor shed a question")
	}
}

// built answers with the block. A transaction that breaks the machine is dropped, and the block is built without it. Any other choice that no block may hold
// is a bug of the choice, not of the chain, or what the block has to hold broke the machine: the round gets an empty block, and only if that is refused or
// fails too is this machine not to be trusted.
func (s *Subsystem) built(b built) {
	w := s.work
	if w == nil || w.round() != b.round || !w.building || b.token != w.token {
		return
	}
	if b.executed.Err != nil {
		if w.empty {
			panic(&supervision.Fatal{Err: b.executed.Err})
		}
		v := w.blame(b.executed.Err)
		if v != nil {
			s.Lanes.Drop([]digest.Hash{v.Hash()}, lanes.ErrBroken)
			s.experience.drop(v, w.proposal.Header.Height)
		}
		w.empty, w.trial = v == nil || w.broken >= brokenMost, nil
		s.build()
		return
	}
	w.token = nil
	if list := permanent(b.executed.Result.Refused); len(list) > 0 {
		s.Lanes.Drop(list, nil)
	}
	s.experience.settle(w, b.executed.Result, s.Budget/littleOf)
	s.cancel()
	if s.Proposed != nil {
		s.Proposed(b.executed.Result.Header.Hash(), s.Clock.Now().Sub(s.began))
	}
	w.proposal.Reply(b.executed.Result)
}
