package proxy

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

var (
	seeds = flag.Int("seeds", 4, "how many seeds the simulation of committees runs")
	from  = flag.Uint64("from", 0, "the first of them")
)

// TestSimulation runs committees of seven, of which four are needed, through resharings, churn, losses and partitions, with up to three bad proxies. Bad
// and cut off ones are never more than three at a time, and in any resharing some may be cut off: for a short time, which costs nobody its share, or for longer
// than the others wait. The key stays, what was sealed first opens with what the honest hold, and only bad proxies are punished.
//
// Spec: secrets-cbss §3, §5 (RotateCommittee, slashing), §10 (3).
func TestSimulation(t *testing.T) {
	for seed := *from; seed < *from+uint64(*seeds); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { simulate(t, seed) })
	}
}

func simulate(t *testing.T, seed uint64) {
	const members, quorum, pool = 7, 4, 10
	w := newWorld(t, pool, seed)
	w.loss = 0.1
	bad := w.random.IntN(members - quorum + 1)
	var honest []*party
	for i, p := range w.parties {
		if i < bad {
			w.corrupt(p)
			continue
		}
		honest = append(honest, p)
	}
	id := cbss.SecretID{Account: owner, KeyHash: digest.Hash{5}}
	_, err := w.service.Set(id, secret.Policy{}, nil, &secret.Override{Members: members, Quorum: quorum}, digest.Hash{})
	w.must(err)
	of := secret.Scope{Secret: id, Version: 1}
	w.must(err)
	if !w.until(of, 1, 300) {
		t.Fatalf("%d bad proxies: no key is made", bad)
	}
	master := w.key(of).Master
	e, to, _ := w.sealed(w.key(of))
	for epoch := uint64(2); epoch <= 4; epoch++ {
		cut, long := w.random.IntN(members-quorum-bad+1), w.random.IntN(2) == 0
		for _, i := range w.random.Perm(len(honest))[:cut] {
			honest[i].cut = true
		}
		if err := w.service.Reshare(of, owner); !errors.Is(err, secret.ErrInProgress) { // which the punishment of a member may be the cause of
			w.must(err)
		}
		away := 1 + w.random.IntN(wholeFor/2)
		if long { // who is cut off for so long may have no share until the next time
			away = wholeFor + wholeFor/2
		}
		done := w.until(of, epoch, away)
		for _, p := range honest {
			p.cut = false
		}
		if !done && !w.until(of, epoch, 3*wholeFor) {
			t.Fatalf("%d bad, %d cut off for %d rounds: epoch %d does not come", bad, cut, away, epoch)
		}
		if !long {
			w.allHold(of, honest)
		}
		for range 5 {
			w.round()
		}
		if w.key(of).Master != master {
			t.Fatal("the master key changed")
		}
		if !w.opens(of, honest, e, to) {
			t.Fatalf("%d bad, %d cut off: what was sealed does not open in epoch %d", bad, cut, epoch)
		}
		for w.service.Height < w.key(of).Reshared+200 && len(w.key(of).Prior) >= secret.MaxPrior {
			w.round()
		}
		if churned := honest[w.random.IntN(len(honest))]; epoch == 2 && len(honest) > members {
			_ = w.service.Deregister(churned.self.ID)
		}
	}
	for _, id := range w.slashed {
		if p := w.of(id); !p.bad {
			t.Error("an honest proxy was punished")
		}
	}
}

// allHold wants a share with every honest member of the present committee.
func (w *world) allHold(of secret.Scope, honest []*party) {
	w.t.Helper()
	k := w.key(of)
	for _, p := range honest {
		if k.PlaceOf(p.self.ID) > 0 && p.held(of, k.Epoch) == nil {
			w.t.Errorf("epoch %d: the member at place %d was cut off for a short time and has no share", k.Epoch, k.PlaceOf(p.self.ID))
		}
	}
}

// corrupt makes a proxy a bad one: silent, garbling, or a dealer of shares that do not fit its commitments.
func (w *world) corrupt(p *party) {
	p.bad = true
	switch w.random.IntN(3) {
	case 0:
		p.spoil = func([]byte) []byte { return nil }
	case 1:
		p.spoil = func(body []byte) []byte {
			if len(body) > 33 && w.random.IntN(2) == 0 {
				body[33+w.random.IntN(len(body)-33)] ^= 1 << w.random.IntN(8)
			}
			return body
		}
	case 2:
		p.saboteur = true
	}
}

// sabotage has a dealer's shares not follow from its commitments.
func (p *party) sabotage() {
	for _, s := range p.sessions {
		if s.dealer > 0 && len(s.poly) > 1 && !slices.Contains(p.sabotaged, s.id) {
			p.sabotaged = append(p.sabotaged, s.id)
			s.poly[1] = derived(s.kept.seed, 7, 7)
		}
	}
}

// TestSabotage has a dealer sign a share that contradicts its own commitments, of a key that is passed on and of one that is made: the key comes without it,
// and the chain takes the evidence, once.
//
// Spec: secrets-cbss §5 (DkgSabotage).
func TestSabotage(t *testing.T) {
	for name, reshare := range map[string]bool{"of a key that is passed on": true, "of a new key": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 6, 3)
			of := secret.AccountScope(owner)
			w.must(w.service.RequestKey(owner, owner))
			w.block()
			w.block()
			p, err := secret.LoadPending(w.service.State, of)
			w.must(err)
			bad := w.of(p.Committee[2])
			bad.bad, bad.saboteur = true, !reshare
			if !w.until(of, 1, 100) {
				t.Fatal("no key is made")
			}
			if reshare {
				if bad = w.of(w.key(of).Committee[2]); len(w.slashed) > 0 {
					t.Error("somebody was punished for a key that all have made")
				}
				bad.bad, bad.saboteur = true, true
				w.must(w.service.Reshare(of, owner))
				if !w.until(of, 2, 100) {
					t.Fatal("the key is not passed on")
				}
			}
			if len(w.slashed) != 1 || w.slashed[0] != bad.self.ID {
				t.Errorf("punished: %d, want the one that dealt wrongly", len(w.slashed))
			}
		})
	}
}

// TestUnlock has members open a time lock: as many as it takes at once, and those that stand by where one of these is gone.
//
// Spec: secrets-cbss §4 (153).
func TestUnlock(t *testing.T) {
	for name, gone := range map[string]bool{"all are there": false, "one is gone": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 6, 5)
			of := secret.AccountScope(owner)
			w.must(w.service.RequestKey(owner, owner))
			if !w.until(of, 1, 60) {
				t.Fatal("no key is made")
			}
			k := w.key(of)
			round := w.service.Seed.Round
			round.View += 3
			id := secret.LockID(owner, digest.Hash{1}, round)
			to := &cbss.Identity{ChainID: testChain, Secret: cbss.SecretID{Account: owner, KeyHash: id}, Epoch: k.Epoch, Master: k.Master}
			data := [32]byte{1, 2, 3}
			e, err := cbss.Wrap(to, derived([32]byte{9}, 9, 9), [12]byte{}, data)
			w.must(err)
			_, err = w.service.Lock(owner, digest.Hash{1}, round, &secret.Sealed{Epoch: k.Epoch, Pointer: []byte{1, 'p'}, Wrapped: e.Append(nil)})
			w.must(err)
			if gone {
				for place := range k.Committee { // one of those who do not stand by
					if standsBy(id[0], len(k.Committee), k.Threshold(), uint32(place+1)) == 0 {
						w.of(k.Committee[place]).cut = true
						break
					}
				}
			}
			for range 2 {
				w.round()
			}
			if w.unlocks > 0 {
				t.Errorf("%d partials are given before the round", w.unlocks)
			}
			for range 2 * lookAfter {
				w.round()
			}
			v, err := secret.LoadLock(w.service.State, id)
			w.must(err)
			if v.Opened == 0 {
				t.Fatalf("it is closed, with %d partials", len(v.Partials))
			}
			if got, err := e.Open(v.Sigma); err != nil || got != data {
				t.Errorf("what was given does not open it: %v", err)
			}
			if !gone && w.unlocks != k.Threshold() {
				t.Errorf("%d partials were sent, want %d", w.unlocks, k.Threshold())
			}
		})
	}
}
