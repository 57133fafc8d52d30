package replica

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// undurableMax bounds the final blocks that wait for the ledger; above it no block is proposed.
	undurableMax = 8
	// aheadMax is how far above the durable tip a block that is not final may be executed.
	aheadMax = 64
)

// requests are what agreement has asked for and was not answered yet.
type requests struct {
	build   *simplex.Build
	asked   bool // the proposer is at it
	checks  []simplex.Check
	certify []simplex.Certify
	alarm   bool // awake is coming
}

// advanceRequests moves every open request on that can be.
func (s *state) advanceRequests() {
	s.build()
	s.requests.checks = slices.DeleteFunc(s.requests.checks, s.check)
	s.requests.certify = slices.DeleteFunc(s.requests.certify, s.certify)
	s.finish()
}

// build asks for a block on a certified parent, once the parent was executed here, the block interval has passed and the ledger keeps up.
func (s *state) build() {
	b := s.requests.build
	if b == nil || s.requests.asked || s.pacing != 0 {
		return
	}
	parent, ok := s.tree.head(b.Parent.BlockHash)
	if !ok {
		s.need(b.Parent.BlockHash, sig.Signers{})
		return
	}
	if parent.header.Height > s.durable+undurableMax || s.beyond(parent.header.Height+1) {
		return
	}
	if wait := s.pace(parent); wait > 0 {
		s.pacing = s.start(wait, func(serial uint64) event { return due{s.life, serial} })
		return
	}
	p, ok := s.proposal(b, parent)
	switch {
	case s.halted:
	case !ok:
		s.requests.build = nil
		s.event(simplex.Declined{Round: b.Round}, nil)
	default:
		s.requests.asked = true
		s.do(p)
	}
}

// proposal fills in what a proposer decides of a header, but for the proof. ok is false where the block would need a seed that is not known here.
// Spec: WP §3.4, §6.1; commonware §3.6.
func (s *state) proposal(b *simplex.Build, parent head) (p propose, ok bool) {
	now := uint64(max(s.now.UnixMilli(), 0))
	h := block.Header{
		Version: params.ProtocolVersion, ChainID: s.identity.ChainID, Height: parent.header.Height + 1, Epoch: b.Round.Epoch, View: b.Round.View,
		ParentView: parent.header.View, ParentHash: parent.hash, TimestampMs: max(now, parent.header.TimestampMs+1),
		ProposerIndex: s.epoch.self, Proposer: s.epoch.committee.Rewards[s.epoch.self], ParentSeed: b.Seed,
	}
	if b.Round.View == 1 {
		h.ParentSeed = s.epoch.seed
	}
	s.participation(&h, parent, b.Parent)
	if p.seed = s.tree.seedFor(&h, parent); p.seed == nil {
		return p, false
	}
	p.proposal = Proposal{Header: h, Stalled: b.Stalled}
	p.proposal.Parent.Header, p.proposal.Parent.State = parent.header, parent.state
	return p, true
}

// pace is how long the interval since the parent still lasts. The first block on genesis and one that is hurried wait for nothing, and a parent from
// the future delays by one interval at most.
func (s *state) pace(parent head) time.Duration {
	if parent.header.Height == 0 || parent.header.Height < s.hurried {
		return 0
	}
	at := time.UnixMilli(int64(parent.header.TimestampMs)).Add(s.interval)
	return min(max(at.Sub(s.now), 0), s.interval)
}

// hurry ends the pacing of a block that is to come at once.
func (s *state) hurry(e hurry) {
	s.hurried = max(s.hurried, e.height)
	s.stopPacing()
}

// stopPacing ends the wait for the block interval; where a part of it is still to come, the wait begins again.
func (s *state) stopPacing() {
	if s.pacing != 0 {
		s.do(stop{s.pacing})
		s.pacing = 0
	}
}

// due ends the pacing.
func (s *state) due(e due) {
	if e.life == s.life && s.pacing == e.serial {
		s.pacing = 0
	}
}

// proposed takes the block the proposer built. It may have been asked by an earlier instance of this subsystem: the proposer answers one question a
// round.
func (s *state) proposed(p proposed) {
	b := s.requests.build
	if b == nil || b.Round != p.round || !s.requests.asked || p.result != nil && p.result.Header.ParentHash != b.Parent.BlockHash {
		return
	}
	s.requests.build, s.requests.asked = nil, false
	var n *node
	if p.result != nil {
		n = s.own(p.result)
	}
	if n == nil {
		s.event(simplex.Declined{Round: p.round}, nil)
		return
	}
	ref, err := simplex.InspectBlock(n.raw)
	if !s.fails(err) {
		s.event(simplex.Built{Round: p.round, Ref: ref}, nil)
	}
}

// own puts a block of this node's own making into the tree.
func (s *state) own(r *transition.Result) *node {
	b := newBlock(r)
	parent, ok := s.tree.head(b.Header.ParentHash)
	if !ok {
		return nil
	}
	n := s.tree.add(b, b.Encode())
	if n != nil {
		n.status, n.receipts, n.state, n.epochSeed = good, r.Receipts, r.State, s.tree.seedFor(&b.Header, parent)
		n.flows = r.Flows
		n.sound = true
	}
	return n
}

// check answers whether a proposed block is valid, and reports whether it did. A block whose time has not come waits; one that agreement has passed
// by needs no answer.
// Spec: commonware §3.3 (application contract).
func (s *state) check(q simplex.Check) (answered bool) {
	if q.Subject.Round.View <= s.epoch.state.Finalized().Round.View {
		return true
	}
	if s.beyond(unit.Height(q.Subject.Height)) {
		return false
	}
	n := s.tree.nodes[q.Subject.BlockHash]
	if n == nil {
		s.need(q.Subject.BlockHash, sig.Signers{})
		return false
	}
	if n.asked.IsZero() {
		n.asked = s.now
	}
	switch n.status {
	case bad:
		s.event(simplex.Checked{Subject: q.Subject, Flaw: n.flaw}, nil)
		return true
	case good:
		s.told(n)
		if s.ahead(n) {
			return false
		}
		s.event(simplex.Checked{Subject: q.Subject, Valid: true, Claims: n.claims}, nil)
		return true
	}
	s.need(n.hash, sig.Signers{})
	return false
}

// beyond reports whether a height is above the last that this node takes part in.
func (s *state) beyond(h unit.Height) bool { return s.last > 0 && h > s.last }

// ahead reports whether a block's time has not come, and sees to it that it is looked at again.
func (s *state) ahead(n *node) bool {
	wait := time.UnixMilli(int64(n.block.Header.TimestampMs)).Add(-ClockDrift).Sub(s.now)
	if wait <= 0 {
		return false
	}
	if !s.requests.alarm {
		s.requests.alarm = true
		s.start(min(wait, time.Minute), func(serial uint64) event { return awake{s.life, serial} })
	}
	return true
}

// withdraw takes the question for a block back.
func (s *state) withdraw() {
	if b := s.requests.build; b != nil && s.requests.asked {
		s.do(withdraw{b.Round})
	}
	s.requests.build, s.requests.asked = nil, false
}

// abandon ends the execution of blocks that were proposed in views below the given one and are not certified: no vote of this node depends on them any more,
// and what comes next must not wait for them. A block that is certified after all is executed then.
func (s *state) abandon(view uint64) {
	s.requests.checks = slices.DeleteFunc(s.requests.checks, func(q simplex.Check) bool {
		n := s.tree.nodes[q.Subject.BlockHash]
		if q.Subject.Round.View >= view || n == nil || n.status != checking || n.final || s.epoch.state.Certified(q.Subject) {
			return false
		}
		if n.run != 0 {
			s.do(abandon{n.run})
		}
		n.status, n.txs, n.verified, n.run, n.wanted = held, nil, false, 0, false
		s.event(simplex.Unchecked{Subject: q.Subject}, nil)
		return true
	})
}

// certify answers whether a notarized block can be built on, and reports whether it did.
func (s *state) certify(q simplex.Certify) (answered bool) {
	if q.Subject.Round.View <= s.epoch.state.Finalized().Round.View {
		return true
	}
	if s.beyond(unit.Height(q.Subject.Height)) {
		return false
	}
	n := s.tree.nodes[q.Subject.BlockHash]
	if n == nil || n.status == held || n.status == checking {
		s.need(q.Subject.BlockHash, q.Signers)
		return false
	}
	if n.status == good && len(n.claims) > 0 && !s.epoch.committee.Scheme.Hold(n.claims) {
		n.markInvalid("its proof, or the votes it tells of, do not verify")
	}
	n.claims = nil
	ref, err := simplex.InspectBlock(n.raw)
	if !s.fails(err) {
		s.event(simplex.CertifiedBlock{Subject: q.Subject, Valid: n.status == good, Ref: ref, Flaw: n.flaw}, nil)
	}
	return true
}

// need has a block judged, after its ancestors; what is missing is fetched.
func (s *state) need(hash digest.Hash, signers sig.Signers) {
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
func (s *state) judge(n *node) {
	parent, _ := s.tree.head(n.block.Header.ParentHash)
	// A quorum has checked in a final block what checkHeader checks. What it leads to is held against its roots all the same.
	if !n.final && !s.checkHeader(n, parent) {
		n.markInvalid("its seed, its reward address or the votes it tells of are not what they have to be")
		return
	}
	s.recover(n)
	s.execute(n)
}

// recover begins to recover the signatures of a block's transactions.
func (s *state) recover(n *node) {
	n.status, n.verified, n.run = checking, len(n.block.Txs) == 0, 0
	if n.verified {
		n.sound = true
		return
	}
	s.do(verify{n.hash, n.block.Txs})
}

// checkHeader reports whether a block's seed is its round's, its reward address that of its proposer, and its signatures can be right: the proof its
// proposer's, and the votes for its parent that it tells of. Those are claims, which agreement has verified with the votes for the block. Which seed the
// round asks for, execution checks.
// Spec: WP §3.4, §6.1, "Slashing" (downtime); commonware §3.6.
func (s *state) checkHeader(n *node, parent head) bool {
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
func (s *state) knownSeed(seed sig.Seed) bool {
	known, ok := s.epoch.state.Seed(seed.Round.View)
	return ok && known == seed
}

// recovered takes the signatures of a block's transactions. A block with bad ones is forgotten: another body of the same header may have good ones,
// since a transaction's identity leaves its signature out.
func (s *state) recovered(r recovered) {
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
			n.markInvalid(fmt.Sprintf("transaction %d: %v", i, x.Err))
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
func (s *state) discard(n *node) {
	s.tree.remove(n)
	if !n.proposed {
		if n.source != (link.Peer{}) {
			s.do(report{n.source, "a block with transactions whose signatures are not theirs"})
		}
		return
	}
	s.requests.checks = slices.DeleteFunc(s.requests.checks, func(q simplex.Check) bool {
		if q.Subject.BlockHash != n.hash {
			return false
		}
		s.event(simplex.Checked{Subject: q.Subject, Flaw: simplex.FlawedBody}, nil)
		return true
	})
}

// execute asks the executor for a block whose transactions are verified, and reports whether it did: on its parent's state, or behind a parent that it was
// asked for and has not answered.
func (s *state) execute(n *node) bool {
	if !n.verified || n.run != 0 {
		return false
	}
	var on transition.Parent
	if parent, ok := s.tree.head(n.block.Header.ParentHash); ok {
		on = transition.Parent{Header: parent.header, State: parent.state}
	} else if p := s.tree.nodes[n.block.Header.ParentHash]; p == nil || p.status != checking || p.run == 0 {
		return false
	}
	s.run++
	n.run = s.run
	s.do(execute{hash: n.hash, run: n.run, parent: on, header: n.block.Header, txs: n.txs})
	n.txs = nil
	return true
}

// executed takes a verdict.
func (s *state) executed(x executed) {
	n := s.tree.nodes[x.hash]
	if x.life != s.life || n == nil || n.status != checking || n.run != x.run {
		return
	}
	n.verified, n.run = false, 0
	var invalid *transition.Invalid
	switch {
	case errors.As(x.executed.Err, &invalid):
		n.markInvalid(invalid.Error())
		return
	case errors.Is(x.executed.Err, executor.ErrParent): // something else came in between
		n.status = held
		return
	case x.executed.Err != nil:
		s.halt(x.executed.Err)
		return
	}
	parent, ok := s.tree.head(n.block.Header.ParentHash)
	if !ok {
		n.status = held
		return
	}
	r := x.executed.Result
	n.status, n.receipts, n.state, n.epochSeed = good, r.Receipts, r.State, s.tree.seedFor(&n.block.Header, parent)
	n.flows = r.Flows
}
