package simplex_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/simplex/quorum"
)

// real signs with BLS12-381.
type real struct {
	*quorum.Keys
	signers []*quorum.Signer
}

func (r real) SignVote(rank uint32, v *simplex.Vote) *simplex.Vote {
	return r.signers[rank].SignVote(v)
}

func (r real) SignAccusation(rank uint32, a *simplex.Accusation) *simplex.Accusation {
	return r.signers[rank].SignAccusation(a)
}

func (r real) SignNewView(rank uint32, m *simplex.NewView) *simplex.NewView {
	return r.signers[rank].SignNewView(m)
}

func newReal(t testing.TB, n int) real {
	scalar := func(label string, i int) []byte {
		h := digest.SHA256([]byte(fmt.Sprint(label, i)))
		h[0] &= 0x3f // below the group order
		return h[:]
	}
	var coefficients [][]byte
	for i := range sig.Quorum(n) {
		coefficients = append(coefficients, scalar("coefficient", i))
	}
	sharing, shares, err := bls.Deal(coefficients, uint32(n))
	if err != nil {
		t.Fatal(err)
	}
	epoch := &bls.Epoch{Namespace: namespace, Group: sharing.GroupKey()}
	var r real
	for i := range n {
		key, err := bls.ParsePrivateKey(scalar("key", i))
		if err != nil {
			t.Fatal(err)
		}
		epoch.Validators = append(epoch.Validators, key.PublicKey())
		r.signers = append(r.signers, &quorum.Signer{Namespace: namespace, Key: key, Share: shares[i], Anchor: anchor})
	}
	if r.Keys, err = quorum.NewKeys(epoch, sharing); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRealSignatures runs a few clusters over BLS12-381, with a faulty validator of each signing kind. Spec: WP §3.4, §6.1; commonware §3.7.
func TestRealSignatures(t *testing.T) {
	keys := newReal(t, 4)
	for seed, kind := range []string{"", "doublevoter", "garbler"} {
		p := plan{
			seed: uint64(seed), n: 4, faulty: map[uint32]string{}, delay: [2]simplex.Millis{5, 60}, loss: 0.05, crash: 0.005, pace: 300, chaos: 1_000,
			settle: 400, leave: 200, busy: 2,
			keys: keys,
		}
		if kind != "" {
			p.faulty[uint32(seed)] = kind
		}
		w := progress(t, p)
		t.Logf("%q: %d final blocks, %d events, evidence %v", kind, len(w.final)-1, w.events, w.accused)
	}
}

// BenchmarkBlock reports what one final block costs a healthy cluster: time of all machines together, messages and bytes on the wire.
func BenchmarkBlock(b *testing.B) {
	for _, c := range []struct {
		scheme string
		n      int
	}{{"fake", 4}, {"fake", 16}, {"fake", 64}, {"bls", 4}, {"bls", 16}} {
		b.Run(fmt.Sprintf("scheme=%s/n=%d", c.scheme, c.n), func(b *testing.B) {
			p := plan{seed: 1, n: c.n, pace: 1, trusting: true, delay: [2]simplex.Millis{10, 12}}
			if c.scheme == "bls" {
				p.keys = newReal(b, c.n)
			}
			w := newWorld(p)
			w.run(200, nil)
			from, messages, bytes := w.lowest(), w.messages, w.bytes
			b.ResetTimer()
			for w.lowest() < from+uint64(b.N) {
				w.step()
			}
			b.ReportMetric(float64(w.messages-messages)/float64(b.N), "msgs/op")
			b.ReportMetric(float64(w.bytes-bytes)/float64(b.N), "wireB/op")
		})
	}
}
