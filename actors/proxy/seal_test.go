package proxy

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/exchange"
)

// TestSealRequests has a committee seal what was bought of a stream by the chain's rules: with all members there as many as it takes file a receipt, and with
// one gone another stands in.
//
// Spec: secrets-cbss §10 (1), §11; gateway-payments-streams §E.2.
func TestSealRequests(t *testing.T) {
	for name, gone := range map[string]bool{"all there": false, "one gone": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 6, 4)
			of := secret.AccountScope(owner)
			w.must(w.service.RequestKey(owner, owner))
			if !w.until(of, 1, 30) {
				t.Fatal("no key is made")
			}
			k, buyer := w.key(of), account.Address{9}
			w.must(account.Credit(w.service.State, buyer, 100*unit.CBY))
			m := w.streams(owner)
			id, err := m.Configure(owner, []byte("paper"), stream.Config{Fee: 2 * unit.CBY, Treasury: owner, EpochBlocks: 600, MinPurchase: 1})
			w.must(err)
			m = w.streams(buyer)
			_, err = m.Register(buyer, bytes.Repeat([]byte{1}, 32))
			w.must(err)
			_, err = m.Acquire(id, buyer, buyer, 3)
			w.must(err)
			if gone {
				for place := range k.Committee { // one of those who do not stand by
					if standsBy(0, len(k.Committee), k.Threshold(), uint32(place+1)) == 0 {
						w.of(k.Committee[place]).cut = true
						break
					}
				}
			}
			for range 2 * lookAfter {
				w.round()
			}
			q, status, err := stream.LoadRequest(w.service.State, 0, w.service.Height)
			if err != nil || status != stream.Sealed || len(q.Receipts) != k.Threshold() {
				t.Fatalf("%+v %v %v", q, status, err)
			}
			if w.receipts != k.Threshold() {
				t.Errorf("%d receipts were sent, want %d", w.receipts, k.Threshold())
			}
			for i, p := range w.parties {
				if len(p.seals) > 0 {
					t.Errorf("proxy %d remembers what is over", i)
				}
			}
		})
	}
}

// sealing has a gate's node admit a SealRequest of epochs 20 to 22 of a stream.
func (g *gate) sealing() {
	g.node.seal = SealAdmission{
		Height: 100, Scope: g.of, To: 22, Master: g.share.Public(), Public: [32]byte(g.runner.PublicKey().Bytes()), Context: digest.Hash{5}, Place: 1,
		Answer: cbss.SealAnswer{ChainID: testChain, Publisher: owner, Stream: digest.Hash{3}, From: 20, Epoch: 1},
	}
}

func (g *gate) sealed(body []byte) (byte, []byte) {
	return g.door.Answer(context.Background(), exchange.Origin{}, frame.SealSign, body)
}

var seventh = binary.BigEndian.AppendUint64(nil, 7)

// TestSealing: whoever asks gets the partials of a SealRequest, under the beneficiary's key and the proxy's signature, and whoever asks again the same.
//
// Spec: secrets-cbss §5, §10 (1, 2), §11.
func TestSealing(t *testing.T) {
	g := newGate(t)
	g.sealing()
	status, body := g.sealed(seventh)
	if status != frame.Done {
		t.Fatalf("status %d: %s", status, body)
	}
	plain, err := frame.Open(g.runner, frame.SealInfo, digest.Hash{5}, body)
	if err != nil {
		t.Fatal(err)
	}
	a, signature, err := cbss.ParseSealAnswer(plain)
	if err != nil {
		t.Fatal(err)
	}
	by, err := sig.Default().Recover(a.Hash(), signature)
	if err != nil || by != g.door.Self.Key.Address() || a.Proxy != g.door.Self.ID || len(a.Partials) != 3 {
		t.Errorf("%+v %v", a, err)
	}
	for i, partial := range a.Partials {
		to := cbss.StreamIdentity(testChain, owner, g.share.Public(), digest.Hash{3}, 20+uint64(i))
		if partial != cbss.Sign(g.share, to) || bytes.Contains(body, partial[:8]) {
			t.Errorf("partial %d is another one, or in the clear", i)
		}
	}
	other, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := frame.Open(other, frame.SealInfo, digest.Hash{5}, body); err == nil {
		t.Error("another key opens it")
	}
	if _, err := frame.Open(g.runner, frame.SealInfo, digest.Hash{6}, body); err == nil {
		t.Error("it opens as the answer to another request")
	}
	if _, again := g.sealed(seventh); !bytes.Equal(again, body) {
		t.Error("asked again it signs and seals anew")
	}
	g.node.seal.Public = [32]byte(other.PublicKey().Bytes())
	_, next := g.sealed(seventh)
	if _, err := frame.Open(other, frame.SealInfo, digest.Hash{5}, next); err != nil {
		t.Errorf("another key's: %v", err)
	}
}

// TestRefusedSeals are requests that a proxy does not answer, even where its node would let it.
//
// Spec: secrets-cbss §5 (proxy admission), §9.
func TestRefusedSeals(t *testing.T) {
	for name, c := range map[string]struct {
		body   []byte
		change func(n *admitting)
		status byte
		text   string
	}{
		"no number":            {nil, nil, frame.Refused, refusedSeal},
		"more than a number":   {append(seventh, 0), nil, frame.Refused, refusedSeal},
		"by the state":         {seventh, func(n *admitting) { n.seal = SealAdmission{Refused: "it is void"} }, frame.Refused, "it is void"},
		"33 epochs":            {seventh, func(n *admitting) { n.seal.To = 52 }, frame.Refused, refusedSeal},
		"backwards":            {seventh, func(n *admitting) { n.seal.To = 19 }, frame.Refused, refusedSeal},
		"another scope":        {seventh, func(n *admitting) { n.seal.Scope.Secret.Account[0]++ }, frame.Refused, refusedShare},
		"another epoch":        {seventh, func(n *admitting) { n.seal.Answer.Epoch = 2 }, frame.Refused, refusedShare},
		"another place":        {seventh, func(n *admitting) { n.seal.Place = 2 }, frame.Refused, refusedShare},
		"a node that is quiet": {seventh, func(n *admitting) { n.err = errors.New("quiet") }, frame.Later, "the node does not answer"},
		"a key that is none":   {seventh, func(n *admitting) { n.seal.Public = [32]byte{} }, frame.Refused, "the beneficiary's key is none"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			g.sealing()
			if c.change != nil {
				c.change(g.node)
			}
			if status, body := g.sealed(c.body); status != c.status || string(body) != c.text {
				t.Errorf("status %d: %s", status, body)
			}
		})
	}
}

// TestRememberedSeals: answers are kept for as many requests as the door says, and given by their numbers.
//
// Spec: secrets-cbss §11.
func TestRememberedSeals(t *testing.T) {
	g := newGate(t)
	g.sealing()
	first := map[uint64][]byte{}
	for n := range uint64(3) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			g.node.seal.Context = digest.Hash{byte(n)}
			_, first[n] = g.sealed(binary.BigEndian.AppendUint64(nil, n))
			if _, err := frame.Open(g.runner, frame.SealInfo, g.node.seal.Context, first[n]); err != nil {
				t.Error(err)
			}
		})
	}
	if g.door.sealed.Len() != 3 {
		t.Errorf("%d are kept", g.door.sealed.Len())
	}
	g.node.seal.Refused = secret.ErrSealRequest.Error() // voided since
	if status, _ := g.sealed(binary.BigEndian.AppendUint64(nil, 1)); status != frame.Refused {
		t.Error("what is kept is given though the state refuses it")
	}
}
