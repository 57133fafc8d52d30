package replica

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit/hashed"
)

// leader is the rank that leads view 1 of epoch 0 in a set of four: (epoch + view) mod n. Spec: commonware §3.1.
const leader = 1

// signer signs for one validator with hashes.
type signer struct {
	hashed.Scheme
	rank   uint32
	remote bool
}

func (k signer) Remote() bool                                       { return k.remote }
func (k signer) SignVote(v *simplex.Vote) (*simplex.Vote, error)    { return k.Vote(k.rank, v), nil }
func (k signer) Introduce(self link.Peer) (sig.BLSSignature, error) { return sig.BLSSignature{}, nil }
func (k signer) ProveVRF([]byte, uint64) (sig.BLSSignature, error)  { return sig.BLSSignature{}, nil }
func (k signer) SignNewView(m *simplex.NewView) (*simplex.NewView, error) {
	return k.NewView(k.rank, m, genesisHeader().Hash()), nil
}
func (k signer) SignAccusation(a *simplex.Accusation) (*simplex.Accusation, error) {
	return k.Accusation(k.rank, a), nil
}

// errInvalid is the verdict about a block that does not execute to its roots.
var errInvalid = &transition.Invalid{Reason: errors.New("not its roots")}

func genesisHeader() *block.Header { return &block.Header{Version: 1, ChainID: 1} }

// harness holds one validator's state in a set of four. It does what the actor does, signs, and writes down in order what is wanted.
type harness struct {
	t       *testing.T
	now     time.Time
	scheme  hashed.Scheme
	signer  signer
	journal contents
	state   *state
	keys    *keys
	done    []effect // since the last look
}

// newHarness starts validator 0 in epoch 0, with the journal of what it did before, among the nodes of the three others.
func newHarness(t *testing.T, change ...func(*harness)) *harness {
	d := &harness{t: t, now: time.Unix(1_700_000_000, 0), scheme: hashed.Scheme{Namespace: sig.NewNamespace(1), Keys: [][]byte{{0}, {1}, {2}, {3}}}}
	d.signer = signer{Scheme: d.scheme}
	for _, f := range change {
		f(d)
	}
	d.start(nil)
	for rank := uint32(1); rank < 4; rank++ {
		d.tell(connected{nodeOf(rank)})
		d.hear(rank, &Introduction{rank, d.scheme.Sign(rank, roster.IntroductionPreimage(d.scheme.Namespace, nodeOf(rank)))})
	}
	return d
}

// nodeOf is the node of a validator.
func nodeOf(rank uint32) link.Peer { return link.Peer{byte(10 + rank)} }

func (d *harness) start(connected []link.Peer) {
	h := genesisHeader()
	calendar, err := params.NewCalendar(3_600)
	if err != nil {
		d.t.Fatal(err)
	}
	d.state = newState(settings{
		life: 7, namespace: d.scheme.Namespace, interval: time.Second, candidates: 1 << 30, finals: 1 << 30, seeks: true,
		identity: Identity{ChainID: 1, Genesis: h.Hash(), Calendar: calendar},
	}, head{header: h, hash: h.Hash(), epochSeed: d.genesis()}, connected)
	d.tell(begun{})
}

func (d *harness) genesis() []byte { h := genesisHeader().Hash(); return h[:] }

// tell has events decided and answers what is asked of journal and keys.
func (d *harness) tell(events ...event) {
	d.t.Helper()
	for len(events) > 0 {
		e := events[0]
		events = events[1:]
		for _, x := range d.state.decide(d.now, e) {
			d.done = append(d.done, x)
			switch x := x.(type) {
			case open:
				h := genesisHeader()
				c := &Committee{Scheme: d.scheme, VerifySeed: d.scheme.VerifySeed, Signer: d.signer}
				c.Stakes, c.Rewards = make([]unit.Amount, 4), make([]account.Address, 4)
				for i := range c.Stakes {
					c.Stakes[i], c.Rewards[i] = unit.CBY, account.Address{byte(i + 1)}
				}
				k, err := newKeys(x.epoch, d.signer, d.journal.records)
				if err != nil {
					d.t.Fatal(err)
				}
				d.keys = k
				events = append(events, opened{number: x.epoch, anchor: h, hash: h.Hash(), committee: c, journal: d.journal})
			case signVote, signNewView, signAccusation:
				answer, err := d.keys.sign(x)
				if err != nil {
					d.t.Fatal(err)
				}
				events = append(events, signed{answer})
			}
		}
	}
}

// hear brings a message from a validator's node.
func (d *harness) hear(rank uint32, f PeerMessage) {
	d.t.Helper()
	d.tell(heard{nodeOf(rank), EncodePeerMessage(f)})
}

// look gives what was wanted since it was called last.
func (d *harness) look() []effect {
	list := d.done
	d.done = nil
	return list
}

// block is one that the leader of view 1 may propose.
func (d *harness) block(txs ...*tx.Tx) *block.Block {
	b := childOf(genesisHeader(), 1_700_000_000_000, txs...)
	b.Header.ProposerIndex, b.Header.Proposer = leader, account.Address{leader + 1}
	b.Header.VRFProof = d.scheme.Sign(leader, d.scheme.Namespace.VRF(d.genesis(), 1))
	b.Header.VRFOutput = block.VRFOutput(b.Header.VRFProof)
	return b
}

// proposal is the leader's of a block, with other bytes in its place where some are given.
func (d *harness) proposal(b *block.Block, bytes ...byte) *Agreement {
	if bytes == nil {
		bytes = b.Encode()
	}
	v := d.scheme.Vote(leader, &simplex.Vote{Kind: sig.Notarization, Subject: subjectOf(b), Signer: leader})
	return &Agreement{0, &simplex.Propose{Vote: *v, Block: bytes}}
}

// verdict answers the execution that was asked for last.
func (d *harness) verdict(b *block.Block, err error) executed {
	return executed{d.state.life, b.Hash(), d.state.run, executor.Executed{Result: &transition.Result{Header: b.Header}, Err: err}}
}

// first is the place of the first effect that suits, or -1.
func first[T effect](list []effect, suits func(T) bool) int {
	return slices.IndexFunc(list, func(e effect) bool { x, ok := e.(T); return ok && suits(x) })
}

func count[T effect](list []effect, suits func(T) bool) (n int) {
	for _, e := range list {
		if x, ok := e.(T); ok && suits(x) {
			n++
		}
	}
	return n
}

// tells reports whether a message is a vote, or an accusation, of this node's own.
func tells(f PeerMessage) (vote, accusation bool) {
	if a, ok := f.(*Agreement); ok {
		switch m := a.Message.(type) {
		case *simplex.Vote:
			return m.Signer == 0, false
		case *simplex.Accusation:
			return false, m.Signer == 0
		}
	}
	return false, false
}

func records[T simplex.Record](w write) (n int) {
	for _, r := range w.batch.records {
		if _, ok := r.(T); ok {
			n++
		}
	}
	return n
}

// asked lists whom a block was asked of.
func asked(list []effect, hash digest.Hash) (peers []link.Peer) {
	for _, e := range list {
		if s, ok := e.(send); ok {
			if w, ok := s.message.(*BlockRequest); ok && w.Hash == hash {
				peers = append(peers, s.to...)
			}
		}
	}
	return peers
}
