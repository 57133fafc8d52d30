package stake

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// troupe is the attendants of a world's validators, a network that loses every third message, and their disks.
type troupe struct {
	*world
	nodes map[account.Address]*Attendant
	disks map[account.Address]map[uint64][]beacon.Deal
	order []account.Address
	down  map[account.Address]bool
	sent  int
	post  []func() // transactions of the next block
}

func newTroupe(w *world, all ...account.Address) *troupe {
	r := &troupe{world: w, nodes: map[account.Address]*Attendant{}, disks: map[account.Address]map[uint64][]beacon.Deal{}, order: all,
		down: map[account.Address]bool{}}
	for _, a := range all {
		r.disks[a] = map[uint64][]beacon.Deal{}
		r.boot(a)
	}
	return r
}

func (r *troupe) boot(a account.Address) {
	r.nodes[a] = &Attendant{
		Namespace: chain, Key: r.keys[a], Kept: func(epoch uint64) []beacon.Deal {
			if epoch != r.epoch()+1 {
				r.t.Errorf("asked for the deals of epoch %d in epoch %d", epoch, r.epoch())
			}
			return r.disks[a][epoch]
		},
		Held: func(sharing uint64) *bls.Share {
			if s, ok := r.shares[a]; ok && sharing == 0 {
				return &s
			}
			return nil
		},
	}
}

// share is what a node derives for an epoch from its disk.
func (r *troupe) share(a account.Address, epoch uint64) *bls.Share {
	r.t.Helper()
	s, err := Recover(r.overlay, chain, r.keys[a], epoch, r.disks[a][epoch])
	r.must(err)
	return s
}

// by is the account of a voting key.
func (r *troupe) by(key *bls.PublicKey) account.Address {
	for _, a := range r.order {
		if r.keys[a].PublicKey().Bytes() == key.Bytes() {
			return a
		}
	}
	r.t.Fatal("nobody's key")
	return account.Address{}
}

func (r *troupe) perform(a account.Address, effects []beacon.Effect) {
	r.t.Helper()
	epoch := r.epoch() + 1
	info, _, _, err := Ceremony(r.overlay, chain, r.epoch())
	r.must(err)
	for _, e := range effects {
		switch e := e.(type) {
		case beacon.Keep:
			r.disks[a][epoch] = append(r.disks[a][epoch], e.Deal)
		case beacon.SendDeal:
			to := r.by(info.Players[e.To])
			r.deliver(to, func(n *Attendant) ([]beacon.Effect, error) { return n.Deal(epoch, e.Deal) })
		case beacon.SendAck:
			to := r.by(info.Dealers[e.To])
			r.deliver(to, func(n *Attendant) ([]beacon.Effect, error) { return n.Ack(epoch, e.Ack) })
		case beacon.Post:
			if r.sent++; r.sent%3 != 0 { // a transaction gets lost like anything else
				r.post = append(r.post, func() { _ = r.Deal(a, e.Log.Encode()) })
			}
		}
	}
}

func (r *troupe) deliver(to account.Address, f func(*Attendant) ([]beacon.Effect, error)) {
	r.t.Helper()
	if r.sent++; r.down[to] || r.sent%3 == 0 {
		return
	}
	effects, err := f(r.nodes[to])
	if err != nil && !errors.Is(err, beacon.ErrInfo) { // that one has not seen the block yet
		r.t.Errorf("%v: %v", to, err)
	}
	r.perform(to, effects)
}

// block makes the block at a height and shows it to everybody.
func (r *troupe) block(height unit.Height) {
	r.t.Helper()
	r.Height = height
	for _, f := range r.post {
		f()
	}
	r.post = nil
	r.end()
	for _, a := range r.order {
		if r.down[a] {
			continue
		}
		effects, err := r.nodes[a].Final(height, r.overlay)
		if err != nil {
			r.t.Fatalf("%v at %d: %v", a, height, err)
		}
		r.perform(a, effects)
	}
}

// TestAttendants run a chain's resharing by themselves: one joins, one leaves, one is down all the time and one restarts with nothing but its disk; a
// node that was down derives its share afterwards. Then an epoch is carried forward.
// Spec: commonware §4.3.
func TestAttendants(t *testing.T) {
	w := newWorld(t, minimum, minimum, minimum, minimum)
	a, b, c, d, e := addr(1), addr(2), addr(3), addr(4), w5(w)
	w.must(w.Exit(d, nil))
	r := newTroupe(w, a, b, c, d, e)
	r.down[a] = true
	const every = params.EpochBlocks / retryPart
	calendar := w.Params.Calendar
	freeze := calendar.Freeze(0)
	for h := freeze; h < calendar.Last(0); h += every {
		r.block(h)
		if h == freeze+4*every {
			r.boot(b)
		}
	}
	if info, epoch := r.nodes[b].Ceremony(); info == nil || epoch != 1 {
		t.Errorf("the ceremony of epoch %d", epoch)
	}
	r.block(calendar.Last(0))
	if info, _ := r.nodes[b].Ceremony(); info != nil {
		t.Error("the ceremony outlasts the epoch")
	}
	w.Height++
	w.end()
	w.wantSet(weights{a: minimum, b: minimum, c: minimum, e: minimum})
	set, err := SetAt(w.overlay, 1)
	w.must(err)
	keys, sharing, err := set.Keys(chain)
	w.must(err)
	round := sig.Round{Epoch: 1, View: 4}
	var partials []bls.Partial
	for _, who := range []account.Address{b, c, e} { // a quorum of four
		share := r.share(who, 1)
		rank, _ := set.Rank(who)
		if share == nil || share.Index != rank || !sharing.Holds(*share) {
			t.Fatalf("%v holds %v", who, share)
		}
		partials = append(partials, share.Sign(chain.Seed(round)))
	}
	s, err := bls.Recover(3, partials)
	if err != nil || keys.VerifySeed(sig.Seed{Round: round, Signature: s}) != nil {
		t.Errorf("no seed: %v", err)
	}
	if r.share(d, 1) != nil {
		t.Error("who left derives a share")
	}
	// a was silent, so its values are in the open and it can make its share without ever having taken part.
	if share := r.share(a, 1); share == nil || !sharing.Holds(*share) {
		t.Errorf("the silent one: %v", share)
	}
	// c has lost what it acknowledged.
	r.disks[c] = nil
	if share := r.share(c, 1); share != nil {
		t.Error("a share out of nothing")
	}
	for _, who := range r.order {
		r.down[who] = who != e
	}
	r.block(calendar.Freeze(1))
	r.block(calendar.Last(1))
	if _, _, ok, err := Concluded(w.overlay, chain, 2); ok || err != nil {
		t.Errorf("a ceremony that failed has concluded: %v", err)
	}
	if share := r.share(e, 2); share != nil {
		t.Error("a new share of a key that was carried forward")
	}
}

func w5(w *world) account.Address { return w.join(5, minimum) }
