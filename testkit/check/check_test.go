package check

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

type native struct{}

func (native) Run(t *drain.Turn) (drain.Outcome, error) { return system.Run(t, nil) }

func newChain(t *testing.T) *Chain {
	t.Helper()
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ledger.NewMemory(spec, state.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return NewChain(m.Header(), m.State(), native{})
}

// next is an empty block on the chain's newest.
func next(t *testing.T, c *Chain, view uint64) (*block.Block, digest.Hash) {
	t.Helper()
	h := block.Header{
		Version: 1, ChainID: 1, Height: c.tip.Header.Height + 1, View: view, ParentView: c.tip.Header.View, ParentHash: c.tip.Header.Hash(),
		TimestampMs: c.tip.Header.TimestampMs + 1_000, VRFOutput: block.VRFOutput(sig.BLSSignature{}),
	}
	if view > 1 {
		h.ParentSeed = &sig.Seed{Round: sig.Round{View: view - 1}, Signature: sig.BLSSignature{byte(view)}}
	}
	r, err := transition.Apply(c.tip, transition.Job{Mode: transition.Build, Header: h}, native{})
	if err != nil {
		t.Fatal(err)
	}
	return &block.Block{Header: r.Header}, r.State.Root()
}

// Every rule is broken once, and every violation is found; without one nothing is.
//
// Spec: WP §3.1, §3.4, §6.1; commonware §3.8.
func TestChainFindsViolations(t *testing.T) {
	for name, x := range map[string]struct {
		run  func(t *testing.T, c *Chain)
		find string
	}{
		"nothing": {func(t *testing.T, c *Chain) {
			for v := uint64(1); v < 5; v++ {
				b, root := next(t, c, v)
				c.Durable("a", b, root)
				c.Durable("b", b, root)
			}
			c.Reopened("a", 4)
		}, ""},
		"two blocks": {func(t *testing.T, c *Chain) {
			b, root := next(t, c, 1)
			other, _ := next(t, c, 2)
			c.Durable("a", b, root)
			c.Durable("b", other, root)
		}, "two final blocks at height 1"},
		"wrong roots": {func(t *testing.T, c *Chain) {
			b, root := next(t, c, 1)
			b.Header.StateRoot[0]++
			c.Durable("a", b, root)
		}, "does not execute"},
		"another state": {func(t *testing.T, c *Chain) {
			b, root := next(t, c, 1)
			root[3]++
			c.Durable("a", b, root)
		}, "state root"},
		"a gap": {func(t *testing.T, c *Chain) {
			b, root := next(t, c, 1)
			b.Header.Height = 7
			c.Durable("a", b, root)
		}, "block 7 after 0"},
		"two seeds": {func(t *testing.T, c *Chain) {
			b, root := next(t, c, 2)
			c.seeds[sig.Round{View: 1}] = sig.BLSSignature{99}
			c.Durable("a", b, root)
		}, "two seeds"},
		"lost blocks": {func(t *testing.T, c *Chain) {
			b, root := next(t, c, 1)
			c.Durable("a", b, root)
			c.Reopened("a", 0)
		}, "had block 1 on disk"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t)
			x.run(t, c)
			found := strings.Join(c.Wrong, "\n")
			if (found == "") != (x.find == "") || !strings.Contains(found, x.find) {
				t.Errorf("%s: %q", name, found)
			}
		})
	}
}

func TestSigned(t *testing.T) {
	s := func(view uint64, name byte) sig.Subject {
		return sig.Subject{BlockHash: digest.Hash{name}, Round: sig.Round{View: view}}
	}
	vote := func(k sig.CertificateKind, x sig.Subject) *simplex.Vote { return &simplex.Vote{Kind: k, Subject: x} }
	o := NewSigned()
	half := vote(sig.Notarization, s(3, 'c'))
	half.Half = &simplex.Half{Parent: s(2, 'b')}
	for i, v := range []*simplex.Vote{
		vote(sig.Notarization, s(1, 'a')), vote(sig.Notarization, s(1, 'a')), vote(sig.Finalization, s(1, 'a')), half,
	} {
		if err := o.Vote(v); err != nil {
			t.Errorf("vote %d: %v", i, err)
		}
	}
	if err := o.NewView(&simplex.NewView{Round: sig.Round{View: 3}}); err != nil {
		t.Error(err)
	}
	if o.Vote(vote(sig.Notarization, s(1, 'x'))) == nil || o.Vote(vote(sig.Finalization, s(2, 'x'))) == nil ||
		o.NewView(&simplex.NewView{Round: sig.Round{View: 2}}) == nil || o.Vote(vote(sig.Finalization, s(3, 'c'))) == nil {
		t.Error("a broken word went unnoticed")
	}
}
