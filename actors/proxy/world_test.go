package proxy

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	state2 "github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	systemsecret "github.com/cowboyinc/cowboy-go/runtime/system/secret"
)

const testChain = 77

var owner = account.Address{0: 0xaa, 19: 1}

// world is the chain's own rules, and proxies' states with a network between them that a seed drives.
type world struct {
	t        testing.TB
	random   *rand.Rand
	source   *rand.ChaCha8
	service  *secret.Service
	parties  []*party
	queue    []letter
	slashed  []digest.Hash
	rotated  int
	unlocks  int     // partials of time locks that were sent
	receipts int     // of SealRequests that were sent
	loss     float64 // of questions and answers
}

// party is a proxy with its conduct.
type party struct {
	*state
	operator  account.Address
	cut       bool // it reaches nobody
	bad       bool
	spoil     func(body []byte) []byte // of what a bad one sends; nil for nothing
	saboteur  bool
	sabotaged []digest.Hash // sessions
}

// key is the hash of the key it shows on connections.
func (p *party) key() digest.Hash { return digest.SHA256(p.self.TLS.Public().(ed25519.PublicKey)) }

// letter is a question on its way, or an answer.
type letter struct {
	from, to *party
	q        question
	back     bool
	status   byte
	body     []byte
}

func testKey(text string, n int) *sig.PrivateKey {
	raw := digest.SHA256(fmt.Append(nil, text, n))
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		panic(err)
	}
	return key
}

func newWorld(t testing.TB, proxies int, seed uint64) *world {
	t.Helper()
	source := rand.NewChaCha8([32]byte(digest.SHA256(fmt.Append(nil, seed))))
	overlay := state2.New(state2.Config{}, state2.NewMemory(state2.Config{})).Overlay()
	c := secret.Defaults(params.Genesis())
	c.Inline, c.Soak = true, 1
	w := &world{t: t, source: source, random: rand.New(source), service: &secret.Service{
		State: overlay, Config: c, ChainID: testChain, Height: 10, Emit: func(string, []byte) {},
	}}
	w.must(account.Credit(overlay, owner, 1_000_000*unit.CBY))
	for n := range proxies {
		w.enrol(n)
	}
	w.block()
	w.block()
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) enrol(n int) {
	w.t.Helper()
	raw := digest.SHA256(fmt.Append(nil, "x25519", n))
	hpke, err := ecdh.X25519().NewPrivateKey(raw[:])
	w.must(err)
	p := &party{operator: testKey("operator", n).Address()}
	self := &Identity{Key: testKey("proxy", n), HPKE: hpke, TLS: ed25519.NewKeyFromSeed(raw[:])}
	self.ID = secret.ProxyID(p.operator, self.Key.Compressed())
	p.state = newState(self, testChain, w.source)
	w.must(account.Credit(w.service.State, p.operator, 20_000*unit.CBY))
	_, err = w.service.Register(p.operator, secret.Terms{
		Key: self.Key.Compressed(), HPKE: [32]byte(hpke.PublicKey().Bytes()), TLS: p.key(), Address: "127.0.0.1:1", Stake: 10_000 * unit.CBY,
	})
	w.must(err)
	w.parties = append(w.parties, p)
}

// block ends a block.
func (w *world) block() {
	w.t.Helper()
	w.must(w.service.End())
	w.service.Height++
	at := w.service.Height
	w.service.Seed = sig.Seed{Round: sig.Round{Epoch: 1, View: uint64(at)}, Signature: sig.BLSSignature{byte(at), byte(w.random.Uint32())}}
}

func (w *world) of(id digest.Hash) *party {
	for _, p := range w.parties {
		if p.self.ID == id {
			return p
		}
	}
	return nil
}

// view is what a node tells a proxy.
func (w *world) view(p *party) View {
	w.t.Helper()
	v := View{Height: uint64(w.service.Height), Freshness: w.service.Config.Freshness}
	work, err := secret.WorkOf(w.service.State, p.self.ID, 64)
	w.must(err)
	for _, one := range work {
		task := Task{
			Scope: one.Scope, Quorum: int(one.Pending.Quorum), Requested: uint64(one.Pending.Requested), Deadline: uint64(one.Pending.Deadline),
			Committee: one.Pending.Committee,
		}
		if one.Key != nil {
			task.Before, task.Master = &one.Key.Generation, one.Key.Master
		}
		v.Tasks = append(v.Tasks, task)
	}
	for _, other := range w.parties {
		if record, err := secret.LoadProxy(w.service.State, other.self.ID); err == nil {
			v.Peers = append(v.Peers, Peer{ID: other.self.ID, Key: record.Key, HPKE: record.HPKE, TLS: record.TLS})
		}
	}
	locks, err := w.service.DueLocks(p.self.ID, 64)
	w.must(err)
	for _, l := range locks {
		v.Locks = append(v.Locks, Lock{ID: l.ID, Scope: l.Scope, Data: l.Data, Epoch: l.Epoch, Members: l.Members, Quorum: l.Quorum})
	}
	seals, err := w.service.DueSeals(p.self.ID, 64)
	w.must(err)
	for _, q := range seals {
		v.Seals = append(v.Seals, Seal{q.Number, q.Scope, q.Data, q.Context, q.Epoch, q.Members, q.Quorum})
	}
	for _, of := range p.asks() {
		k, err := secret.LoadKey(w.service.State, of)
		w.must(err)
		one := Key{Scope: of}
		if k != nil {
			one.Found, one.Generation, one.Prior = true, k.Generation, k.Prior
		}
		v.Keys = append(v.Keys, one)
	}
	return v
}

// round lets every proxy poll and go on, brings all letters, and ends the block.
func (w *world) round() {
	w.t.Helper()
	for _, p := range w.parties {
		if !p.cut {
			p.polled(w.view(p))
		}
		if p.saboteur {
			p.sabotage()
		}
		p.tick()
		w.collect(p)
	}
	for budget := 20_000; len(w.queue) > 0 && budget > 0; budget-- {
		i := w.random.IntN(len(w.queue))
		l := w.queue[i]
		w.queue = slices.Delete(w.queue, i, i+1)
		w.deliver(&l)
	}
	w.block()
}

// collect takes what leaves a proxy.
func (w *world) collect(p *party) {
	w.t.Helper()
	for _, act := range p.acts {
		switch act := act.(type) {
		case question:
			w.queue = append(w.queue, letter{from: p, to: w.of(act.to.ID), q: act})
		case sending:
			if !p.cut {
				w.apply(p, act.in)
			}
		}
	}
	p.acts, p.events = nil, nil
	for _, s := range p.erase {
		s.Erase()
	}
	p.erase = nil
}

func (w *world) deliver(l *letter) {
	w.t.Helper()
	lost := l.from.cut || l.to.cut || w.random.Float64() < w.loss
	if !l.back {
		if lost {
			l.from.heard(l.q.session, l.q.step, l.q.to.ID, 0, nil, errUnknown)
			return
		}
		body := l.q.body
		if l.from.spoil != nil {
			body = l.from.spoil(bytes.Clone(body))
		}
		status, answer := l.to.asked(l.from.key(), l.q.kind, body)
		if l.to.spoil != nil {
			answer = l.to.spoil(bytes.Clone(answer))
		}
		w.collect(l.to)
		w.queue = append(w.queue, letter{from: l.from, to: l.to, q: l.q, back: true, status: status, body: answer})
		return
	}
	var err error
	if lost {
		err = errUnknown
	}
	l.from.heard(l.q.session, l.q.step, l.q.to.ID, l.status, l.body, err)
	w.collect(l.from)
}

// apply runs what proxies send, by the chain's rules. What those refuse changes nothing.
func (w *world) apply(p *party, in tx.Instruction) {
	w.t.Helper()
	o := w.service.State.(*state2.Overlay)
	mark := o.Mark()
	var err error
	switch in := in.(type) {
	case *tx.RotateCommittee:
		var of secret.Scope
		if of, err = secret.ParseScope(in.Scope); err == nil {
			signed, prior := in.Signed()
			if err = w.service.Rotate(of, in.Generation(), in.Master, signed, prior); err == nil {
				w.rotated++
			}
		}
	case *tx.SubmitTlockRelease:
		w.unlocks++
		err = w.service.Unlock(in.Lock, p.operator, in.Proxy, in.Epoch, in.Partial)
	case *tx.Execute:
		w.receipts++
		number, epoch, b, ok := systemsecret.ParseReceipt(in.Payload)
		if !ok || in.To != secret.Home() {
			w.t.Fatalf("%s is sent %q", in.To, in.Handler)
		}
		err = w.service.SealReceipt(w.streams(owner), p.operator, number, epoch, b)
	case *tx.SlashCbssProxy:
		if err = w.service.Slash(in.Proxy, secret.Fault(in.Fault), in.Evidence); err == nil {
			w.slashed = append(w.slashed, in.Proxy)
		}
	}
	if err != nil {
		o.Revert(mark)
	}
}

// streams is the manager of streams for whoever asks.
func (w *world) streams(who account.Address) *stream.Manager {
	return &stream.Manager{
		State: w.service.State, Height: w.service.Height, Bill: func(account.Address) error { return nil }, Emit: func(string, []byte) {},
		Price: w.service.SealPrice, Spend: func(amount unit.Amount) error { return account.Debit(w.service.State, who, amount) },
	}
}

// key reads the key of a scope.
func (w *world) key(of secret.Scope) *secret.ReleaseKey {
	w.t.Helper()
	k, err := secret.LoadKey(w.service.State, of)
	w.must(err)
	return k
}

// until runs rounds until a key has an epoch; false if it takes more than most.
func (w *world) until(of secret.Scope, epoch uint64, most int) bool {
	w.t.Helper()
	for range most {
		if k := w.key(of); k != nil && k.Epoch >= epoch {
			w.round() // in which the members find their shares
			return true
		}
		w.round()
	}
	return false
}

// sealed is an envelope to a key, and what is in it.
func (w *world) sealed(k *secret.ReleaseKey) (*cbss.Envelope, *cbss.Identity, [32]byte) {
	w.t.Helper()
	to := &cbss.Identity{ChainID: testChain, Secret: cbss.SecretID{Account: owner}, Version: 1, Epoch: k.Epoch, Master: k.Master}
	data := [32]byte{1, 2, 3}
	e, err := cbss.Wrap(to, derived([32]byte{9}, 9, 9), [12]byte{}, data)
	w.must(err)
	return e, to, data
}

// opens reports whether the shares of so many of these proxies open an envelope.
func (w *world) opens(of secret.Scope, by []*party, e *cbss.Envelope, to *cbss.Identity) bool {
	w.t.Helper()
	k := w.key(of)
	var partials []cbss.Partial
	for _, p := range by {
		share := p.held(of, k.Epoch)
		if share == nil || len(partials) == k.Threshold() {
			continue
		}
		one := cbss.Partial{Place: share.Place, Point: cbss.Sign(share.Secret, to)}
		if cbss.CheckPartial(to, k.Commitments, one) != nil {
			w.t.Error("an honest proxy holds a share that is not the one of its place")
		}
		partials = append(partials, one)
	}
	if len(partials) < k.Threshold() {
		return false
	}
	sigma, err := cbss.Combine(partials)
	w.must(err)
	_, err = e.Open(sigma)
	return err == nil
}
