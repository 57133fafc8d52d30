package replica

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/verifier"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// perform does one thing that the state wants done.
func (s *Subsystem) perform(e effect) {
	switch e := e.(type) {
	case write:
		must(s.journal.add(&e.batch))
	case forget:
		s.journal.forget(e.view)
		s.keys.guard.forget(e.view)
	case settle:
		must(s.journal.settle(e.height))
	case open:
		s.events = append(s.events, s.open(e.epoch))
	case signVote, signNewView, signAccusation:
		answer, err := s.keys.sign(e)
		if errors.Is(err, sig.ErrUnsigned) {
			s.events = append(s.events, withheld{})
			return
		}
		must(err)
		s.events = append(s.events, signed{answer})
	case prepare:
		s.keys.prepare(e)
	case start:
		inbox, command := s.Handle.inbox, e.event
		s.deadlines[e.serial] = s.Clock.AfterFunc(e.delay, func() { inbox.Reply(command) })
	case stop:
		if d := s.deadlines[e.serial]; d != nil {
			d.Stop()
			delete(s.deadlines, e.serial)
		}
	case halt:
		must(e.why)
	case send, broadcast, introduce, serve, report:
		s.transmit(e)
	case propose, withdraw, verify, execute, abandon, commit, seek:
		s.request(e)
	default:
		s.inform(e)
	}
}

// transmit speaks to peers.
func (s *Subsystem) transmit(e effect) {
	switch e := e.(type) {
	case send:
		frame := EncodePeerMessage(e.message)
		for _, p := range e.to {
			s.Link.Send(p, channelOf(e.message), frame)
		}
	case broadcast:
		s.Link.Broadcast(channelOf(e.message), EncodePeerMessage(e.message))
	case introduce:
		frame, err := s.keys.introduction(s.Link.Self(), e.rank)
		if errors.Is(err, sig.ErrUnsigned) {
			return // whoever wants to know asks
		}
		must(err)
		for _, p := range e.to {
			s.Link.Send(p, link.Consensus, frame)
		}
	case serve:
		height, err := s.Services.Ledger.HeightOf(e.hash)
		if err != nil {
			return
		}
		b, err := s.Services.Ledger.Block(height)
		if err != nil {
			return
		}
		if raw := b.Encode(); len(raw) > 0 && len(raw) <= params.MaxBlockBytes {
			s.Link.Send(e.to, link.Blocks, EncodePeerMessage(&BlockResponse{raw}))
		}
	case report:
		s.Link.Report(e.peer, e.why)
	}
}

// request asks another subsystem.
func (s *Subsystem) request(e effect) {
	inbox, life := s.Handle.inbox, s.life
	switch e := e.(type) {
	case propose:
		h := &e.proposal.Header
		round := h.Round()
		proof, err := s.keys.signer.ProveVRF(e.seed, uint64(h.Height))
		if errors.Is(err, sig.ErrUnsigned) {
			s.events = append(s.events, proposed{round, nil})
			return
		}
		must(err)
		h.VRFProof, h.VRFOutput = proof, block.VRFOutput(proof)
		e.proposal.Reply = func(r *transition.Result) { inbox.Reply(proposed{round, r}) }
		accepted("proposer", s.Services.Propose(e.proposal))
	case withdraw:
		if s.Services.Withdraw != nil {
			s.Services.Withdraw(e.round)
		}
	case verify:
		accepted("verifier", s.Services.Verify(verifier.Verify{Txs: e.txs, Reply: func(r []verifier.Result) { inbox.Reply(recovered{life, e.hash, r}) }}))
	case execute:
		token := &executor.CancelToken{}
		s.running[e.run] = token
		accepted("executor", s.Services.Execute(executor.Execute{
			Parent: e.parent,
			Job:    transition.Job{Mode: transition.Verify, Header: e.header, Txs: e.txs, Rewards: s.Rewards},
			Cancel: token,
			Reply:  func(x executor.Executed) { inbox.Reply(executed{life, e.hash, e.run, x}) },
		}))
	case abandon:
		if token := s.running[e.run]; token != nil && s.Services.Abandon != nil {
			s.Services.Abandon(token)
		}
	case commit:
		d := s.Services.Ledger.Commit(ledger.Commit{Final: e.final, Reply: func(height unit.Height) { inbox.Reply(durable{height}) }})
		if d == supervision.Shed {
			panic("replica: the ledger shed a final block")
		}
	case seek:
		s.Services.Seek(e.height)
	}
}

// inform tells those who asked to be told.
func (s *Subsystem) inform(e effect) {
	switch e := e.(type) {
	case badProposal:
		if s.BadProposal != nil {
			s.BadProposal(e.proposal)
		}
	case accuse:
		if s.Accuse != nil {
			s.Accuse(e.evidence)
		}
	case dispute:
		if s.Disputed != nil {
			s.Disputed(e.accusation)
		}
	case gaveUp:
		s.gaveUp(e.view)
	case entered:
		s.Handle.counters.views.Add(1)
	case relayed:
		s.Handle.counters.relayed.Add(1)
	case publish:
		s.Handle.status.Store(&e.status)
	case occupied:
		account := s.Memory.Candidates
		if e.final {
			account = s.Memory.Finals
		}
		account.Set(decoded(e.bytes))
	}
}

// open gathers what an epoch begins with. A journal of an earlier epoch is turned: what was decided there cannot matter any more.
func (s *Subsystem) open(number uint64) opened {
	anchor, err := s.Services.Ledger.Header(s.Identity.Calendar.Anchor(number))
	must(err)
	o := opened{number: number, anchor: anchor, hash: anchor.Hash()}
	o.committee, err = s.Committees.At(number, o.hash)
	must(err)
	if anchor.Height > 0 {
		o.certificates, err = s.Services.Ledger.Certificates(anchor.Height)
		must(err)
	}
	if tip := s.Services.Ledger.Tip().Header.Height; s.keys == nil && tip > 0 {
		o.tip, err = s.Services.Ledger.Certificates(tip)
		must(err)
	}
	if s.journal.title.epoch < number {
		must(s.journal.turn(number))
	}
	o.journal = contents{s.journal.title.epoch, s.journal.fresh, s.journal.records, s.journal.blocks}
	records := o.journal.records
	if o.journal.epoch > number {
		records = nil
	}
	s.keys, err = newKeys(number, o.committee.Signer, records)
	must(err)
	return o
}

// epochSeed is what header proofs of the epoch of the durable tip are made over. Where the epoch's first block is not held the registry tells.
// Spec: commonware §3.6.
func (s *Subsystem) epochSeed(tip *ledger.Tip) ([]byte, error) {
	h := tip.Header
	if h.Epoch == 0 {
		return s.Identity.Genesis[:], nil
	}
	first, err := s.Services.Ledger.Header(s.Identity.Calendar.First(h.Epoch))
	if errors.Is(err, ledger.ErrAbsent) {
		set, err := stake.SetAt(tip.State, h.Epoch)
		if err != nil {
			return nil, err
		}
		return set.Seed, nil
	}
	if err != nil {
		return nil, err
	}
	if first.ParentSeed == nil {
		return nil, fmt.Errorf("replica: the first block of epoch %d carries no seed", h.Epoch)
	}
	return first.ParentSeed.Signature[:], nil
}
