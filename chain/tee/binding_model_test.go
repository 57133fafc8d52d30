package tee

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	crand "crypto/rand"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// model is keys, bindings and jobs as the text has them: no state, and each question answered from what happened, one measurement after the other.
type model struct {
	now   unit.Height
	keys  map[digest.Hash]*modelKey
	bound map[account.Address]*modelBinding
	jobs  []*modelJob
}

type modelKey struct{ registered, deprecated, revoked unit.Height }

func (k *modelKey) counts() bool { return k != nil && k.revoked == 0 }

type modelBinding struct {
	list []digest.Hash
	last unit.Height // in which it was bound or renewed
}

// modelJob is a job that was given to a runner, which attests it.
type modelJob struct {
	runner   account.Address
	of       digest.Hash // the measurement that attested it
	assigned unit.Height
}

// takes is the dispatcher's question, of a runner that declared a measurement and a job that ends in a block.
func (m *model) takes(who account.Address, declared digest.Hash, end unit.Height) bool {
	b := m.bound[who]
	if b == nil {
		k := m.keys[declared]
		return k.counts() && k.deprecated == 0 && m.now-k.registered < 604_800
	}
	for _, one := range b.list {
		if k := m.keys[one]; k.counts() && k.deprecated == 0 && end-b.last < 604_800 {
			return true
		}
	}
	return false
}

// attests is the verifier's question and CBSS's: may an environment attest a job of a runner now? It gives the rule that says no.
func (m *model) attests(j *modelJob) error {
	k, b := m.keys[j.of], m.bound[j.runner]
	switch {
	case b != nil && !slices.Contains(b.list, j.of):
		return ErrBinding
	case k == nil:
		return ErrKey
	case !k.counts():
		return ErrRevoked
	case b != nil && k.deprecated > 0 && k.deprecated < j.assigned:
		return ErrDeprecated
	}
	return nil
}

// history is a random one, over a state and the model of it.
type history struct {
	*testing.T
	model
	s      *state.Overlay
	r      *rand.Rand
	key    *ecdsa.PrivateKey
	public []byte
	seen   map[string]int // how often each rule was met
}

const measured = 4 // measurements there are; runners declare the first

func (h *history) some() digest.Hash { return digest.Hash{byte(h.r.IntN(measured))} }

func (h *history) who() account.Address { return account.Address{byte(h.r.IntN(3))} }

// agree holds what was done to what the model has for it.
func (h *history) agree(what string, err error, want bool) bool {
	h.Helper()
	if (err == nil) != want {
		h.Fatalf("%s: %v, want it done: %v", what, err, want)
	}
	return want
}

func (h *history) passes() {
	h.now++
	if h.r.IntN(8) == 0 {
		h.now += unit.Height(h.r.IntN(400_000))
	}
}

func (h *history) registers() {
	m := h.some()
	h.agree("registered", RegisterKey(h.s, TDX, m, h.public, h.now), true)
	h.keys[m] = &modelKey{registered: h.now}
}

func (h *history) revokes() {
	m := h.some()
	if k := h.keys[m]; h.r.IntN(4) == 0 && h.agree("revoked", RevokeKey(h.s, TDX, m, h.now), k.counts()) {
		k.revoked = h.now
	}
}

func (h *history) deprecates() {
	m := h.some()
	if k := h.keys[m]; h.r.IntN(3) == 0 && h.agree("deprecated", Deprecate(h.s, TDX, m, h.now), k.counts() && k.deprecated == 0) {
		k.deprecated = h.now
	}
}

// proof signs a binding for the nonce of this block.
func (h *history) proof(b *Binding, who account.Address, by digest.Hash) *Evidence {
	say := Statement{Type: TDX, Measurement: by, Job: Ask(h.s, who, []byte{byte(h.now)}, h.now), Runner: who}
	hash := sha256.Sum256(say.BindingPayload(b.Hash()))
	x, y, err := ecdsa.Sign(crand.Reader, h.key, hash[:])
	if err != nil {
		h.Fatal(err)
	}
	return &Evidence{
		Type: TDX, Measurement: by, Data: b.Hash(), Signature: append(x.FillBytes(make([]byte, 32)), y.FillBytes(make([]byte, 32))...),
	}
}

func (h *history) binds() {
	who, b := h.who(), &Binding{Type: TDX, Measurements: []digest.Hash{h.some(), h.some(), h.some()}}
	by := b.Measurements[0]
	slices.SortFunc(b.Measurements, func(x, y digest.Hash) int { return bytes.Compare(x[:], y[:]) })
	b.Measurements = slices.Compact(b.Measurements)
	good := !slices.ContainsFunc(b.Measurements, func(m digest.Hash) bool { return !h.keys[m].counts() })
	if h.agree("bound", b.Bind(h.s, who, "tdx", h.proof(b, who, by), h.now), good) {
		h.bound[who] = &modelBinding{b.Measurements, h.now}
	}
}

func (h *history) renews() {
	who := h.who()
	b := h.bound[who]
	if b == nil {
		return
	}
	now, err := LoadBinding(h.s, who)
	if err != nil || now == nil {
		h.Fatal(now, err)
	}
	by := b.list[h.r.IntN(len(b.list))]
	if _, err := Renew(h.s, who, h.proof(now, who, by), h.now); h.agree("renewed", err, h.keys[by].counts()) {
		b.last = h.now
	}
}

func (h *history) unbinds() {
	who := h.who()
	if h.r.IntN(4) > 0 {
		return
	}
	if ok, err := Unbind(h.s, who); err != nil || ok != (h.bound[who] != nil) {
		h.Fatal(ok, err)
	}
	delete(h.bound, who)
}

// gives has the dispatcher choose, and whoever is chosen attest in any environment.
func (h *history) gives() {
	who, end := h.who(), h.now+unit.Height(h.r.IntN(86_400))
	b, err := BindingOf(h.s, who, "tdx", digest.Hash{})
	if err != nil {
		h.Fatal(err)
	}
	ok, err := b.Admits(h.s, h.now, end)
	if want := h.takes(who, digest.Hash{}, end); err != nil || ok != want {
		h.Fatalf("given to %v: %v %v, want %v", who, ok, err, want)
	}
	if !ok {
		h.seen["refused"]++
		return
	}
	h.seen["given"]++
	if !slices.ContainsFunc(b.Measurements, func(m digest.Hash) bool { return b.Holds(h.s, TDX, m, h.now) == nil }) {
		h.Fatal("whoever was given a job cannot attest it")
	}
	h.jobs = append(h.jobs, &modelJob{who, h.some(), h.now})
}

// attested asks about a job that was given.
func (h *history) attested() {
	if len(h.jobs) == 0 {
		return
	}
	j := h.jobs[h.r.IntN(len(h.jobs))]
	want := h.attests(j)
	if want != nil {
		h.seen[want.Error()]++
	}
	b, err := BindingOf(h.s, j.runner, "tdx", j.of)
	if err == nil {
		err = b.Holds(h.s, TDX, j.of, j.assigned)
	}
	if !errors.Is(err, want) {
		h.Errorf("a job of block %d: %v, want %v", j.assigned, err, want)
	}
}

// Over random histories of keys, bindings and blocks all who ask of a binding agree with the model: the dispatcher on who gets a job, the verifier and CBSS on
// what counts of it. Whoever gets a job can attest it then.
//
// Spec: tee §2.3, §4 (three layers must agree).
func TestBindingsAgainstAModel(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), crand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for seed := range uint64(20) {
		h := &history{
			T: t, s: newState(), r: rand.New(rand.NewPCG(5, seed)), key: key, public: public, seen: seen,
			model: model{now: 1, keys: map[digest.Hash]*modelKey{}, bound: map[account.Address]*modelBinding{}},
		}
		does := []func(){
			h.passes, h.registers, h.revokes, h.deprecates, h.binds, h.renews, h.unbinds, h.gives, h.gives, h.attested, h.attested, h.attested,
		}
		for range 600 {
			does[h.r.IntN(len(does))]()
		}
	}
	for _, rule := range []string{ErrBinding.Error(), ErrRevoked.Error(), ErrDeprecated.Error(), "given", "refused"} {
		if seen[rule] < 10 {
			t.Errorf("%q was met %d times", rule, seen[rule])
		}
	}
}
