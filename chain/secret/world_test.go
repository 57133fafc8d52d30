package secret

import (
	"crypto/sha512"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// world is the service with proxies that hold real shares, a market with one runner, and coins.
type world struct {
	t testing.TB
	*Service
	overlay *state.Overlay
	market  *market.Market
	events  []string
	supply  unit.Amount
	burned  unit.Amount
	proxies []*party
	shares  map[string][]*cbss.Scalar // by scope and epoch, in the order of the committee
	draws   int
	sources byte
}

// party is a proxy with the account of its operator.
type party struct {
	key      *sig.PrivateKey
	operator account.Address
	id       digest.Hash
}

const (
	chainID = 100
	began   = 10_000
)

var (
	owner  = account.Address{0: 0xaa, 19: 1}
	maker  = account.Address{0: 0xab, 19: 2} // made the actor
	actor  = account.Address{0: 0xac, 19: 3}
	nobody = account.Address{0: 0xad, 19: 4}
)

func keyOf(text string, n int) *sig.PrivateKey {
	raw := digest.SHA256(fmt.Append(nil, text, n))
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		panic(err)
	}
	return key
}

func runnerKey() *sig.PrivateKey { return keyOf("the runner", 0) }

func newWorld(t testing.TB, proxies int) *world {
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	w := &world{t: t, overlay: overlay, shares: map[string][]*cbss.Scalar{}}
	p := params.Genesis()
	c := Defaults(p)
	c.Inline = true
	w.Service = &Service{State: overlay, Config: c, ChainID: chainID, Emit: func(topic string, data []byte) {
		w.events = append(w.events, fmt.Sprintf("%s %x", topic, data))
	}}
	w.market = &market.Market{State: overlay, Params: p, Emit: func(string, []byte) {}}
	w.market.Registry = &runner.Registry{State: overlay, Params: p, Emit: func(string, []byte) {}}
	w.at(1)
	w.fund(runner.Home(), 20_000*unit.CBY)
	w.must(w.market.Registry.Register(runnerKey().Address(), runner.Terms{
		Key: runnerKey().Compressed(), Stake: 20_000 * unit.CBY, Card: runner.RateCard{LLMOutputToken: 3, MaxJobValue: 100 * unit.CBY},
		Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 1_000, VolumeMounts: true, TEESupport: "tdx"},
		Measurement:  digest.Hash{5},
	}))
	r, _, err := runner.Load(overlay, runnerKey().Address())
	w.must(err)
	who := runnerKey().Address()
	r.Reputation = runner.ReputationOf(100) // no probation: several jobs at once
	overlay.Set(append(account.KeyString(account.KindRecord, runner.Home(), "runner:state/"), who[:]...), r.Encode())
	w.at(began)
	for _, a := range [...]account.Address{owner, maker, actor, nobody, runnerKey().Address()} {
		w.fund(a, 100_000*unit.CBY)
	}
	a, err := account.Load(overlay, actor)
	w.must(err)
	a.Kind, a.Creator = account.Actor, maker
	account.Save(overlay, actor, &a)
	for n := range proxies {
		w.enrol(n)
	}
	w.at(began + unit.Height(w.Config.Soak))
	return w
}

// enrol registers a proxy of 10,000 CBY.
func (w *world) enrol(n int) *party {
	w.t.Helper()
	p := &party{key: keyOf("proxy", n), operator: keyOf("operator", n).Address()}
	w.fund(p.operator, 10_000*unit.CBY)
	id, err := w.Register(p.operator, Terms{Key: p.key.Compressed(), HPKE: [32]byte{1}, Address: "127.0.0.1:9601", Stake: 10_000 * unit.CBY})
	w.must(err)
	p.id = id
	w.proxies = append(w.proxies, p)
	return p
}

func (w *world) at(height unit.Height) {
	w.Height = height
	w.Seed = sig.Seed{Round: sig.Round{Epoch: 1, View: uint64(height) - 1}, Signature: sig.BLSSignature{byte(height), byte(height >> 8)}}
	w.market.Height, w.market.Registry.Height, w.market.Beacon = height, height, w.Seed
	w.market.Round = sig.Round{Epoch: 1, View: uint64(height)}
}

func (w *world) fund(addr account.Address, amount unit.Amount) {
	w.must(account.Credit(w.overlay, addr, amount))
	w.supply += amount
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// try does something as a turn does: a reject leaves nothing behind.
func (w *world) try(do func() error) error {
	mark, held, burned, events := w.overlay.Mark(), w.Held, w.Burned, len(w.events)
	err := do()
	if err != nil {
		w.overlay.Revert(mark)
		w.Held, w.Burned, w.events = held, burned, w.events[:events]
	}
	return err
}

func (w *world) refused(want error, do func() error) {
	w.t.Helper()
	if err := w.try(do); !errors.Is(err, want) {
		w.t.Errorf("%v, want %v", err, want)
	}
}

// end ends the block, and begins the next.
func (w *world) end() {
	w.t.Helper()
	w.must(w.End())
	w.must(AddEscrow(w.overlay, w.Held))
	w.burned += w.Burned
	w.Held, w.Burned = 0, 0
	w.check()
	w.at(w.Height + 1)
}

// skip goes on to a height; blocks between end without anything.
func (w *world) skip(to unit.Height) {
	w.t.Helper()
	w.end()
	w.at(to - 1)
	w.end()
}

// check adds up all coins: accounts, stakes and bonds, what is held for jobs, what was burned.
func (w *world) check() {
	w.t.Helper()
	held, err := Escrow(w.overlay)
	w.must(err)
	var sum, parts unit.Amount
	each := func(prefix []byte, take func(value []byte) unit.Amount) {
		w.must(w.overlay.Scan(prefix, nil, 0, func(_, value []byte) bool {
			parts += take(value)
			return true
		}))
	}
	each(under(underProxy), func(value []byte) unit.Amount { p, err := DecodeProxy(value); w.must(err); return p.Stake })
	each(under(underPending), func(value []byte) unit.Amount { p, err := DecodePending(value); w.must(err); return p.Bond })
	each(under(underLock), func(value []byte) unit.Amount { l, err := DecodeLock(value); w.must(err); return l.Fees })
	each(under(underChallenge), func(value []byte) unit.Amount { c, err := DecodeChallenge(value); w.must(err); return c.Bond })
	sealing, err := stream.Escrow(w.overlay)
	w.must(err)
	sum += sealing
	w.must(w.overlay.Scan(account.KindPrefix(account.KindAccount), nil, 0, func(_, value []byte) bool {
		a, err := account.Decode(value)
		w.must(err)
		sum += a.Balance
		return true
	}))
	if jobs := unit.Amount(w.market.Held); parts != held || sum+held+jobs+w.burned != w.supply {
		w.t.Fatalf("block %d: accounts %d, held %d, of records %d, jobs %d, burned %d, all coins %d", w.Height, sum, held, parts, jobs, w.burned, w.supply)
	}
}

func (w *world) balance(of account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.overlay, of)
	w.must(err)
	return a.Balance
}

// number draws a number between 1 and the order, the same in every run.
func (w *world) number() *cbss.Scalar {
	w.draws++
	h := sha512.Sum512(fmt.Append(nil, "draw ", w.draws))
	n, _ := new(big.Int).SetString("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)
	s, err := cbss.ParseScalar(n.Mod(new(big.Int).SetBytes(h[:]), n).FillBytes(make([]byte, cbss.ScalarSize)))
	w.must(err)
	return s
}

func (w *world) party(id digest.Hash) *party {
	w.t.Helper()
	for _, p := range w.proxies {
		if p.id == id {
			return p
		}
	}
	w.t.Fatalf("no proxy %x", id)
	return nil
}

func tag(s Scope, epoch uint64) string { return fmt.Sprintf("%x %d", s.Bytes(), epoch) }

// rotation is what a committee brings.
type rotation struct {
	scope  Scope
	next   Generation
	master cbss.Key
	signed []Signed
	prior  []Signed
	shares []*cbss.Scalar
}

// agreed has the pending committee of a scope make its key, or the present one pass it on, without anything going wrong, and all sign.
func (w *world) agreed(of Scope) *rotation {
	w.t.Helper()
	p, err := LoadPending(w.overlay, of)
	if err != nil || p == nil || p.Committee == nil {
		w.t.Fatalf("no committee is drawn: %v", err)
	}
	r := &rotation{scope: of, next: Generation{Epoch: 1, Committee: p.Committee}}
	var dealt [][]cbss.Key
	got := make([][]*cbss.Scalar, p.Members)
	dealers := make([]*cbss.Scalar, p.Quorum)
	k, err := LoadKey(w.overlay, of)
	w.must(err)
	if k != nil {
		r.next.Epoch = k.Epoch + 1
		var places []uint32
		for i := range dealers {
			places = append(places, uint32(i+1))
		}
		weights, err := cbss.Weights(places)
		w.must(err)
		for i := range dealers {
			dealers[i], err = w.shares[tag(of, k.Epoch)][i].Times(weights[i])
			w.must(err)
		}
	} else {
		for i := range dealers {
			dealers[i] = w.number()
		}
	}
	for _, first := range dealers {
		poly := cbss.Polynomial{first}
		for range p.Quorum - 1 {
			poly = append(poly, w.number())
		}
		dealt = append(dealt, poly.Commitments())
		for place := range got {
			s, err := poly.At(uint32(place + 1))
			w.must(err)
			got[place] = append(got[place], s)
		}
	}
	r.next.Commitments, err = cbss.SumCommitments(dealt)
	w.must(err)
	r.master = r.next.Commitments[0]
	for _, parts := range got {
		s, err := cbss.Sum(parts)
		w.must(err)
		r.shares = append(r.shares, s)
	}
	w.sign(r, k)
	return r
}

// sign has all members of both committees sign.
func (w *world) sign(r *rotation, k *ReleaseKey) {
	w.t.Helper()
	t := cbss.Rotation{
		ChainID: chainID, Scope: r.scope.Bytes(), Epoch: r.next.Epoch, Committee: r.next.Committee, Master: r.master, Commitments: r.next.Commitments,
	}
	hash := t.Hash()
	all := func(committee []digest.Hash) (list []Signed) {
		for i, id := range committee {
			for _, p := range w.proxies {
				if p.id == id {
					list = append(list, Signed{uint8(i), p.key.Sign(hash)})
				}
			}
		}
		return list
	}
	r.signed, r.prior = all(r.next.Committee), nil
	if k != nil {
		r.prior = all(k.Committee)
	}
}

func (w *world) bring(r *rotation) error {
	return w.Rotate(r.scope, r.next, r.master, r.signed, r.prior)
}

// keyed has a committee make the key of a scope that was asked for, in the blocks to come.
func (w *world) keyed(of Scope) *ReleaseKey {
	w.t.Helper()
	w.end()
	w.end()
	r := w.agreed(of)
	w.must(w.bring(r))
	w.shares[tag(of, r.next.Epoch)] = r.shares
	k, err := LoadKey(w.overlay, of)
	w.must(err)
	return k
}

// accountKey gives an account its release key.
func (w *world) accountKey(of account.Address) *ReleaseKey {
	w.t.Helper()
	w.must(w.RequestKey(of, of))
	return w.keyed(AccountScope(of))
}

func secretOf(of account.Address, name string) cbss.SecretID {
	return cbss.SecretID{Account: of, KeyHash: cbss.KeyHash(of, name)}
}

var dataKey = [cbss.DataKeySize]byte{1, 2, 3}

// wrap seals the data key to a version.
func (w *world) wrap(id cbss.SecretID, version uint64, k *ReleaseKey) *Sealed {
	w.t.Helper()
	e, err := cbss.Wrap(w.identity(id, version, k.Epoch, k.Master), w.number(), [cbss.NonceSize]byte{byte(version)}, dataKey)
	w.must(err)
	return &Sealed{Epoch: k.Epoch, Pointer: []byte{0, 'p'}, Wrapped: e.Append(nil)}
}

func (w *world) set(id cbss.SecretID, policy Policy) (uint64, error) {
	w.t.Helper()
	m, err := LoadSecret(w.overlay, id)
	w.must(err)
	next := uint64(1)
	if m != nil {
		next = m.Latest + 1
	}
	k, err := LoadKey(w.overlay, AccountScope(id.Account))
	w.must(err)
	if k == nil {
		k = &ReleaseKey{Generation: Generation{Epoch: 1}, Master: w.number().Public()}
	}
	var version uint64
	err = w.try(func() (err error) {
		version, err = w.Set(id, policy, w.wrap(id, next, k), nil, digest.Hash{})
		return err
	})
	return version, err
}

// jobOf submits a job of somebody's that asks for secrets, and gives it to the runner.
func (w *world) jobOf(submitter account.Address, secrets ...job.Secret) digest.Hash {
	w.t.Helper()
	w.must(w.market.Registry.Heartbeat(runnerKey().Address(), true))
	w.sources++
	t, err := w.market.Submit(digest.SHA256([]byte{w.sources, byte(w.Height), byte(w.Height >> 8)}), &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Why?", MaxTokens: 100},
		Bounds: job.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30, MaxRetries: 3}, Schema: job.ResultSchema{MaxReturnBytes: job.MaxResultBytes},
		MaxPrice: 10 * unit.CBY, TimeoutBlocks: 1_000, Verification: job.Verification{DisputeBlocks: 75}, Secrets: secrets,
	}, submitter, nil, 0)
	w.must(err)
	return t.ID
}

// request asks a proxy for its partial.
func (w *world) request(id cbss.SecretID, version uint64, whose account.Address, of digest.Hash, p *party, edit ...func(*cbss.Request)) *cbss.Request {
	w.t.Helper()
	v, err := LoadVersion(w.overlay, id, version)
	w.must(err)
	k, err := LoadKey(w.overlay, scopeOf(id, version, v))
	w.must(err)
	q := &cbss.Request{
		ChainID: chainID, Secret: id, Version: version, Actor: whose, Runner: runnerKey().Address(), Recipient: uint8(v.Recipient), Job: of,
		Nonce: digest.Hash{1}, Block: uint64(w.Height), Epoch: k.Epoch, RunnerKey: [32]byte{9}, Proxy: p.id,
	}
	for _, e := range edit {
		e(q)
	}
	return q
}

// share is a proxy's share of the key that a request is for.
func (w *world) share(q *cbss.Request, p *party) (*cbss.Scalar, *cbss.Identity, *Generation) {
	w.t.Helper()
	var v *Version
	var err error
	if ofVolume(q) {
		v, err = w.version(q)
	} else {
		v, err = LoadVersion(w.overlay, q.Secret, q.Version)
	}
	w.must(err)
	of := scopeOf(q.Secret, q.Version, v)
	k, err := LoadKey(w.overlay, of)
	w.must(err)
	g := k.kept(q.Epoch)
	if g == nil {
		g = &k.Generation
	}
	place := max(g.PlaceOf(p.id), 1)
	return w.shares[tag(of, g.Epoch)][place-1], w.identity(q.Secret, q.Version, v.Epoch, k.Master), g
}

// receipt is what an honest proxy posts of a request.
func (w *world) receipt(q *cbss.Request, p *party, edit ...func(*Proof)) *Proof {
	w.t.Helper()
	share, id, g := w.share(q, p)
	public, err := cbss.PublicShare(g.Commitments, max(g.PlaceOf(p.id), 1))
	w.must(err)
	b, err := cbss.Blind(cbss.Sign(share, id), public, w.number(), w.number(), q.Hash())
	w.must(err)
	f := &Proof{Request: q.Signed(runnerKey()), Proxy: q.Proxy, Epoch: q.Epoch, Served: uint64(w.Height), Blinded: *b}
	f.Signature = p.key.Sign(cbss.ReceiptHash(q.Hash(), f.Proxy, f.Epoch, f.Served, &f.Blinded))
	for _, e := range edit {
		e(f)
	}
	return f
}

// resign signs a changed receipt again.
func resign(q *cbss.Request, by *sig.PrivateKey) func(*Proof) {
	return func(f *Proof) {
		f.Signature = by.Sign(cbss.ReceiptHash(q.Hash(), f.Proxy, f.Epoch, f.Served, &f.Blinded))
	}
}

// committee are the parties of a generation.
func (w *world) committee(g *Generation) (list []*party) {
	for _, id := range g.Committee {
		list = append(list, w.party(id))
	}
	return list
}

// told reports how often a topic was announced.
func (w *world) told(topic string) (n int) {
	for _, e := range w.events {
		if len(e) > len(topic) && e[:len(topic)+1] == topic+" " {
			n++
		}
	}
	return n
}

func sorted(list ...account.Address) []account.Address {
	slices.SortFunc(list, account.Address.Compare)
	return list
}
