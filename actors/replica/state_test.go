package replica

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// replicaTest answers a machine's effects the way the subsystems do.
type replicaTest struct {
	t         *testing.T
	m         machine
	keys      []genesis.DevValidator
	sharing   *bls.Sharing
	namespace sig.Namespace
	journal   []entry
	finals    []finalize
	proposals []propose
	hold      bool // do not answer proposals
	deaf      bool // do not answer finalize
	stopCast  int  // stop after so many casts; -1 never
}

func newTest(t *testing.T, n int) *replicaTest {
	t.Helper()
	keys, sharing, err := genesis.DevValidators(n)
	if err != nil {
		t.Fatal(err)
	}
	return &replicaTest{t: t, m: machine{validators: n}, keys: keys, sharing: sharing, namespace: sig.NewNamespace(1), stopCast: -1}
}

func genesisHead() head {
	h := &block.Header{Version: 1, ChainID: 1}
	return head{header: h, hash: h.Hash()}
}

// blockOn is an empty block of a round on a parent.
func blockOn(parent head, round sig.Round) *candidate {
	b := &block.Block{Header: block.Header{
		Version: 1, ChainID: 1, Height: parent.header.Height + 1, Epoch: round.Epoch, View: round.View,
		ParentView: parent.header.View, ParentHash: parent.hash, ParentSeed: parent.seed,
	}}
	return &candidate{block: b, hash: b.Hash()}
}

func (r *replicaTest) sign(i int, c cast) vote {
	preimage := r.namespace.Notarize(c.subject)
	if c.kind == sig.Finalization {
		preimage = r.namespace.Finalize(c.subject)
	}
	return vote{
		kind: c.kind, subject: c.subject, signer: uint32(i), signature: r.keys[i].Vote.Sign(preimage),
		partial: r.keys[i].Share.Sign(r.namespace.Seed(c.subject.Round)), half: c.half,
	}
}

// do answers effects until none is left or a limit stops it.
func (r *replicaTest) do(effects []effect) {
	r.t.Helper()
	for len(effects) > 0 {
		e := effects[0]
		effects = effects[1:]
		var next []effect
		switch e := e.(type) {
		case contribute:
			next = r.m.partialOf(e.round, r.keys[0].Share.Sign(r.namespace.Seed(e.round)))
		case pace:
			next = r.m.due(e.round)
		case propose:
			r.proposals = append(r.proposals, e)
			if !r.hold {
				next = r.m.proposed(e.round, blockOn(e.parent, e.round))
			}
		case verify:
			next = r.m.executed(&candidate{block: e.block, hash: e.block.Hash()})
		case cast:
			if r.stopCast == 0 {
				return
			}
			r.stopCast--
			v := r.sign(0, e)
			r.journal = append(r.journal, entry{v, e.block})
			next = r.m.count(v)
		case recoverSeed:
			s, err := bls.Recover(r.sharing.Threshold(), e.partials)
			if err != nil {
				r.t.Fatal(err)
			}
			if next, err = r.m.recovered(sig.Seed{Round: e.round, Signature: s}); err != nil {
				r.t.Fatal(err)
			}
		case finalize:
			r.finals = append(r.finals, e)
			if !r.deaf {
				next = r.m.stored(e.candidate.block.Header.Height)
			}
		}
		effects = append(next, effects...)
		if len(r.proposals) > 40 {
			return
		}
	}
}

// A validator alone proposes, votes, certifies and finalizes block after block; every certificate verifies, and every block but the
// first carries the commit half for its parent.
//
// Spec: WP §6.1; commonware §3.3, §3.7, §3.8.
func TestSetOfOneFinalizes(t *testing.T) {
	r := newTest(t, 1)
	r.do(r.m.start(genesisHead(), []byte("genesis"), nil))
	if len(r.finals) < 30 {
		t.Fatalf("%d final blocks", len(r.finals))
	}
	epoch := bls.Epoch{Namespace: r.namespace, Validators: []*bls.PublicKey{r.keys[0].Vote.PublicKey()}, Group: r.sharing.GroupKey()}
	for i, f := range r.finals {
		if h := f.candidate.block.Header.Height; h != unit.Height(i+1) || len(f.certificates) != 2 {
			t.Fatalf("final %d: height %d, %d certificates", i, h, len(f.certificates))
		}
		for _, c := range f.certificates {
			if err := epoch.VerifyCertificate(c); err != nil || c.Subject != f.candidate.subject() {
				t.Errorf("block %d: %v: %v", i+1, c.Kind, err)
			}
		}
	}
	for _, e := range r.journal {
		want := e.vote.kind == sig.Notarization && e.vote.subject.Height > 1
		if h := e.vote.half; want != (h != nil) {
			t.Errorf("%v vote for block %d: half %v", e.vote.kind, e.vote.subject.Height, h)
		} else if h != nil && bls.Verify(epoch.Validators[0], r.namespace.Finalize(h.parent), h.signature) != nil {
			t.Errorf("the commit half in the vote for block %d is no vote to commit its parent", e.vote.subject.Height)
		}
	}
	if len(r.m.votes) > 4 || len(r.m.candidates) > 1 || len(r.m.certified) > 1 {
		t.Errorf("left over: %d pools, %d candidates, %d certificates", len(r.m.votes), len(r.m.candidates), len(r.m.certified))
	}
}

// Whatever vote was the last to be journaled, a restart finalizes the same blocks and never votes for another in a round it voted in.
//
// Spec: commonware §3.5.
func TestRestartAfterAnyVote(t *testing.T) {
	for stop := 1; stop < 12; stop++ {
		r := newTest(t, 1)
		r.deaf, r.stopCast = true, stop // the ledger keeps nothing: all of it must come from the journal
		r.do(r.m.start(genesisHead(), []byte("genesis"), nil))
		j := journal{entries: r.journal}
		again := newTest(t, 1)
		again.do(again.m.start(genesisHead(), []byte("genesis"), j.blocks()))
		voted := map[sig.Round]digest.Hash{}
		for _, e := range append(r.journal, again.journal...) {
			if e.vote.kind != sig.Notarization {
				continue
			}
			if before, twice := voted[e.vote.subject.Round]; twice && before != e.vote.subject.BlockHash {
				t.Fatalf("after %d votes: two blocks in round %v", stop, e.vote.subject.Round)
			}
			voted[e.vote.subject.Round] = e.vote.subject.BlockHash
		}
		for i, f := range r.finals {
			if again.finals[i].candidate.hash != f.candidate.hash {
				t.Fatalf("after %d votes: another block %d is final", stop, i+1)
			}
		}
		for _, e := range r.journal { // whatever was voted for is final now
			if h := e.vote.subject.Height; again.finals[h-1].candidate.hash != e.vote.subject.BlockHash {
				t.Fatalf("after %d votes: block %d was voted for and lost", stop, h)
			}
		}
	}
}

// With four validators one vote certifies nothing and three do, whichever they are; commit halves and explicit votes pool.
//
// Spec: commonware §2.1, §3.8 (2), (3).
func TestQuorumOfFour(t *testing.T) {
	r := newTest(t, 4)
	r.do(r.m.start(genesisHead(), []byte("genesis"), nil))
	if len(r.finals) != 0 || r.m.head.header.Height != 0 {
		t.Fatal("one of four votes was enough")
	}
	b1 := r.m.candidateOf(sig.Round{View: 1})
	votes := func(c *candidate, kind sig.CertificateKind, h *half, from, to int) {
		for i := from; i < to; i++ {
			own := h
			if h != nil {
				own = &half{h.parent, r.keys[i].Vote.Sign(r.namespace.Finalize(h.parent))}
			}
			r.do(r.m.count(r.sign(i, cast{kind: kind, subject: c.subject(), half: own})))
		}
	}
	votes(b1, sig.Notarization, nil, 1, 2)
	votes(b1, sig.Notarization, nil, 1, 2) // the same vote counts once
	if r.m.head.hash == b1.hash {
		t.Fatal("two of four votes were enough")
	}
	votes(b1, sig.Notarization, nil, 2, 3)
	if r.m.head.hash != b1.hash || len(r.finals) != 0 || r.m.committed != 0 {
		t.Fatalf("after three votes: head %v, %d final", r.m.head.header.Height, len(r.finals))
	}
	b2 := r.m.candidateOf(sig.Round{View: 2})
	votes(b2, sig.Notarization, &half{parent: b1.subject()}, 2, 4)
	if r.m.head.hash != b2.hash || r.m.committed != 1 {
		t.Errorf("head %d, committed %d", r.m.head.header.Height, r.m.committed)
	}
	if len(r.finals) != 1 || r.finals[0].candidate.hash != b1.hash || len(r.finals[0].certificates) != 2 {
		t.Fatalf("finals %+v: a certificate whose voters all gave the commit half finalizes the parent", r.finals)
	}
}

// Rounds follow the epochs. Spec: WP "Validator Set", §13; commonware §2.1, §3.6.
func TestRoundsAcrossEpochs(t *testing.T) {
	parent := &block.Header{Height: params.EpochBlocks - 2, View: 4_000}
	if got := nextRound(parent); got != (sig.Round{View: 4_001}) {
		t.Errorf("inside the epoch: %v", got)
	}
	parent.Height++
	if got := nextRound(parent); got != (sig.Round{Epoch: 1, View: 1}) {
		t.Errorf("into the epoch: %v", got)
	}
	r := newTest(t, 1)
	seed := &sig.Seed{Round: sig.Round{View: 4_001}, Signature: sig.BLSSignature{5}}
	parent.View = 4_001
	r.do(r.m.start(head{header: parent, hash: parent.Hash(), seed: seed}, []byte("genesis"), nil))
	first, second := r.proposals[0], r.proposals[1]
	if first.round.Epoch != 1 || string(first.epochSeed) != string(seed.Signature[:]) || string(second.epochSeed) != string(seed.Signature[:]) {
		t.Errorf("proof seeds %x, %x", first.epochSeed, second.epochSeed)
	}
}

// Blocks wait for the ledger, not the other way round. Spec: commonware §3.5.
func TestLedgerHoldsBack(t *testing.T) {
	r := newTest(t, 1)
	r.deaf = true
	r.do(r.m.start(genesisHead(), []byte("genesis"), nil))
	if len(r.finals) != undurableMax || r.m.phase != stalled {
		t.Fatalf("%d final blocks wait, phase %d", len(r.finals), r.m.phase)
	}
	before := len(r.proposals)
	r.do(r.m.stored(1))
	if len(r.proposals) != before+1 {
		t.Errorf("%d proposals after the ledger answered", len(r.proposals)-before)
	}
}

// Answers to questions from before a restart change nothing.
func TestStaleAnswers(t *testing.T) {
	r := newTest(t, 1)
	r.hold = true
	r.do(r.m.start(genesisHead(), []byte("genesis"), nil))
	round := sig.Round{View: 1}
	other := head{header: &block.Header{Height: 4}, hash: digest.Hash{4}}
	for name, effects := range map[string][]effect{
		"due":      r.m.due(round),
		"proposed": r.m.proposed(round, blockOn(other, round)),
		"early":    r.m.proposed(sig.Round{View: 9}, blockOn(r.m.head, round)),
		"executed": r.m.executed(blockOn(r.m.head, round)),
		"partial":  r.m.partialOf(sig.Round{View: 7}, bls.Partial{}),
		"stored":   r.m.stored(0),
	} {
		if len(effects) != 0 {
			t.Errorf("%s led to %v", name, effects)
		}
	}
	if effects, err := r.m.recovered(sig.Seed{Round: round}); err != nil || effects != nil {
		t.Errorf("a seed nobody asked for: %v, %v", effects, err)
	}
	if again := r.m.ask(); len(again) != 1 {
		t.Errorf("the proposer that forgot is told %v", again)
	}
}
