package simplex_test

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestConfig refuses what no epoch can run with. Spec: commonware §3.2.
func TestConfig(t *testing.T) {
	good := simplex.Config{
		Namespace: namespace, Stakes: []unit.Amount{1, 2}, Timeouts: simplex.DefaultTimeouts(), Retention: simplex.DefaultRetention, Scheme: newFake(2),
	}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*simplex.Config){
		"nobody":                         func(c *simplex.Config) { c.Stakes = nil },
		"no stake":                       func(c *simplex.Config) { c.Stakes = []unit.Amount{0, 0} },
		"rank beyond the set":            func(c *simplex.Config) { c.Self = 2 },
		"ends at its anchor":             func(c *simplex.Config) { c.AnchorHeight, c.LastHeight = 5, 5 },
		"no leader deadline":             func(c *simplex.Config) { c.Timeouts.Leader = 0 },
		"leader not before certificate":  func(c *simplex.Config) { c.Timeouts.Leader = c.Timeouts.Certification },
		"certificate not before skip":    func(c *simplex.Config) { c.Timeouts.Skip, c.Timeouts.Retry = c.Timeouts.Certification, 1 },
		"retry not before skip":          func(c *simplex.Config) { c.Timeouts.Retry = c.Timeouts.Skip },
		"no fetch deadline":              func(c *simplex.Config) { c.Timeouts.Fetch = 0 },
		"no retention":                   func(c *simplex.Config) { c.Retention = 0 },
		"no scheme":                      func(c *simplex.Config) { c.Scheme = nil },
		"more validators than a bitmap":  func(c *simplex.Config) { c.Stakes = append(make([]unit.Amount, sig.MaxParticipants), 1) },
		"no retry":                       func(c *simplex.Config) { c.Timeouts.Retry = 0 },
		"patience as long as a leader's": func(c *simplex.Config) { c.Timeouts.Patience = c.Timeouts.Leader },
		"relay as late as a leader":      func(c *simplex.Config) { c.Timeouts.Relay = c.Timeouts.Leader },
		"tells as late as a leader":      func(c *simplex.Config) { c.Timeouts.Tell = (c.Timeouts.Leader + 1) / 2 },
		"ends before its anchor":         func(c *simplex.Config) { c.AnchorHeight, c.LastHeight = 5, 4 },
		"observer with impossible epoch": func(c *simplex.Config) { c.Self, c.LastHeight, c.AnchorHeight = simplex.Observer, 1, 2 },
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			spoil(&c)
			if _, _, err := simplex.New(c, nil); !errors.Is(err, simplex.ErrConfig) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for name, edge := range map[string]func(*simplex.Config){
		"the last rank":           func(c *simplex.Config) { c.Self = 1 },
		"an observer":             func(c *simplex.Config) { c.Self = simplex.Observer },
		"one stake":               func(c *simplex.Config) { c.Stakes = []unit.Amount{0, 1} },
		"one block":               func(c *simplex.Config) { c.AnchorHeight, c.LastHeight = 5, 6 },
		"an epoch without an end": func(c *simplex.Config) { c.AnchorHeight, c.LastHeight = 5, 0 },
		"next to each other": func(c *simplex.Config) {
			c.Timeouts = simplex.Timeouts{Leader: 3, Certification: 4, Skip: 5, Retry: 4, Fetch: 1, Patience: 2, Relay: 2, Tell: 1}
		},
		"none that may be left out": func(c *simplex.Config) {
			c.Timeouts = simplex.Timeouts{Leader: 1, Certification: 2, Skip: 3, Retry: 1, Fetch: 1}
		},
		"one view kept":       func(c *simplex.Config) { c.Retention = 1 },
		"the most validators": func(c *simplex.Config) { c.Stakes = append(make([]unit.Amount, sig.MaxParticipants-1), 1) },
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			edge(&c)
			if err := c.Validate(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestJournal refuses records of another epoch, of another validator set, or that contradict each other. Spec: commonware §3.5.
func TestJournal(t *testing.T) {
	cfg := simplex.Config{
		Namespace: namespace, Epoch: 1, Stakes: []unit.Amount{1, 1, 1, 1}, Timeouts: simplex.DefaultTimeouts(), Retention: 3, Scheme: newFake(4),
	}
	at := sampleSubject()
	other := at
	other.BlockHash[0]++
	short := sampleCertificate()
	short.Signers = sig.NewSigners(5)
	for name, journal := range map[string][]simplex.Record{
		"another epoch":    {&simplex.OwnNullify{Round: sig.Round{Epoch: 2, View: 1}}},
		"view 0":           {&simplex.OwnNullify{Round: sig.Round{Epoch: 1}}},
		"two blocks":       {&simplex.OwnVote{Subject: at}, &simplex.OwnVote{Subject: other}},
		"commit, nullify":  {&simplex.OwnVote{Kind: sig.Finalization, Subject: at}, &simplex.OwnNullify{Round: at.Round}},
		"nullify, commit":  {&simplex.OwnNullify{Round: at.Round}, &simplex.OwnVote{Kind: sig.Finalization, Subject: at}},
		"other validators": {&simplex.Certificate{Certificate: short}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := simplex.New(cfg, journal); !errors.Is(err, simplex.ErrJournal) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestLeader draws leaders by stake and agrees with a second way to compute it: counting the stake down one unit at a time.
// Spec: WP §6.1; commonware §3.1.
func TestLeader(t *testing.T) {
	c := simplex.Config{Stakes: []unit.Amount{5, 0, 1, 4}}
	drawn := make([]int, 4)
	for view := uint64(2); view < 4_002; view++ {
		seed := newFake(0).Seed(sig.Round{View: view - 1})
		x := new(big.Int).Mod(new(big.Int).SetBytes(seed[:]), big.NewInt(10)).Int64()
		want := []uint32{0, 0, 0, 0, 0, 2, 3, 3, 3, 3}[x]
		if got := c.Leader(view, seed); got != want {
			t.Fatalf("view %d: leader %d, want %d", view, got, want)
		}
		drawn[c.Leader(view, seed)]++
	}
	for i, share := range []int{2_000, 0, 400, 1_600} {
		if d := drawn[i] - share; d < -150 || d > 150 {
			t.Errorf("validator %d leads %d of 4000 views, its stake says %d", i, drawn[i], share)
		}
	}
	// View 1: (epoch + view) mod n, past those without stake.
	for epoch, want := range map[uint64]uint32{0: 2, 1: 2, 2: 3, 3: 0} {
		t.Run(fmt.Sprint(epoch), func(t *testing.T) {
			c.Epoch = epoch
			if got := c.Leader(1, sig.BLSSignature{}); got != want {
				t.Errorf("epoch %d: first leader %d, want %d", epoch, got, want)
			}
		})
	}
	huge := simplex.Config{Stakes: []unit.Amount{1<<64 - 1, 1<<64 - 1}} // the sum needs 65 bits
	if huge.Leader(2, newFake(0).Seed(sig.Round{View: 1})) > 1 {
		t.Error("no leader")
	}
}
