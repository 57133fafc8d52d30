package bind

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var me = account.Address{1}

// network is a chain with the rules of bindings, on which what is sent counts two blocks later, and a trusted environment.
type network struct {
	t      *testing.T
	s      *state.Overlay
	key    *ecdsa.PrivateKey
	now    unit.Height
	coming func()
	asked  []string // methods
	away   bool
	wanted *tee.Binding
}

func (n *network) Standing(context.Context) (*Standing, error) {
	if n.away {
		return nil, errors.New("the node is away")
	}
	b, err := tee.LoadBinding(n.s, me)
	if err != nil {
		return nil, err
	}
	v := &Standing{Height: n.now}
	if b != nil {
		v.Hash, v.Expires = b.Hash(), b.Expires
	}
	v.Asked, err = tee.LoadAsked(n.s, me)
	return v, err
}

func (n *network) Ask(_ context.Context, method string, args cbor.Map) error {
	n.asked = append(n.asked, method)
	n.coming = func() {
		raw, _ := args.Lookup("proof")
		bytes, _ := raw.([]byte)
		proof, err := tee.DecodeEvidence(bytes)
		switch {
		case method == methodAsk:
			tee.Ask(n.s, me, []byte{byte(n.now)}, n.now)
		case err != nil:
			n.t.Error(err)
		case method == methodRenew:
			if _, err := tee.Renew(n.s, me, &proof, n.now); err != nil {
				n.t.Error(err)
			}
		default:
			if list, _ := args.Lookup("allowed_cpu_measurements"); len(list.([]any)) != len(n.wanted.Measurements) {
				n.t.Errorf("%v", list)
			}
			b := *n.wanted
			if err := b.Bind(n.s, me, "tdx", &proof, n.now); err != nil {
				n.t.Error(err)
			}
		}
	}
	return nil
}

func (n *network) Bound(_ context.Context, nonce, binding digest.Hash) ([]byte, error) {
	m := n.wanted.Measurements[0]
	say := tee.Statement{Type: tee.TDX, Measurement: m, Job: nonce, Runner: me}
	hash := sha256.Sum256(say.BindingPayload(binding))
	x, y, err := ecdsa.Sign(rand.Reader, n.key, hash[:])
	if err != nil {
		return nil, err
	}
	e := tee.Evidence{Type: tee.TDX, Measurement: m, Data: binding, Signature: append(x.FillBytes(make([]byte, 32)), y.FillBytes(make([]byte, 32))...)}
	return e.Encode(), nil
}

// A keeper sets the binding of its configuration with two calls, sends nothing while it counts for long, renews it in time, replaces another one, and goes on
// after a node was away.
//
// Spec: tee §2.3, §5 (binding renewal).
func TestKeeper(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	n := &network{t: t, key: key, now: 100, s: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()}
	n.wanted = &tee.Binding{Type: tee.TDX, Measurements: []digest.Hash{{1}, {2}}}
	for _, m := range n.wanted.Measurements {
		if err := tee.RegisterKey(n.s, tee.TDX, m, public, 1); err != nil {
			t.Fatal(err)
		}
	}
	k := &Keeper{Handle: NewHandle(), Wanted: n.wanted, Chain: n, Environment: n}
	run := func(looks int) {
		for range looks {
			k.look()
			if n.now += 2; n.coming != nil {
				n.coming()
				n.coming = nil
			}
		}
	}
	want := func(what string, bound bool, until unit.Height, asked ...string) {
		t.Helper()
		k.look()
		if s := k.Handle.Status(); s != (Status{Bound: bound, Until: uint64(until)}) || !slices.Equal(n.asked, asked) {
			t.Errorf("%s: %+v, asked %v", what, s, n.asked)
		}
		n.asked = nil
	}
	run(5)
	want("set", true, 104+604_800, methodAsk, methodBind)
	n.now = 104 + 604_800 - ahead - 1
	want("it counts for long", true, 104+604_800)
	n.now++
	from := n.now // the nonce is there two blocks later, the renewal four
	run(5)
	want("renewed", true, from+4+604_800, methodAsk, methodRenew)
	n.wanted = &tee.Binding{Type: tee.TDX, Measurements: []digest.Hash{{2}}}
	k.Wanted, n.away = n.wanted, true
	k.look()
	if s := k.Handle.Status(); s.Why != "the node is away" || !s.Bound {
		t.Errorf("%+v", s)
	}
	n.away = false
	n.now += 20
	from = n.now
	run(5)
	want("replaced", true, from+4+604_800, methodAsk, methodBind)
}
