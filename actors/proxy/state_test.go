package proxy

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// TestMakingAndPassingOn makes an account's key by the rules of the chain, passes it on twice, and opens with the last committee what was sealed to the first.
//
// Spec: secrets-cbss §3 (making keys, resharing), §5 (RotateCommittee).
func TestMakingAndPassingOn(t *testing.T) {
	w := newWorld(t, 6, 1)
	of := secret.AccountScope(owner)
	w.must(w.service.RequestKey(owner, owner))
	if !w.until(of, 1, 30) {
		t.Fatal("no key is made")
	}
	k := w.key(of)
	e, to, _ := w.sealed(k)
	if !w.opens(of, w.parties, e, to) {
		t.Fatal("the first committee does not open")
	}
	if w.opens(of, w.parties[:secret.DefaultQuorum-1], e, to) {
		t.Error("fewer than the threshold open")
	}
	for epoch := uint64(2); epoch <= 3; epoch++ {
		w.must(w.service.Reshare(of, owner))
		if !w.until(of, epoch, 60) {
			t.Fatalf("epoch %d does not come", epoch)
		}
		if w.key(of).Master != k.Master {
			t.Fatal("the master key changed")
		}
		if !w.opens(of, w.parties, e, to) {
			t.Fatalf("epoch %d does not open what was sealed in epoch 1", epoch)
		}
	}
	for range int(w.service.Config.ReshareGrace) + 3 {
		w.round()
	}
	for i, p := range w.parties {
		if p.held(of, 1) != nil || p.held(of, 2) != nil {
			t.Errorf("proxy %d holds shares beyond the grace", i)
		}
		if len(p.kept) > 0 || len(p.sessions) > 0 {
			t.Errorf("proxy %d keeps sessions that are over", i)
		}
	}
}

// TestUnsigned has a proxy that cannot sign say so, once for each thing.
//
// Spec: secrets-cbss §4 (76, 153).
func TestUnsigned(t *testing.T) {
	w := newWorld(t, 5, 2)
	of := secret.AccountScope(owner)
	w.must(w.service.RequestKey(owner, owner))
	if !w.until(of, 1, 30) {
		t.Fatal("no key is made")
	}
	p := w.parties[0]
	whole := make([]byte, cbss.IdentitySize)
	q := cbss.Request{ChainID: testChain, Block: p.height, Epoch: 2, Proxy: p.self.ID}
	receipt := q.Signed(testKey("runner", 0))
	for name, c := range map[string]struct {
		first func()
		again func()
		want  error
	}{
		"a lock of another epoch": {nil, func() { p.unlock([]Lock{{ID: digest.Hash{1}, Scope: of, Epoch: 2, Data: whole}}) }, errShare},
		"a lock for no identity":  {nil, func() { p.unlock([]Lock{{ID: digest.Hash{2}, Scope: of, Epoch: 1, Data: whole[1:]}}) }, cbss.ErrPoint},
		"a receipt":               {func() { p.served(receipt, of, whole, p.height) }, p.post, errShare},
	} {
		t.Run(name, func(t *testing.T) {
			p.acts, p.events = nil, nil
			if c.first != nil {
				c.first()
			}
			for range 2 * (jitter + lookAfter) {
				c.again()
				p.height++
			}
			if len(p.events) != 1 || p.events[0].What != "unsigned" || p.events[0].Scope != of || !errors.Is(p.events[0].Err, c.want) {
				t.Errorf("it tells %v, want unsigned once: %v", p.events, c.want)
			}
			if len(p.acts) > 0 {
				t.Errorf("it sends %v", p.acts)
			}
		})
	}
}
