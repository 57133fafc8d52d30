package replica

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/verifier"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// undurableMax bounds the final blocks that wait for the ledger; above it no block is proposed.
	undurableMax = 8
	// aheadMax is how far above the durable tip a block that is not final may be executed.
	aheadMax = 64
	// clockDrift is how far ahead of this node's clock a proposal may be before it has to wait.
	clockDrift = 500 * time.Millisecond
)

// questions are what agreement has asked and was not answered.
type questions struct {
	build   *simplex.Build
	asked   bool // the proposer is at it
	checks  []simplex.Check
	certify []simplex.Certify
	alarm   bool // awake is coming
}

// pursue moves every question on that can be.
func (s *Subsystem) pursue() {
	s.build()
	s.questions.checks = slices.DeleteFunc(s.questions.checks, s.check)
	s.questions.certify = slices.DeleteFunc(s.questions.certify, s.certify)
	s.finish()
}

// build asks for a block on a certified parent, once the parent was executed here, the block interval has passed and the ledger keeps up.
func (s *Subsystem) build() {
	b := s.questions.build
	if b == nil || s.questions.asked || s.pacing != nil {
		return
	}
	parent, ok := s.tree.head(b.Parent.BlockHash)
	if !ok {
		s.need(b.Parent.BlockHash, sig.Signers{})
		return
	}
	if parent.header.Height > s.durable+undurableMax {
		return
	}
	if wait := s.pace(parent); wait > 0 {
		s.serial++
		s.pacing = &timer{s.serial, s.after(wait, due{s.life, s.serial})}
		return
	}
	p, ok := s.proposal(b, parent)
	if !ok {
		s.questions.build = nil
		s.event(simplex.Declined{Round: b.Round}, nil)
		return
	}
	inbox, round := s.Handle.inbox, b.Round
	p.Reply = func(r *transition.Result) { inbox.Reply(proposed{round, r}) }
	s.questions.asked = true
	accepted("proposer", s.Peers.Propose(p))
}

// pace is how long the interval since the parent still lasts. The first block on genesis waits for nothing, and a parent from the future delays by
// one interval at most.
func (s *Subsystem) pace(parent head) time.Duration {
	if parent.header.Height == 0 {
		return 0
	}
	at := time.UnixMilli(int64(parent.header.TimestampMs)).Add(s.Interval)
	return min(max(at.Sub(s.Clock.Now()), 0), s.Interval)
}

// due ends the pacing.
func (s *Subsystem) due(d due) {
	if p := s.pacing; d.life == s.life && p != nil && p.serial == d.serial {
		s.pacing = nil
	}
}

// proposed takes the block the proposer built. It may have been asked by an earlier instance of this subsystem: the proposer answers one question a
// round.
func (s *Subsystem) proposed(p proposed) {
	b := s.questions.build
	if b == nil || b.Round != p.round || !s.questions.asked || p.result != nil && p.result.Header.ParentHash != b.Parent.BlockHash {
		return
	}
	s.questions.build, s.questions.asked = nil, false
	var n *node
	if p.result != nil {
		n = s.own(p.result)
	}
	if n == nil {
		s.event(simplex.Declined{Round: p.round}, nil)
		return
	}
	link, err := simplex.InspectBlock(n.raw)
	must(err)
	s.event(simplex.Built{Round: p.round, Link: link}, nil)
}

// own puts a block of this node's own making into the tree.
func (s *Subsystem) own(r *transition.Result) *node {
	b := newBlock(r)
	parent, ok := s.tree.head(b.Header.ParentHash)
	if !ok {
		return nil
	}
	n := s.tree.add(b, b.Encode())
	if n != nil {
		n.status, n.receipts, n.state, n.epochSeed = good, r.Receipts, r.State, s.tree.seedFor(&b.Header, parent)
		n.sound = true
	}
	return n
}

// check answers whether a proposed block is valid, and reports whether it did. A block whose time has not come waits; one that agreement has passed
// by needs no answer.
// Spec: commonware §3.3 (application contract).
func (s *Subsystem) check(q simplex.Check) (answered bool) {
	if q.Subject.Round.View <= s.epoch.state.Finalized().Round.View {
		return true
	}
	n := s.tree.nodes[q.Subject.BlockHash]
	if n == nil {
		s.need(q.Subject.BlockHash, sig.Signers{})
		return false
	}
	switch n.status {
	case bad:
		s.event(simplex.Checked{Subject: q.Subject, Flaw: n.flaw}, nil)
		return true
	case good:
		if s.ahead(n) {
			return false
		}
		s.event(simplex.Checked{Subject: q.Subject, Valid: true, Claims: n.claims}, nil)
		return true
	}
	s.need(n.hash, sig.Signers{})
	return false
}

// ahead reports whether a block's time has not come, and sees to it that it is looked at again.
func (s *Subsystem) ahead(n *node) bool {
	wait := time.UnixMilli(int64(n.block.Header.TimestampMs)).Add(-clockDrift).Sub(s.Clock.Now())
	if wait <= 0 {
		return false
	}
	if !s.questions.alarm {
		s.questions.alarm = true
		s.after(min(wait, time.Minute), awake{s.life})
	}
	return true
}

// withdraw takes the question for a block back.
func (s *Subsystem) withdraw() {
	if b := s.questions.build; b != nil && s.questions.asked && s.Peers.Withdraw != nil {
		s.Peers.Withdraw(b.Round)
	}
	s.questions.build, s.questions.asked = nil, false
}

// abandon ends the execution of blocks that were proposed in views below the given one and are not certified: no vote of this node depends on them any more,
// and what comes next must not wait for them. A block that is certified after all is executed then.
func (s *Subsystem) abandon(view uint64) {
	s.questions.checks = slices.DeleteFunc(s.questions.checks, func(q simplex.Check) bool {
		n := s.tree.nodes[q.Subject.BlockHash]
		if q.Subject.Round.View >= view || n == nil || n.status != checking || n.final || s.epoch.state.Certified(q.Subject) {
			return false
		}
		if n.errand != nil && s.Peers.Abandon != nil {
			s.Peers.Abandon(n.errand)
		}
		n.status, n.txs, n.verified, n.running, n.errand, n.wanted = held, nil, false, false, nil, false
		s.event(simplex.Unchecked{Subject: q.Subject}, nil)
		return true
	})
}

// certify answers whether a notarized block can be built on, and reports whether it did.
func (s *Subsystem) certify(q simplex.Certify) (answered bool) {
	if q.Subject.Round.View <= s.epoch.state.Finalized().Round.View {
		return true
	}
	n := s.tree.nodes[q.Subject.BlockHash]
	if n == nil || n.status == held || n.status == checking {
		s.need(q.Subject.BlockHash, q.Signers)
		return false
	}
	if n.status == good && len(n.claims) > 0 && !s.epoch.committee.Scheme.Hold(n.claims) {
		n.condemn("its proof, or the votes it tells of, do not verify")
	}
	n.claims = nil
	link, err := simplex.InspectBlock(n.raw)
	must(err)
	s.event(simplex.CertifiedBlock{Subject: q.Subject, Valid: n.status == good, Link: link, Flaw: n.flaw}, nil)
	return true
}

// need has a block judged, after its ancestors; what is missing is fetched.
func (s *Subsystem) need(hash digest.Hash, signers sig.Signers) {
	if n := s.tree.nodes[hash]; n != nil {
		n.wanted = true
	}
	ready, missing := s.tree.next(hash)
	switch {
	case ready != nil:
		ready.wanted = true
		if ready.height() <= s.durable+aheadMax || ready.final {
			s.judge(ready)
		}
	case missing != digest.Hash{}:
		s.fetch(missing, signers)
	}
}

// judge begins to find out whether a block is valid: beacon and proof here, signatures and execution elsewhere.
func (s *Subsystem) judge(n *node) {
	parent, _ := s.tree.head(n.block.Header.ParentHash)
	// Of a final block a quorum has seen to what vouched looks at. What it leads to is held against its roots all the same.
	if !n.final && !s.vouched(n, parent) {
		n.condemn("its seed, its reward address or the votes it tells of are not what they have to be")
		return
	}
	s.recover(n)
	s.execute(n)
}

// recover begins to recover the signatures of a block's transactions.
func (s *Subsystem) recover(n *node) {
	n.status, n.verified, n.running = checking, len(n.block.Txs) == 0, false
	if n.verified {
		n.sound = true
		return
	}
	inbox, life, hash := s.Handle.inbox, s.life, n.hash
	accepted("verifier", s.Peers.Verify(verifier.Verify{Txs: n.block.Txs, Reply: func(r []verifier.Result) {
		inbox.Reply(recovered{life, hash, r})
	}}))
}

// vouched reports whether a block's seed is its round's, its reward address that of its proposer, and its signatures can be right: the proof its
// proposer's, and the votes for its parent that it tells of. Those are claims, which agreement has verified with the votes for the block. Which seed the
// round asks for, execution checks.
// Spec: WP §3.4, §6.1, "Slashing" (downtime); commonware §3.6.
func (s *Subsystem) vouched(n *node, parent head) bool {
	h := &n.block.Header
	if h.Epoch != s.epoch.number || int(h.ProposerIndex) >= len(s.epoch.committee.Rewards) || h.Proposer != s.epoch.committee.Rewards[h.ProposerIndex] {
		return false
	}
	if seed := h.ParentSeed; seed != nil && !s.knownSeed(*seed) && s.epoch.committee.VerifySeed(*seed) != nil {
		return false
	}
	epochSeed := s.tree.seedFor(h, parent)
	if epochSeed == nil {
		return false
	}
	n.claims = []simplex.Claim{{
		Signers: []uint32{h.ProposerIndex}, Preimage: s.namespace.VRF(epochSeed, uint64(h.Height)), Signature: h.VRFProof,
	}}
	if v := h.ParentVotes; v != nil {
		voted := sig.Subject{BlockHash: parent.hash, Height: uint64(parent.header.Height), Round: parent.header.Round()}
		claim, ok := s.epoch.state.VotesClaim(voted, v)
		if !ok {
			return false
		}
		if claim != nil {
			n.claims = append(n.claims, *claim)
		}
	}
	late, ok := s.lateClaims(h, parent)
	n.claims = append(n.claims, late...)
	return ok
}

// knownSeed reports whether a verified certificate brought the seed.
func (s *Subsystem) knownSeed(seed sig.Seed) bool {
	known, ok := s.epoch.state.Seed(seed.Round.View)
	return ok && known == seed
}

// recovered takes the signatures of a block's transactions. A block with bad ones is forgotten: another body of the same header may have good ones,
// since a transaction's identity leaves its signature out.
func (s *Subsystem) recovered(r recovered) {
	n := s.tree.nodes[r.hash]
	if r.life != s.life || n == nil || n.status != checking {
		return
	}
	txs := make([]tx.Verified, len(r.results))
	for i, x := range r.results {
		switch {
		case errors.Is(x.Err, supervision.ErrAbandoned), errors.Is(x.Err, supervision.ErrStopped):
			n.status = held // asked again
			return
		case x.Err != nil && unsigned(x.Err):
			s.discard(n)
			return
		case x.Err != nil: // of what the header commits to
			n.condemn(fmt.Sprintf("transaction %d: %v", i, x.Err))
			return
		}
		txs[i] = x.Verified
	}
	n.txs, n.verified, n.sound = txs, true, true
	if !s.execute(n) && !n.final {
		n.status, n.txs = held, nil
	}
}

// unsigned reports whether a transaction was refused for a signature, which no header commits to.
func unsigned(err error) bool {
	return errors.Is(err, tx.ErrSignature) || errors.Is(err, tx.ErrMissingSigner)
}

// discard forgets a body with bad signatures. A leader that proposed with it gets no vote. Whoever else brought it is no friend of the leader's: another body
// is fetched.
func (s *Subsystem) discard(n *node) {
	s.tree.remove(n)
	if !n.proposed {
		if n.bringer != (link.Peer{}) {
			s.Link.Report(n.bringer, "a block with transactions whose signatures are not theirs")
		}
		return
	}
	s.questions.checks = slices.DeleteFunc(s.questions.checks, func(q simplex.Check) bool {
		if q.Subject.BlockHash != n.hash {
			return false
		}
		s.event(simplex.Checked{Subject: q.Subject, Flaw: simplex.FlawedBody}, nil)
		return true
	})
}

// execute asks the executor for a block whose transactions are verified, and reports whether it did: on its parent's state, or behind a parent that it was
// asked for and has not answered.
func (s *Subsystem) execute(n *node) bool {
	if !n.verified || n.running {
		return false
	}
	var on transition.Parent
	if parent, ok := s.tree.head(n.block.Header.ParentHash); ok {
		on = transition.Parent{Header: parent.header, State: parent.state}
	} else if p := s.tree.nodes[n.block.Header.ParentHash]; p == nil || p.status != checking || !p.running {
		return false
	}
	inbox, life, hash, errand := s.Handle.inbox, s.life, n.hash, &executor.Errand{}
	n.running, n.errand = true, errand
	accepted("executor", s.Peers.Execute(executor.Execute{
		Parent: on,
		Job:    transition.Job{Mode: transition.Verify, Header: n.block.Header, Txs: n.txs, Rewards: s.Rewards},
		Errand: errand,
		Reply:  func(x executor.Executed) { inbox.Reply(executed{life, hash, errand, x}) },
	}))
	n.txs = nil
	return true
}

// executed takes a verdict.
func (s *Subsystem) executed(x executed) {
	n := s.tree.nodes[x.hash]
	if x.life != s.life || n == nil || n.status != checking || n.errand != x.errand {
		return
	}
	n.verified, n.running, n.errand = false, false, nil
	var invalid *transition.Invalid
	switch {
	case errors.As(x.executed.Err, &invalid):
		n.condemn(invalid.Error())
		return
	case errors.Is(x.executed.Err, executor.ErrParent): // something else came in between
		n.status = held
		return
	case x.executed.Err != nil:
		must(x.executed.Err)
	}
	parent, ok := s.tree.head(n.block.Header.ParentHash)
	if !ok {
		n.status = held
		return
	}
	r := x.executed.Result
	n.status, n.receipts, n.state, n.epochSeed = good, r.Receipts, r.State, s.tree.seedFor(&n.block.Header, parent)
}
