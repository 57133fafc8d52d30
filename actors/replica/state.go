package replica

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// undurableMax bounds the final blocks that wait for the ledger; above it no block is proposed.
const undurableMax = 8

// head is a block that others may be built on.
type head struct {
	header *block.Header
	hash   digest.Hash
	state  *state.Commit
	seed   *sig.Seed // of the header's round; nil for genesis
}

// candidate is an executed block that is not final yet.
type candidate struct {
	block    *block.Block
	hash     digest.Hash
	receipts []*block.Receipt
	state    *state.Commit
}

func (c *candidate) subject() sig.Subject {
	return sig.Subject{BlockHash: c.hash, Height: uint64(c.block.Header.Height), Round: c.block.Header.Round()}
}

// restored is a block found in the journal, with the votes that were journaled for it.
type restored struct {
	block *block.Block
	votes []vote
}

// machine is the replica's part in agreement as a state machine: events in, effects out. It reads no clock and signs nothing.
type machine struct {
	validators int
	self       uint32

	head      head
	epochSeed []byte // what header proofs of the head's epoch are made over
	round     sig.Round
	phase     phase
	partial   *bls.Partial // of the round
	restore   []restored   // journaled blocks still to be executed again

	candidates map[digest.Hash]*candidate
	votes      map[poolKey]*pool
	certified  map[digest.Hash]*sig.Certificate
	lastCommit *half // our vote to commit the head
	committed  unit.Height
	finalized  unit.Height
	durable    unit.Height
}

type poolKey struct {
	kind    sig.CertificateKind
	subject sig.Subject
}

// phase is what the current round waits for.
type phase uint8

const (
	pacing phase = iota
	stalled
	proposing
	executing // a journaled block
	voting
)

// effect is something the machine asks for.
type effect interface{ effect() }

type (
	// contribute asks for the partial of a round, answered by partial.
	contribute struct{ round sig.Round }
	// pace asks to be told when a block may follow the parent, answered by due.
	pace struct {
		round  sig.Round
		parent *block.Header
	}
	// propose asks for a block, answered by proposed.
	propose struct {
		round     sig.Round
		parent    head
		epochSeed []byte
	}
	// verify asks for a journaled block to be executed, answered by executed.
	verify struct {
		parent head
		block  *block.Block
	}
	// cast asks for a vote to be signed, journaled (with the block, if given) and counted.
	cast struct {
		kind    sig.CertificateKind
		subject sig.Subject
		partial bls.Partial
		block   *block.Block
		half    *half
	}
	// recoverSeed asks for a round's seed, answered by recovered.
	recoverSeed struct {
		round    sig.Round
		partials []bls.Partial
	}
	// finalize hands a final block to the ledger, answered by durable.
	finalize struct {
		candidate    *candidate
		certificates []*sig.Certificate
	}
	// forget lets the journal drop what is durable.
	forget struct{ height unit.Height }
)

func (contribute) effect()  {}
func (pace) effect()        {}
func (propose) effect()     {}
func (verify) effect()      {}
func (cast) effect()        {}
func (recoverSeed) effect() {}
func (finalize) effect()    {}
func (forget) effect()      {}

// start begins on the ledger's tip. epochSeed is the tip's epoch's: the genesis hash, or the parent seed of the epoch's first block.
// Journaled blocks that continue the tip are taken up again, in order.
func (m *machine) start(tip head, epochSeed []byte, journaled []restored) []effect {
	m.head, m.epochSeed = tip, epochSeed
	m.candidates = map[digest.Hash]*candidate{}
	m.votes = map[poolKey]*pool{}
	m.certified = map[digest.Hash]*sig.Certificate{}
	m.finalized, m.durable, m.committed = tip.header.Height, tip.header.Height, tip.header.Height
	m.restore = journaled
	return m.enter()
}

// enter opens the round after the head's. Spec: commonware §3.1, §3.3 (enter).
func (m *machine) enter() []effect {
	m.round = nextRound(m.head.header)
	m.partial, m.phase = nil, pacing
	effects := []effect{contribute{m.round}}
	for len(m.restore) > 0 && m.restore[0].block.Header.Height <= m.head.header.Height {
		m.restore = m.restore[1:]
	}
	if len(m.restore) > 0 && m.restore[0].block.Header.ParentHash == m.head.hash {
		m.phase = executing
		return append(effects, verify{m.head, m.restore[0].block})
	}
	return append(effects, pace{m.round, m.head.header})
}

// nextRound follows a block that ended its round: the next view, or view 1 of the epoch its height opens.
//
// Spec: WP "Validator Set" (epochs); commonware §2.1, §3.1 (term length 1).
func nextRound(parent *block.Header) sig.Round {
	if epoch := block.EpochOf(parent.Height + 1); epoch > parent.Epoch {
		return sig.Round{Epoch: epoch, View: 1}
	}
	return sig.Round{Epoch: parent.Epoch, View: parent.View + 1}
}

// due says that the block interval has passed.
func (m *machine) due(round sig.Round) []effect {
	if round != m.round || m.phase != pacing {
		return nil
	}
	if m.finalized-m.durable >= undurableMax {
		m.phase = stalled
		return nil
	}
	m.phase = proposing
	return m.ask()
}

// ask asks for a proposal; again, when the proposer lost the question.
func (m *machine) ask() []effect {
	if m.phase != proposing {
		return nil
	}
	return []effect{propose{m.round, m.head, m.proofSeed()}}
}

// proofSeed is what the proof of the next block is made over: the epoch's seed, which for an epoch's first block is the seed of its
// parent's round.
//
// Spec: WP §6.1; commonware §3.6.
func (m *machine) proofSeed() []byte {
	if m.round.Epoch > m.head.header.Epoch {
		return m.head.seed.Signature[:]
	}
	return m.epochSeed
}

// partialOf keeps this validator's partial of the round and votes if the block is there already.
func (m *machine) partialOf(round sig.Round, p bls.Partial) []effect {
	if round != m.round || m.partial != nil {
		return nil
	}
	m.partial = &p
	for _, c := range m.candidates {
		if c.block.Header.Round() == m.round && m.phase == voting {
			return m.vote(c)
		}
	}
	return nil
}

// proposed takes the block the proposer built for a round.
func (m *machine) proposed(round sig.Round, c *candidate) []effect {
	if round != m.round || m.phase != proposing || c.block.Header.ParentHash != m.head.hash {
		return nil
	}
	return m.accept(c)
}

// executed takes a journaled block that was executed again.
func (m *machine) executed(c *candidate) []effect {
	if m.phase != executing || len(m.restore) == 0 || c.hash != m.restore[0].block.Hash() {
		return nil
	}
	return m.accept(c)
}

func (m *machine) accept(c *candidate) []effect {
	m.phase = voting
	m.candidates[c.hash] = c
	if m.partial == nil {
		return nil
	}
	return m.vote(c)
}

// vote casts the vote to notarize c, unless the journal holds it: then that one counts again.
//
// Spec: WP §6.1; commonware §3.3 (at most one notarize per view), §3.5, §3.8 (2).
func (m *machine) vote(c *candidate) []effect {
	subject := c.subject()
	if v, ok := m.journaled(sig.Notarization, subject); ok {
		return m.count(v)
	}
	return []effect{cast{
		kind: sig.Notarization, subject: subject, partial: *m.partial, block: c.block, half: m.parentHalf(c),
	}}
}

// parentHalf is the commit half for c's direct parent: our vote to commit it. No round is ever given up here, so nothing forbids it.
//
// Spec: commonware §3.8 (2).
func (m *machine) parentHalf(c *candidate) *half {
	if h := m.lastCommit; h != nil && h.parent.BlockHash == c.block.Header.ParentHash {
		return h
	}
	return nil
}

func (m *machine) journaled(kind sig.CertificateKind, subject sig.Subject) (vote, bool) {
	if len(m.restore) == 0 {
		return vote{}, false
	}
	for _, v := range m.restore[0].votes {
		if v.kind == kind && v.subject == subject {
			return v, true
		}
	}
	return vote{}, false
}

// count takes a vote that may be counted: a verified one of another validator, or an own one that is durable.
func (m *machine) count(v vote) []effect {
	var effects []effect
	p := m.pool(v.kind, v.subject)
	p.partials = append(p.partials, v.partial)
	quorum := p.add(m.validators, v.signer, v.signature)
	if h := v.half; h != nil && h.parent.Height > uint64(m.finalized) {
		if m.pool(sig.Finalization, h.parent).add(m.validators, v.signer, h.signature) {
			effects = append(effects, m.final(h.parent)...)
		}
	}
	if v.kind == sig.Finalization && v.signer == m.self {
		m.lastCommit = &half{v.subject, v.signature}
	}
	if !quorum || p.done {
		return effects
	}
	if v.kind == sig.Finalization {
		return append(effects, m.final(v.subject)...)
	}
	p.done = true
	return append(effects, recoverSeed{v.subject.Round, p.partials})
}

func (m *machine) pool(kind sig.CertificateKind, subject sig.Subject) *pool {
	key := poolKey{kind, subject}
	p := m.votes[key]
	if p == nil {
		p = &pool{}
		m.votes[key] = p
	}
	return p
}

// recovered takes the seed of a round whose block has a quorum: the block is certified and becomes the head.
//
// Spec: WP §6.1, §3.4; commonware §2.5, §3.3 (on q notarize), §3.8 (1).
func (m *machine) recovered(seed sig.Seed) ([]effect, error) {
	if seed.Round != m.round || m.phase != voting {
		return nil, nil
	}
	c := m.candidateOf(seed.Round)
	if c == nil {
		return nil, nil
	}
	subject := c.subject()
	votes := m.pool(sig.Notarization, subject)
	if !votes.done { // an answer to a question from before a restart
		return nil, nil
	}
	certificate, err := votes.certificate(sig.Notarization, subject, seed)
	if err != nil {
		return nil, err
	}
	m.certified[c.hash] = certificate
	m.advance(c, seed)
	var effects []effect
	if v, ok := m.journaled(sig.Finalization, subject); ok {
		effects = m.count(v)
	} else {
		effects = []effect{cast{kind: sig.Finalization, subject: subject, partial: *m.partial}}
	}
	return append(effects, m.enter()...), nil
}

// advance makes a certified block the head; its parent is committed.
func (m *machine) advance(c *candidate, seed sig.Seed) {
	h := &c.block.Header
	if h.Epoch > m.head.header.Epoch {
		m.epochSeed = m.head.seed.Signature[:]
	}
	m.head = head{header: h, hash: c.hash, state: c.state, seed: &seed}
	m.committed = max(m.committed, h.Height-1)
}

func (m *machine) candidateOf(round sig.Round) *candidate {
	for _, c := range m.candidates {
		if c.block.Header.Round() == round {
			return c
		}
	}
	return nil
}

// final finalizes the subject and its ancestors, in order. A finalization of what is final, or of a block that is not here, says
// nothing new.
//
// Spec: commonware §3.3 (on q finalize), §3.8 (3).
func (m *machine) final(subject sig.Subject) []effect {
	var chain []*candidate
	for c := m.candidates[subject.BlockHash]; c != nil; c = m.candidates[c.block.Header.ParentHash] {
		chain = append(chain, c)
	}
	var effects []effect
	for i := len(chain) - 1; i >= 0; i-- {
		effects = append(effects, m.close(chain[i]))
	}
	return effects
}

// close makes the certificates of a final block and forgets its votes. A block that is final through a descendant has no
// finalization of its own: its descendant's proves it.
func (m *machine) close(c *candidate) effect {
	subject := c.subject()
	notarization := m.certified[c.hash]
	certificates := []*sig.Certificate{notarization}
	seed := sig.Seed{Round: subject.Round, Signature: notarization.Seed}
	if p := m.pool(sig.Finalization, subject); len(p.signatures) >= sig.Quorum(m.validators) {
		if f, err := p.certificate(sig.Finalization, subject, seed); err == nil {
			certificates = append(certificates, f)
		}
	}
	delete(m.candidates, c.hash)
	delete(m.certified, c.hash)
	delete(m.votes, poolKey{sig.Notarization, subject})
	delete(m.votes, poolKey{sig.Finalization, subject})
	m.finalized = c.block.Header.Height
	m.committed = max(m.committed, m.finalized)
	return finalize{c, certificates}
}

// stored says that a block is durable.
func (m *machine) stored(height unit.Height) []effect {
	if height <= m.durable {
		return nil
	}
	m.durable = height
	effects := []effect{forget{height}}
	if m.phase == stalled {
		m.phase = proposing
		effects = append(effects, m.ask()...)
	}
	return effects
}

// firstOfEpoch is the height whose block took over the seed of an epoch.
func firstOfEpoch(epoch uint64) unit.Height { return unit.Height(epoch * params.EpochBlocks) }
