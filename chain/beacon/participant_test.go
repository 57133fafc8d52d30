package beacon

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// net is participants that talk over a network which delays, reorders, repeats and loses, and restart from what they kept.
type net struct {
	t      *testing.T
	random *rand.Rand
	info   *Info
	old    *set
	next   *set
	nodes  []*Participant // old members, then new ones who are no old members
	keys   []*bls.PrivateKey
	shares []*bls.Share
	kept   [][]Deal
	flight []func()
	logs   []*Log
	down   map[int]bool
}

func newNet(t *testing.T, seed uint64, old, next *set) *net {
	t.Helper()
	info, err := NewInfo(namespace, 5, old.sharing, old.publics, next.publics)
	if err != nil {
		t.Fatal(err)
	}
	n := &net{t: t, random: rand.New(rand.NewPCG(seed, 1)), info: info, old: old, next: next, down: map[int]bool{}}
	for i, k := range old.keys {
		n.keys, n.shares = append(n.keys, k), append(n.shares, &old.shares[i])
	}
	for i, name := range next.names {
		if !slices.Contains(old.names, name) {
			n.keys, n.shares = append(n.keys, next.keys[i]), append(n.shares, nil)
		}
	}
	n.nodes, n.kept = make([]*Participant, len(n.keys)), make([][]Deal, len(n.keys))
	return n
}

func (n *net) start(node int) {
	n.t.Helper()
	p, effects, err := NewParticipant(n.info, n.keys[node], n.shares[node], n.kept[node])
	if err != nil {
		n.t.Fatal(err)
	}
	for _, l := range n.logs {
		if p.dealer != nil && l.Dealer == p.dealer.rank {
			p.Posted()
		}
	}
	n.nodes[node] = p
	n.perform(node, effects)
}

// holder is the node with a key.
func (n *net) holder(key *bls.PublicKey) int {
	return slices.IndexFunc(n.keys, func(k *bls.PrivateKey) bool { return k.PublicKey().Bytes() == key.Bytes() })
}

func (n *net) perform(node int, effects []Effect) {
	n.t.Helper()
	for _, e := range effects {
		switch e := e.(type) {
		case Keep:
			n.kept[node] = append(n.kept[node], e.Deal)
		case SendDeal:
			to := n.holder(n.info.Players[e.To])
			n.send(func() { n.receive(to, func(p *Participant) ([]Effect, error) { return p.Deal(e.Deal) }) })
		case SendAck:
			to := n.holder(n.info.Dealers[e.To])
			n.send(func() { n.receive(to, func(p *Participant) ([]Effect, error) { return p.Ack(e.Ack) }) })
		case Post:
			if err := n.info.Check(e.Log); err != nil {
				n.t.Errorf("node %d posts a bad log: %v", node, err)
			}
			n.logs = append(n.logs, e.Log)
		}
	}
}

func (n *net) send(deliver func()) {
	for range n.random.IntN(3) { // lost, once or twice
		n.flight = append(n.flight, deliver)
	}
}

func (n *net) receive(node int, f func(*Participant) ([]Effect, error)) {
	n.t.Helper()
	if n.down[node] || n.nodes[node] == nil {
		return
	}
	effects, err := f(n.nodes[node])
	if err != nil {
		n.t.Errorf("node %d: %v", node, err)
	}
	n.perform(node, effects)
}

func (n *net) run(rounds int) {
	for range rounds {
		for len(n.flight) > 0 {
			i := n.random.IntN(len(n.flight))
			deliver := n.flight[i]
			n.flight = slices.Delete(n.flight, i, i+1)
			deliver()
		}
		for i, p := range n.nodes {
			if p != nil && !n.down[i] {
				n.perform(i, p.Retry())
			}
		}
	}
	for i, p := range n.nodes {
		if p != nil && !n.down[i] {
			n.perform(i, p.Deadline())
		}
	}
}

// TestParticipants hands a key on over a bad network, with one node down and others restarting, and every survivor ends with its share.
// Spec: commonware §4.3.
func TestParticipants(t *testing.T) {
	for seed := range uint64(6) {
		old := newSet(t, named(4)...).deal(t)
		next := newSet(t, "v0", "v2", "v3", "new0", "new1")
		n := newNet(t, seed, old, next)
		crashed := int(seed % 4) // v1 only deals, the others play as well
		n.down[crashed] = true
		for i := range n.nodes {
			if !n.down[i] {
				n.start(i)
			}
		}
		n.run(3)
		for i := range n.nodes {
			if i != crashed && n.random.IntN(2) == 0 {
				n.start(i) // restarted
			}
		}
		n.run(8)
		slices.SortFunc(n.logs, func(a, b *Log) int { return int(a.Dealer) - int(b.Dealer) })
		if len(n.logs) != 3 {
			t.Fatalf("seed %d: %d logs", seed, len(n.logs))
		}
		round := sig.Round{Epoch: 5, View: seed}
		var partials []bls.Partial
		for i, p := range n.nodes {
			if p == nil {
				continue
			}
			o, share, err := p.Finish(n.logs)
			if err != nil || o.Sharing.GroupKey().Bytes() != old.sharing.GroupKey().Bytes() {
				t.Fatalf("seed %d, node %d: %v", seed, i, err)
			}
			if (share == nil) != (p.player == nil) {
				t.Errorf("seed %d, node %d: share %v", seed, i, share)
			}
			if share != nil {
				partials = append(partials, share.Sign(namespace.Seed(round)))
			}
		}
		s, err := bls.Recover(n.info.Threshold(), partials)
		if err != nil || bls.Verify(old.sharing.GroupKey(), namespace.Seed(round), s) != nil {
			t.Errorf("seed %d: no seed: %v", seed, err)
		}
	}
}

// TestBystander: a node that neither deals nor plays follows the outcome and answers nobody. Spec: commonware §4.3.
func TestBystander(t *testing.T) {
	old, next := newSet(t, named(4)...).deal(t), newSet(t, named(4)...)
	c := newCeremony(t, 5, old, next)
	p, effects, err := NewParticipant(c.info, private(t, "nobody"), nil, nil)
	if err != nil || len(effects) != 0 {
		t.Fatal(err)
	}
	deal, _ := c.dealer(0).Deal(1)
	if _, err := p.Deal(deal); !errors.Is(err, ErrRank) {
		t.Errorf("a deal: %v", err)
	}
	if _, err := p.Ack(Ack{}); !errors.Is(err, ErrRank) {
		t.Errorf("an answer: %v", err)
	}
	logs, _ := c.run()
	if o, share, err := p.Finish(logs); err != nil || share != nil || o.Sharing == nil {
		t.Errorf("%v %v", share, err)
	}
	if len(p.Deadline())+len(p.Retry()) != 0 {
		t.Error("a bystander acts")
	}
}
