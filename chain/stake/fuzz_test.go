package stake

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var rounds = flag.Int("rounds", 15, "random tapes to play")

// tape is a fuzzer's input read as numbers.
type tape []byte

func (p *tape) next() uint64 {
	if len(*p) == 0 {
		return 0
	}
	b := (*p)[0]
	*p = (*p)[1:]
	return uint64(b)
}

// invariants: the registry's coins are its stakes and releases; the set is in order, somebody can be drawn, and weights are the stakes of those who
// were Active when it was made.
func (w *world) invariants() {
	w.t.Helper()
	w.supply()
	var held unit.Amount
	w.must(w.each(func(a account.Address, v *Validator) error {
		held += v.Stake + v.Joining
		for _, r := range v.Releases {
			held += r.Amount
		}
		if v.Leaving > v.Stake+v.Joining || v.Status == Unbonding && v.Stake+v.Joining > 0 || len(v.Releases) > params.MaxUnbondings+1 {
			w.t.Errorf("%v: %+v", a, v)
		}
		if to, ok, err := w.overlay.Lookup(voteKey(v.Key)); err != nil || !ok || account.Address(to) != a {
			w.t.Errorf("%v: key of %x", a, to)
		}
		return nil
	}))
	if b := w.balance(home()); b != held {
		w.t.Fatalf("height %d: the registry holds %d, its records %d", w.Height, b, held)
	}
	set, err := SetAt(w.overlay, w.epoch())
	w.must(err)
	var total unit.Amount
	for _, m := range set.Members {
		total += m.Weight
		if v := w.of(m.Address); v.Status == Active && v.Stake != m.Weight {
			w.t.Errorf("height %d: %v has %d and weight %d", w.Height, m.Address, v.Stake, m.Weight)
		}
	}
	if total == 0 {
		w.t.Errorf("height %d: nobody can be drawn", w.Height)
	}
	_, sharing, err := set.Keys(chain)
	w.must(err)
	if int(sharing.Total()) != len(set.Members) {
		w.t.Errorf("height %d: key of %d for %d", w.Height, sharing.Total(), len(set.Members))
	}
}

// Whatever validators do, in whatever order: coins are conserved to the base unit, there is a set that can go on, and the weights of every past block are
// those that were copied then.
//
// Spec: WP "Validator Set", "Staking and Rewards", "Slashing"; governance-staking part A, B4 (snapshots).
func FuzzRegistry(f *testing.F) {
	f.Add([]byte{0, 3, 9, 9, 1, 1, 10, 2, 2, 0, 9, 9, 5, 1, 7, 9, 8, 9, 9, 3, 1, 8})
	f.Add([]byte{5, 0, 7, 5, 0, 8, 9, 6, 0, 8, 4, 0, 9, 9, 2, 0, 1, 9, 9, 7, 50, 9})
	f.Add([]byte{0, 3, 0, 4, 0, 5, 0, 6, 9, 3, 3, 2, 3, 9, 9, 9, 9, 9, 9, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 300 {
			t.Skip()
		}
		play(t, data)
	})
}

// play runs a tape of what validators do.
func play(t *testing.T, data []byte) {
	t.Helper()
	p := tape(data)
	w := newWorld(t, minimum, 2*minimum, 3*minimum)
	view, past := uint64(0), copies{}
	for len(p) > 0 {
		op := p.next() % 10
		a := addr(byte(1 + p.next()%8))
		switch op {
		case 0:
			if _, ok, _ := Load(w.overlay, a); !ok && w.balance(a) > 2*minimum {
				w.join(a[19], minimum+unit.Amount(p.next()))
			}
		case 1:
			amount := unit.Amount(p.next())
			if err := w.AddStake(a, amount); err == nil {
				w.pay(a, amount)
			}
		case 2:
			_ = w.Exit(a, nil)
		case 3:
			amount := unit.Amount(p.next()) * minimum / 100
			_ = w.Exit(a, &amount)
		case 4:
			_, _ = w.Withdraw(a)
		case 5:
			view++
			if _, ok, _ := Load(w.overlay, a); ok {
				w.must(w.punish(a, sig.Round{Epoch: w.epoch(), View: view}, uint32(p.next()%2)*params.DoubleSignSlashBPS, addr(9)))
			}
		case 6:
			_ = w.Unjail(a)
		case 7:
			w.mint(unit.Amount(p.next()) * 1_000_003)
		case 8:
			w.freezeBlock()
			if _, _, ok, _ := Ceremony(w.overlay, chain, w.epoch()); ok {
				w.reshare()
			}
			w.boundary()
		case 9:
			for range 1 + p.next()%64 {
				w.boundary()
			}
		}
		w.invariants()
		past.take(w)
		past.check(w)
	}
}

// TestRegistryAtRandom runs the fuzz target's rules over random tapes. Spec: governance-staking part A.
func TestRegistryAtRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range *rounds {
		data := make([]byte, 60)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		play(t, data)
	}
}
