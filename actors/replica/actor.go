package replica

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/beacon"
	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Identity is who the validator is on which chain.
type Identity struct {
	ChainID    uint64
	Genesis    digest.Hash
	Validators int
	Index      uint32          // its rank in the set
	Vote       *bls.PrivateKey // signs votes and header proofs
	Reward     account.Address // receives tips and rewards
}

// Peers are the subsystems the replica asks.
type Peers struct {
	Ledger  *ledger.Handle
	Beacon  *beacon.Handle
	Execute func(executor.Execute) supervision.Delivery
	Propose func(Proposal) supervision.Delivery
}

// Subsystem is the supervised actor of one validator.
type Subsystem struct {
	Handle   *Handle
	Identity Identity
	Peers    Peers
	Clock    supervision.Clock
	// Interval is the least time between two blocks.
	Interval time.Duration
	// Disk holds the journal and nothing else.
	Disk disk.Disk

	namespace sig.Namespace
	machine   machine
	journal   *journal
	entered   time.Time
	round     sig.Round
	deadline  supervision.Deadline
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.stop()
	case due:
		s.do(s.machine.due(command.round))
	case partial:
		s.do(s.machine.partialOf(command.round, command.partial))
	case proposed:
		s.do(s.machine.proposed(command.round, newCandidate(command.result)))
	case recovered:
		s.recovered(command)
	case executed:
		s.executed(command)
	case durable:
		s.do(s.machine.stored(command.height))
	case ready:
		s.do(s.machine.ask())
	}
}

func newCandidate(r *transition.Result) *candidate {
	b := &block.Block{Header: r.Header, Txs: make([]*tx.Tx, len(r.Txs))}
	for i, v := range r.Txs {
		b.Txs[i] = v.Tx()
	}
	return &candidate{block: b, hash: b.Hash(), receipts: r.Receipts, state: r.State}
}

// must ends the node over a failure that is not to be restarted over.
func must(err error) {
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
}

func (s *Subsystem) start() {
	s.namespace = sig.NewNamespace(s.Identity.ChainID)
	j, err := openJournal(s.Disk, s.Identity.Genesis)
	must(err)
	s.journal = j
	tip := s.Peers.Ledger.Tip()
	must(j.forget(tip.Header.Height))
	seed, err := s.seedOf(tip.Header)
	must(err)
	epochSeed, err := s.epochSeed(tip.Header)
	must(err)
	s.machine = machine{validators: s.Identity.Validators, self: s.Identity.Index}
	h := head{header: tip.Header, hash: tip.Hash, state: tip.State, seed: seed}
	s.do(s.machine.start(h, epochSeed, j.blocks()))
}

func (s *Subsystem) stop() {
	if s.deadline != nil {
		s.deadline.Stop()
	}
	if s.journal != nil {
		_ = s.journal.close()
		s.journal = nil
	}
}

// seedOf reads the seed of a durable block's round out of its certificate.
func (s *Subsystem) seedOf(h *block.Header) (*sig.Seed, error) {
	if h.Height == 0 {
		return nil, nil
	}
	certificates, err := s.Peers.Ledger.Certificates(h.Height)
	if err != nil {
		return nil, err
	}
	for _, c := range certificates {
		if c.Subject.Round == h.Round() {
			seed := c.SeedOf()
			return &seed, nil
		}
	}
	return nil, fmt.Errorf("replica: block %d has no certificate", h.Height)
}

// epochSeed is what header proofs of the epoch of h are made over. Spec: commonware §3.6.
func (s *Subsystem) epochSeed(h *block.Header) ([]byte, error) {
	if h.Epoch == 0 {
		return s.Identity.Genesis[:], nil
	}
	first, err := s.Peers.Ledger.Block(firstOfEpoch(h.Epoch))
	if err != nil {
		return nil, err
	}
	return first.Header.ParentSeed.Signature[:], nil
}

// do carries effects out, those they lead to first.
func (s *Subsystem) do(effects []effect) {
	for len(effects) > 0 {
		e := effects[0]
		effects = effects[1:]
		if v, ok := e.(cast); ok {
			effects = append(s.machine.count(s.cast(v)), effects...)
			continue
		}
		s.send(e)
	}
	s.publish()
}

// cast signs a vote and journals it before anybody can see it. Spec: commonware §3.5.
func (s *Subsystem) cast(c cast) vote {
	preimage := s.namespace.Notarize(c.subject)
	if c.kind == sig.Finalization {
		preimage = s.namespace.Finalize(c.subject)
	}
	v := vote{
		kind: c.kind, subject: c.subject, signer: s.Identity.Index, signature: s.Identity.Vote.Sign(preimage),
		partial: c.partial, half: c.half,
	}
	must(s.journal.add(entry{vote: v, block: c.block}))
	return v
}

func (s *Subsystem) send(e effect) {
	inbox := s.Handle.inbox
	switch e := e.(type) {
	case contribute:
		s.delivered("beacon", s.Peers.Beacon.Contribute(beacon.Contribute{Round: e.round, Reply: func(p bls.Partial) {
			inbox.Reply(partial{e.round, p})
		}}))
	case recoverSeed:
		s.delivered("beacon", s.Peers.Beacon.Recover(beacon.Recover{Round: e.round, Partials: e.partials,
			Reply: func(seed sig.Seed, err error) { inbox.Reply(recovered{e.round, seed, err}) }}))
	case pace:
		s.pace(e)
	case propose:
		s.delivered("proposer", s.Peers.Propose(s.proposal(e)))
	case verify:
		s.verify(e)
	case finalize:
		s.finalize(e)
	case forget:
		must(s.journal.forget(e.height))
	}
}

// delivered holds that a question was accepted. Each subsystem asked here has room for more questions than the replica can have
// out, so anything else is a bug.
func (s *Subsystem) delivered(who string, d supervision.Delivery) {
	if d == supervision.Shed {
		panic(fmt.Sprintf("replica: %s shed a question", who))
	}
}

// pace waits until the interval since the parent has passed. The first block on genesis waits for nothing, and a parent from the
// future delays by one interval at most.
func (s *Subsystem) pace(e pace) {
	wait := time.Duration(0)
	if e.parent.Height > 0 {
		at := time.UnixMilli(int64(e.parent.TimestampMs)).Add(s.Interval)
		wait = min(max(at.Sub(s.Clock.Now()), 0), s.Interval)
	}
	inbox := s.Handle.inbox
	if wait == 0 {
		inbox.Reply(due{e.round})
		return
	}
	s.deadline = s.Clock.AfterFunc(wait, func() { inbox.Reply(due{e.round}) })
}

// proposal fills in what a proposer decides of a header. Spec: WP §6.1; commonware §3.6.
func (s *Subsystem) proposal(e propose) Proposal {
	parent := e.parent.header
	now := uint64(max(s.Clock.Now().UnixMilli(), 0))
	h := block.Header{
		Version: params.ProtocolVersion, ChainID: s.Identity.ChainID, Height: parent.Height + 1, Epoch: e.round.Epoch,
		View: e.round.View, ParentView: parent.View, ParentHash: e.parent.hash, TimestampMs: max(now, parent.TimestampMs+1),
		ProposerIndex: s.Identity.Index, Proposer: s.Identity.Reward,
		VRFProof: s.Identity.Vote.Sign(s.namespace.VRF(e.epochSeed, uint64(parent.Height+1))),
	}
	h.VRFOutput = block.VRFOutput(h.VRFProof)
	if _, ok := block.SeedRound(e.round, parent); ok {
		h.ParentSeed = e.parent.seed
	}
	inbox := s.Handle.inbox
	return Proposal{
		Header: h, Parent: transition.Parent{Header: parent, State: e.parent.state},
		Reply: func(r *transition.Result) { inbox.Reply(proposed{e.round, r}) },
	}
}

func (s *Subsystem) recovered(c recovered) {
	must(c.err)
	effects, err := s.machine.recovered(c.seed)
	must(err)
	s.do(effects)
}

// verify has a journaled block executed again. Its signatures were verified before it was built; they are verified once more because
// the journal is only bytes.
func (s *Subsystem) verify(e verify) {
	txs := make([]tx.Verified, len(e.block.Txs))
	for i, t := range e.block.Txs {
		v, err := tx.Verify(t, s.Identity.ChainID, sig.Default())
		must(err)
		txs[i] = v
	}
	inbox := s.Handle.inbox
	s.delivered("executor", s.Peers.Execute(executor.Execute{
		Parent: transition.Parent{Header: e.parent.header, State: e.parent.state},
		Job:    transition.Job{Mode: transition.Verify, Header: e.block.Header, Txs: txs},
		Reply:  func(x executor.Executed) { inbox.Reply(executed{x}) },
	}))
}

// executed takes a journaled block that was executed again. It is this validator's own, so a verdict against it means that this machine
// cannot be trusted.
func (s *Subsystem) executed(c executed) {
	must(c.executed.Err)
	s.do(s.machine.executed(newCandidate(c.executed.Result)))
}

func (s *Subsystem) finalize(e finalize) {
	inbox, c := s.Handle.inbox, e.candidate
	s.delivered("ledger", s.Peers.Ledger.Commit(ledger.Commit{
		Final: &ledger.Final{Block: c.block, Hash: c.hash, Receipts: c.receipts, State: c.state, Certificates: e.certificates},
		Reply: func(height unit.Height) { inbox.Reply(durable{height}) },
	}))
}

func (s *Subsystem) publish() {
	m := &s.machine
	if m.round != s.round {
		s.round, s.entered = m.round, s.Clock.Now()
	}
	s.Handle.status.Store(&Status{
		Round: m.round, Certified: m.head.header.Height, Committed: m.committed, Finalized: m.finalized, Durable: m.durable,
		Since: s.entered,
	})
}
