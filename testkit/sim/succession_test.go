package sim

import (
	"bytes"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// quiet is a network without trouble, with epochs of 20 blocks and real keys.
func quiet(validators, joiners, leavers int, kinds map[uint32]string) Plan {
	return Plan{
		Seed: 7, Validators: validators, Faulty: kinds, Interval: 500 * time.Millisecond, Real: true, Epoch: 20, Joiners: joiners, Leavers: leavers,
		Timeouts: simplex.Timeouts{Leader: 1_000, Certification: 1_500, Retry: 1_500, Skip: 6_000, Fetch: 400},
		Delay:    [2]time.Duration{time.Millisecond, 10 * time.Millisecond}, Schedule: PlanOf(1).Schedule,
	}
}

// story is a World with what a test wants of it.
type story struct {
	*World
	t *testing.T
}

func tell(t *testing.T, p Plan) *story {
	t.Helper()
	w, err := NewWorld(p)
	if err != nil {
		t.Fatal(err)
	}
	return &story{w, t}
}

func (s *story) until(what string, done func() bool) {
	s.t.Helper()
	if !s.RunUntil(s.now.Sub(s.start)+bound, done) {
		s.t.Fatalf("%s never: %v; %s", what, s.chain.Wrong, s.standings())
	}
}

func (s *story) record(m *machine) *stake.Validator {
	s.t.Helper()
	v, ok, err := stake.Load(s.chain.State(), m.keys.Account.Address())
	if err != nil || !ok {
		s.t.Fatalf("%s has no record: %v", m.name, err)
	}
	return v
}

// reach lets every honest machine that is up come to a height.
func (s *story) reach(height unit.Height) {
	s.t.Helper()
	s.until("the height", func() bool {
		for _, m := range s.machines {
			if m.honest() && !m.parked && m.durable < height {
				return false
			}
		}
		return true
	})
}

// A change of epochs with everything in it: two join, one leaves, one is jailed for voting twice, one dealer is down and one lies. Then the set, the
// coins, the shared key and the shares are what the rules say, and the chain goes on into further epochs.
//
// Spec: WP "Validator Set", "Slashing", §3.4, §8.4; governance-staking A1, A3; commonware §4.3.
func TestSuccession(t *testing.T) {
	const perjurer, misdealer, crashed, leaver = 1, 2, 4, 6
	s := tell(t, quiet(7, 2, 1, map[uint32]string{perjurer: faulty.Perjurer, misdealer: faulty.Misdealer}))
	m := s.machines
	before := s.set(0)
	down := m[crashed]
	s.reach(8)
	if down.life == nil {
		t.Fatal("nothing to crash")
	}
	down.parked = true
	down.life.end(nil)
	s.reach(18)
	held := map[*machine]*bls.Share{}
	for _, x := range m[:7] {
		held[x] = &x.keys.Share
	}
	accused := s.record(m[perjurer])
	if accused.Status != stake.Jailed || accused.Jailings != 1 || len(accused.Penalties) != 1 || accused.Stake != genesis.DevnetStake {
		t.Fatalf("the perjurer before the boundary: %+v", accused)
	}
	if from := accused.JailedUntil - params.JailBlocks; from < 4 || from > 12 {
		t.Errorf("jailed until %d", accused.JailedUntil)
	}
	s.reach(22)
	s.settledExactly(m, perjurer, leaver)
	s.reshared(before, held, m, crashed, leaver, perjurer)

	down.parked = false
	down.boot()
	s.reach(30)
	s.until("the crashed one's vote", func() bool { return down.life != nil && down.life.node.Replica.Status().Rank != simplex.Observer })
	s.reach(45)
	for _, x := range []*machine{m[perjurer], m[leaver]} {
		if rank := x.life.node.Replica.Status().Rank; rank != simplex.Observer {
			t.Errorf("%s still votes, as %d", x.name, rank)
		}
		if x.durable < 40 {
			t.Errorf("%s follows to %d only", x.name, x.durable)
		}
	}
	if after := s.set(2); !sameKey(t, before, after) || after.Shared != 2 || len(after.Members) != 7 {
		t.Errorf("epoch 2: %d members, key shared in epoch %d", len(after.Members), after.Shared)
	}
	for _, v := range s.chain.Wrong {
		t.Error(v)
	}
	t.Logf("%v", s.result())
}

// settledExactly checks set and coins after the boundary: 1 % of 100,000 CBY burned, nothing else.
func (s *story) settledExactly(m []*machine, perjurer, leaver int) {
	s.t.Helper()
	set := s.set(1)
	if len(set.Members) != 7 || set.Shared != 1 {
		s.t.Fatalf("epoch 1 has %d members, and the key of epoch %d", len(set.Members), set.Shared)
	}
	for i, x := range m {
		_, in := set.Find(x.key())
		if out := i == perjurer || i == leaver; in == out {
			s.t.Errorf("%s: member %v", x.name, in)
		}
	}
	v := s.record(m[perjurer])
	if v.Status != stake.Jailed || v.Stake != 99_000*unit.CBY || len(v.Penalties) != 0 {
		s.t.Errorf("the perjurer after the boundary: %+v", v)
	}
	if v = s.record(m[leaver]); v.Status != stake.Unbonding || len(v.Releases) != 1 || v.Releases[0] != (stake.Release{
		Amount: 100_000 * unit.CBY, Height: 20 + params.UnbondingBlocks}) {
		s.t.Errorf("the leaver: %+v", v)
	}
	if home := s.account(account.System(account.Governance)).Balance; home != (7*100_000+2*60_000-1_000)*unit.CBY {
		s.t.Errorf("the registry holds %s CBY", home.CBY())
	}
	if got := s.account(account.System(account.Treasury)).Balance; got != 0 {
		s.t.Errorf("the Treasury got %d of the slash", got)
	}
}

func sameKey(t *testing.T, a, b *stake.Set) bool {
	t.Helper()
	_, x, err := a.Keys(sig.NewNamespace(chainID))
	if err != nil {
		t.Fatal(err)
	}
	_, y, err := b.Keys(sig.NewNamespace(chainID))
	if err != nil {
		t.Fatal(err)
	}
	return x.GroupKey().Bytes() == y.GroupKey().Bytes()
}

// share reads what is on a machine's disk of the key that holds from an epoch on.
func (s *story) share(m *machine, since uint64) *bls.Share {
	s.t.Helper()
	store, err := shares.Open(m.shares.Memory.Crash(nil), s.chain.Hash(0), m.keys.Vote)
	if err != nil {
		s.t.Fatal(err)
	}
	defer store.Close()
	if store.Share(since) != nil && len(store.Deals(since)) > 0 {
		s.t.Errorf("%s keeps the deals of epoch %d", m.name, since)
	}
	return store.Share(since)
}

// reshared checks the key: the group's is the same, a quorum of new shares makes the seeds that verify under it, and an old share counts for nothing among
// them.
func (s *story) reshared(before *stake.Set, held map[*machine]*bls.Share, m []*machine, crashed, leaver, perjurer int) {
	s.t.Helper()
	set := s.set(1)
	keys, sharing, err := set.Keys(s.setup.namespace)
	if err != nil {
		s.t.Fatal(err)
	}
	if !sameKey(s.t, before, set) || bytes.Equal(before.Sharing, set.Sharing) {
		s.t.Error("another group key, or the same sharing")
	}
	round := sig.Round{Epoch: 1, View: 77}
	preimage := s.setup.namespace.Seed(round)
	var fresh []bls.Partial
	for i, x := range m {
		share := s.share(x, 1)
		rank, in := set.Find(x.key())
		if i == crashed { // down since before the list closed
			continue
		}
		if (share != nil) != in {
			s.t.Errorf("%s: member %v, share %v", x.name, in, share != nil)
			continue
		}
		if in && (share.Index != rank || !sharing.Holds(*share)) {
			s.t.Errorf("%s holds a share of %d", x.name, share.Index)
		}
		if in {
			fresh = append(fresh, share.Sign(preimage))
		}
		if s.share(x, 0) != nil {
			s.t.Errorf("%s keeps its old share", x.name)
		}
	}
	t := sharing.Threshold()
	if t != 5 || len(fresh) != 6 {
		s.t.Fatalf("threshold %d, %d shares", t, len(fresh))
	}
	seed, err := bls.Recover(t, fresh[:t])
	if err != nil || keys.VerifySeed(sig.Seed{Round: round, Signature: seed}) != nil {
		s.t.Errorf("no seed: %v", err)
	}
	for _, old := range []*machine{m[leaver], m[perjurer]} {
		partial := held[old].Sign(preimage)
		for rank := range uint32(len(set.Members)) {
			own, err := sharing.PartialKey(rank)
			if err != nil || bls.Verify(own, preimage, partial.Signature) == nil {
				s.t.Errorf("the old share of %s is one of rank %d: %v", old.name, rank, err)
			}
		}
		for at := range uint32(len(set.Members)) {
			partial.Index = at
			mixed := []bls.Partial{partial}
			for _, x := range fresh {
				if x.Index != at && len(mixed) < t {
					mixed = append(mixed, x)
				}
			}
			if got, err := bls.Recover(t, mixed); err == nil && got == seed {
				s.t.Errorf("the old share of %s helps to make a seed", old.name)
			}
		}
	}
	s.seeds(keys)
}

// seeds checks those of the headers of the present epoch under its own keys.
func (s *story) seeds(keys *bls.Epoch) {
	s.t.Helper()
	checked := 0
	for _, x := range s.machines {
		if x.life == nil || x.life.node == nil {
			continue
		}
		for h := unit.Height(21); h <= x.durable; h++ {
			b, err := x.life.node.Ledger.Block(h)
			if err != nil {
				s.t.Fatal(err)
			}
			if b.Header.ParentSeed == nil || b.Header.Epoch != 1 || keys.VerifySeed(*b.Header.ParentSeed) != nil {
				s.t.Errorf("%s: block %d has no seed of epoch 1", x.name, h)
			}
			checked++
		}
		break
	}
	if checked == 0 {
		s.t.Error("no seed was looked at")
	}
}

// Two machines with one key, each with a journal of its own, as only somebody who copies a key by hand can run them: the others prove it, and the stake
// loses 1 % for every round in which they contradicted each other, to the base unit.
//
// Spec: WP "Slashing"; governance-staking A3.
func TestTwinsArePunished(t *testing.T) {
	p := quiet(5, 0, 0, map[uint32]string{2: faulty.Twin})
	p.Interval, p.Chaos = time.Millisecond, time.Hour // no block waits for the clock: two propose at two instants
	s := tell(t, p)
	twin, other := s.machines[2], s.machines[3] // they do not hear each other
	for _, cut := range [][2]*machine{{twin, other}, {other, twin}} {
		s.severed[[2]int{cut[0].index, cut[1].index}] = 1
	}
	s.until("the jailing", func() bool { return s.record(twin).Status == stake.Jailed })
	var last *stake.Validator
	s.until("the boundary", func() bool {
		if s.chain.Height() < s.setup.calendar.Last(s.setup.calendar.Epoch(s.chain.Height())) {
			last = s.record(twin)
		}
		return len(s.record(twin).Penalties) == 0
	})
	punished := s.record(twin)
	want := genesis.DevnetStake
	for range punished.Jailings {
		want -= want / 100
	}
	if punished.Jailings == 0 || punished.Stake != want {
		t.Errorf("%d offences left %d of %d, by hand %d; before %+v", punished.Jailings, punished.Stake, genesis.DevnetStake, want, last)
	}
	if home := s.account(account.System(account.Governance)).Balance; home != 4*genesis.DevnetStake+want {
		t.Errorf("the registry holds %d", home)
	}
	for _, m := range s.machines {
		if m.honest() {
			if v := s.record(m); v.Jailings != 0 || v.Stake != genesis.DevnetStake {
				t.Errorf("honest %s: %+v", m.name, v)
			}
		}
	}
	for _, v := range s.chain.Wrong {
		t.Error(v)
	}
	t.Logf("%d offences; %v", punished.Jailings, s.result())
}
