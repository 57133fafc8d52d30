package beacon

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

func states(t *testing.T, n int) []*state {
	t.Helper()
	validators, sharing, err := genesis.DevValidators(n)
	if err != nil {
		t.Fatal(err)
	}
	var all []*state
	for _, v := range validators {
		all = append(all, &state{namespace: sig.NewNamespace(1), share: v.Share, sharing: sharing})
	}
	return all
}

// Spec: WP §3.4 (one seed per round); commonware §2.5, §4.2.
func TestAnyQuorumGivesTheSameSeed(t *testing.T) {
	all := states(t, 4)
	round := sig.Round{Epoch: 1, View: 300}
	var partials []bls.Partial
	for _, s := range all {
		partials = append(partials, s.contribute(round))
	}
	first, err := all[0].recover(round, partials[:3])
	if err != nil {
		t.Fatal(err)
	}
	second, err := all[1].recover(round, partials[1:])
	if err != nil {
		t.Fatal(err)
	}
	if first != second {
		t.Error("two quorums gave two seeds")
	}
	if _, err := all[2].recover(round, partials[:2]); !errors.Is(err, bls.ErrThreshold) {
		t.Errorf("two of four: %v", err)
	}
	wrong := []bls.Partial{partials[0], partials[1], all[2].contribute(sig.Round{View: 1})}
	if _, err := all[2].recover(round, wrong); !errors.Is(err, bls.ErrVerify) {
		t.Errorf("with a partial of another round: %v", err)
	}
}

// In a set of one the share is the whole key. Spec: WP §3.4.
func TestSetOfOne(t *testing.T) {
	s := states(t, 1)[0]
	round := sig.Round{View: 1}
	p := s.contribute(round)
	seed, err := s.recover(round, []bls.Partial{p})
	if err != nil || seed.Signature != p.Signature || seed.Round != round {
		t.Errorf("seed %+v, %v", seed, err)
	}
	for v := uint64(2); v < 200; v++ {
		r := sig.Round{View: v}
		s.keep(sig.Seed{Round: r})
	}
	if len(s.seeds) != seedsKept || len(s.order) != seedsKept {
		t.Errorf("%d seeds kept", len(s.seeds))
	}
}
