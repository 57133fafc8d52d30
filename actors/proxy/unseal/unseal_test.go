package unseal

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stream"
)

// panel is a committee of five of which four open, and the request of a beneficiary.
type panel struct {
	Committee
	t      *testing.T
	keys   []*sig.PrivateKey
	shares []*cbss.Scalar
	mine   *ecdh.PrivateKey
	q      *stream.Request
	acts   map[int]func(a *cbss.SealAnswer) // what proxies do to their answers, by place
	silent map[int]bool
	sealTo map[int]*ecdh.PublicKey // another key; nil: the beneficiary's
}

func scalar(t *testing.T, n int) *cbss.Scalar {
	raw := digest.SHA256(fmt.Append(nil, "a number ", n))
	raw[0] &= 0x3f
	k, err := cbss.ParseScalar(raw[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func newPanel(t *testing.T) *panel {
	poly := cbss.Polynomial{scalar(t, 1), scalar(t, 2), scalar(t, 3), scalar(t, 4)}
	p := &panel{
		t: t, acts: map[int]func(*cbss.SealAnswer){}, silent: map[int]bool{}, sealTo: map[int]*ecdh.PublicKey{},
		q: &stream.Request{Stream: digest.Hash{4}, Beneficiary: account.Address{5}, From: 20, To: 22, Key: 1, Generation: 1, Emitted: 90, Quorum: 4},
	}
	p.Committee = Committee{ChainID: 77, Publisher: account.Address{1}, Master: poly.Commitments()[0]}
	p.Serving = secret.Generation{Epoch: 3, Commitments: poly.Commitments()}
	for n := range 5 {
		share, err := poly.At(uint32(n + 1))
		if err != nil {
			t.Fatal(err)
		}
		raw := digest.SHA256(fmt.Append(nil, "proxy ", n))
		key, err := sig.ParsePrivateKey(raw[:])
		if err != nil {
			t.Fatal(err)
		}
		p.shares, p.keys = append(p.shares, share), append(p.keys, key)
		p.Proxies = append(p.Proxies, proxy.Peer{ID: digest.Hash{byte(n + 1)}, Key: key.Compressed(), Address: "there"})
		p.Serving.Committee = append(p.Serving.Committee, digest.Hash{byte(n + 1)})
	}
	var err error
	if p.mine, err = ecdh.X25519().GenerateKey(rand.Reader); err != nil {
		t.Fatal(err)
	}
	return p
}

// Ask implements proxy.Peers.
func (p *panel) Ask(_ context.Context, to *proxy.Peer, kind byte, body []byte) (byte, []byte, error) {
	at := int(to.ID[0]) - 1
	if p.silent[at] {
		return 0, nil, errors.New("no route")
	}
	if kind != frame.SealSign || binary.BigEndian.Uint64(body) != 7 {
		return frame.Refused, []byte("another question"), nil
	}
	a := &cbss.SealAnswer{ChainID: p.ChainID, Publisher: p.Publisher, Stream: p.q.Stream, From: 20, Proxy: to.ID, Epoch: 3}
	for epoch := uint64(20); epoch <= 22; epoch++ {
		a.Partials = append(a.Partials, cbss.Sign(p.shares[at], cbss.StreamIdentity(p.ChainID, p.Publisher, p.Master, p.q.Stream, epoch)))
	}
	if act := p.acts[at]; act != nil {
		act(a)
	}
	public := p.mine.PublicKey()
	if other := p.sealTo[at]; other != nil {
		public = other
	}
	out, err := frame.Seal([32]byte(public.Bytes()), frame.SealInfo, secret.SealContext(p.ChainID, 7, p.q, to.ID), a.Signed(p.keys[at]))
	return frame.Done, out, err
}

// What four of five proxies give opens each key epoch's content, whatever the fifth does; who signed a wrong partial is named, and with three there is nothing.
//
// Spec: secrets-cbss §3, §5 (InvalidPartialReencrypt), §10 (1), §11.
func TestCollecting(t *testing.T) {
	wrong := func(a *cbss.SealAnswer) { a.Partials[2] = a.Partials[1] }
	for name, c := range map[string]struct {
		set   func(p *panel)
		opens bool
		named int
	}{
		"all five":              {func(*panel) {}, true, 0},
		"one is silent":         {func(p *panel) { p.silent[2] = true }, true, 0},
		"one is gone":           {func(p *panel) { p.Proxies[0].Address = "" }, true, 0},
		"one lies":              {func(p *panel) { p.acts[0] = wrong }, true, 1},
		"one signs for another": {func(p *panel) { p.acts[0] = func(a *cbss.SealAnswer) { a.Proxy = digest.Hash{2} } }, true, 0},
		"one is of the past":    {func(p *panel) { p.acts[0] = func(a *cbss.SealAnswer) { a.Epoch = 2 } }, true, 0},
		"one is too short":      {func(p *panel) { p.acts[0] = func(a *cbss.SealAnswer) { a.Partials = a.Partials[:2] } }, true, 0},
		"one seals to another": {func(p *panel) {
			other, err := ecdh.X25519().GenerateKey(rand.Reader)
			if err != nil {
				p.t.Fatal(err)
			}
			p.sealTo[3] = other.PublicKey()
		}, true, 0},
		"two are silent":          {func(p *panel) { p.silent[2], p.silent[4] = true, true }, false, 0},
		"one lies and one is off": {func(p *panel) { p.acts[0], p.silent[4] = wrong, true }, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPanel(t)
			c.set(p)
			sigmas, named, err := Collect(t.Context(), p, &p.Committee, 7, p.q, p.mine)
			if len(named) != c.named || (err == nil) != c.opens || !c.opens && !errors.Is(err, ErrFew) {
				t.Fatalf("%d are named: %v", len(named), err)
			}
			for _, in := range named {
				if in.Proxy != p.Proxies[0].ID || in.Fault != uint64(secret.InvalidPartial) || in.Evidence[0] != 2 || len(in.Evidence) > secret.MaxEvidence {
					t.Errorf("%+v", in)
				}
			}
			for i, sigma := range sigmas {
				to := cbss.StreamIdentity(p.ChainID, p.Publisher, p.Master, p.q.Stream, 20+uint64(i))
				data := [cbss.DataKeySize]byte{byte(i), 9}
				e, err := cbss.Wrap(to, scalar(t, 10+i), [cbss.NonceSize]byte{1}, data)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := e.Open(sigma); err != nil || got != data {
					t.Errorf("key epoch %d: %x %v", 20+i, got, err)
				}
			}
			if c.opens && len(sigmas) != 3 {
				t.Errorf("%d open", len(sigmas))
			}
		})
	}
}
