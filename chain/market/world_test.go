package market

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// world is a market with runners and coins. Its blocks are one view each, of epoch 1.
type world struct {
	t testing.TB
	*Market
	overlay *state.Overlay
	events  []string
	sources byte
	supply  unit.Amount
}

// began is the height a world begins at, when its runners have been there for longer than a probation.
const began = 10_000

func newWorld(t testing.TB, runners int) *world {
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	w := &world{t: t, overlay: overlay}
	w.Market = &Market{State: overlay, Params: params.Genesis(), Emit: func(topic string, data []byte) {
		w.events = append(w.events, fmt.Sprintf("%s %x", topic, data[digest.Size:]))
	}}
	w.Registry = &runner.Registry{State: overlay, Params: w.Params, Emit: func(string, []byte) {}}
	w.at(1)
	for n := range runners {
		w.enrol(n)
	}
	w.at(began)
	for n := range runners {
		w.must(w.Registry.Heartbeat(person(n), true))
	}
	w.fund(submitter, 1_000*unit.CBY)
	return w
}

var submitter = account.Address{0: 0xee, 19: 1}

// keyOf is the key of a runner.
func keyOf(n int) *sig.PrivateKey {
	secret := digest.SHA256(fmt.Append(nil, "market runner ", n))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		panic(err)
	}
	return key
}

func person(n int) account.Address { return people[n] }

// people are the addresses of the first 1,000 runners.
var people = func() (list [1_000]account.Address) {
	for n := range list {
		list[n] = keyOf(n).Address()
	}
	return list
}()

// trust sets a runner's reputation.
func (w *world) trust(addr account.Address, points uint64) {
	w.t.Helper()
	r, ok, err := runner.Load(w.overlay, addr)
	if err != nil || !ok {
		w.t.Fatalf("%v %v", ok, err)
	}
	r.Reputation = runner.ReputationOf(points)
	w.overlay.Set(append(account.KeyString(account.KindRecord, runner.Home(), "runner:state/"), addr[:]...), r.Encode())
}

// at is a block at a height: its round, and the seed of the round before.
func (w *world) at(height unit.Height) {
	w.Height, w.Registry.Height = height, height
	w.Round = sig.Round{Epoch: 1, View: uint64(height)}
	w.ParentView = uint64(height) - 1
	w.Beacon = sig.Seed{Round: sig.Round{Epoch: 1, View: uint64(height) - 1}, Signature: sig.BLSSignature{byte(height), byte(height >> 8)}}
}

func (w *world) fund(addr account.Address, amount unit.Amount) {
	w.must(account.Credit(w.overlay, addr, amount))
	w.supply += amount
}

// terms are what a runner of the world declares: up to three jobs of a model at once, of values up to 100 CBY, three base units for a token of an answer.
func terms(n int) runner.Terms {
	return runner.Terms{
		Key: keyOf(n).Compressed(), Stake: 20_000 * unit.CBY, Card: runner.RateCard{LLMOutputToken: 3, MaxJobValue: 100 * unit.CBY},
		Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 3},
	}
}

func (w *world) enrol(n int, edit ...func(*runner.Terms)) {
	w.t.Helper()
	t := terms(n)
	for _, e := range edit {
		e(&t)
	}
	w.fund(runner.Home(), t.Stake)
	w.must(w.Registry.Register(person(n), t))
}

// ask is a job of 10 CBY and a tip of 1, with an answer of 100 tokens.
func ask(edit ...func(*job.Spec)) *job.Spec {
	s := &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Why?", MaxTokens: 100},
		Bounds:   job.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30, MaxRetries: 3},
		Schema:   job.ResultSchema{MaxReturnBytes: job.MaxResultBytes},
		MaxPrice: 10 * unit.CBY, Tip: unit.CBY, TimeoutBlocks: 100, Verification: job.Verification{DisputeBlocks: 75},
	}
	for _, e := range edit {
		e(s)
	}
	return s
}

// voted makes a job one for a committee.
func voted(s *job.Spec) { s.Verification.Mode = job.ModeMajorityVote }

// submit submits a job; a reject leaves nothing behind.
func (w *world) submit(s *job.Spec, c *Caller, until unit.Height) (digest.Hash, error) {
	w.t.Helper()
	w.sources++
	mark, held := w.overlay.Mark(), w.Held
	t, err := w.Submit(digest.SHA256([]byte{w.sources}), s, submitter, c, until)
	if err != nil {
		w.overlay.Revert(mark)
		w.Held = held
		return digest.Hash{}, err
	}
	return t.ID, nil
}

func (w *world) submitted(edit ...func(*job.Spec)) digest.Hash {
	w.t.Helper()
	id, err := w.submit(ask(edit...), nil, 0)
	w.must(err)
	return id
}

// end ends the block, and begins the next; runners are heard of.
func (w *world) end() {
	w.t.Helper()
	w.must(w.End())
	w.must(AddEscrow(w.overlay, w.Held))
	w.Held = 0
	w.check()
	w.at(w.Height + 1)
	if w.Height%50 == 0 {
		list, err := runner.List(w.overlay, nil, 0)
		w.must(err)
		for _, r := range list {
			if r.Status == runner.Active {
				w.must(w.Registry.Heartbeat(r.Address, true))
			}
		}
	}
}

// until ends blocks until one of a height begins.
func (w *world) until(height unit.Height) {
	w.t.Helper()
	for w.Height < height {
		w.end()
	}
}

// check adds up all coins: accounts, and what is held for jobs.
func (w *world) check() {
	w.t.Helper()
	held, err := Escrow(w.overlay)
	w.must(err)
	var sum, open unit.Amount
	w.must(w.overlay.Scan(account.KindPrefix(account.KindAccount), nil, 0, func(_, value []byte) bool {
		a, err := account.Decode(value)
		w.must(err)
		sum += a.Balance
		return true
	}))
	w.must(w.overlay.Scan(under(underJob), nil, 0, func(_, value []byte) bool {
		j, err := DecodeJob(value)
		w.must(err)
		open += j.Escrow
		return true
	}))
	if open != held || sum+held+w.Burned != w.supply {
		w.t.Fatalf("block %d: accounts %d, held %d, of jobs %d, burned %d, all coins %d", w.Height, sum, held, open, w.Burned, w.supply)
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) refused(err, want error) {
	w.t.Helper()
	if !errors.Is(err, want) {
		w.t.Errorf("%v, want %v", err, want)
	}
}

func (w *world) job(id digest.Hash) *Job {
	w.t.Helper()
	j, err := Load(w.overlay, id)
	if err != nil || j == nil {
		w.t.Fatalf("no job: %v", err)
	}
	return j
}

func (w *world) selection(id digest.Hash) *Selection {
	w.t.Helper()
	s, err := LoadSelection(w.overlay, id)
	if err != nil || s == nil {
		w.t.Fatalf("no selection: %v", err)
	}
	return s
}

func (w *world) is(id digest.Hash, status Status) *Job {
	w.t.Helper()
	j := w.job(id)
	if j.Status != status {
		w.t.Fatalf("block %d: the job is %v (%q), want %v", w.Height, j.Status, j.Reason, status)
	}
	return j
}

func (w *world) balance(of account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.overlay, of)
	w.must(err)
	return a.Balance
}

func (w *world) active(addr account.Address) uint32 {
	w.t.Helper()
	r, ok, err := runner.Load(w.overlay, addr)
	if err != nil || !ok {
		w.t.Fatalf("%v %v", ok, err)
	}
	return r.ActiveJobs
}

// keys are the keys of this package, but for the totals.
func (w *world) keys() (n int) {
	w.must(w.overlay.Scan(under("market:"), nil, 0, func(key, _ []byte) bool {
		if !slices.ContainsFunc([]string{keyEscrow, keyEpoch, keyCommittee}, func(s string) bool { return bytes.Equal(key, under(s)) }) {
			n++
		}
		return true
	}))
	return n
}

// bench is a Verifier for tests: the first output is the result, 89% go to whoever gave it, 10% are burned.
type bench struct {
	reject     string
	unrevealed []account.Address
}

func (b *bench) Judge(_ *Market, t *Task, reveals []*Reveal) (*Result, string, error) {
	if b.reject != "" {
		return nil, b.reject, nil
	}
	v := &Result{Data: reveals[0].Output, Count: uint32(len(reveals)), Total: uint32(len(reveals)), Mode: t.Spec.Verification.Mode}
	for _, r := range reveals {
		v.Agreed = append(v.Agreed, r.Runner)
	}
	return v, "", nil
}

func (b *bench) Unrevealed(_ *Market, _ *Task, runner account.Address) error {
	b.unrevealed = append(b.unrevealed, runner)
	return nil
}

func (b *bench) Reproduced(*Market, *Task, *Result, *Rerun) error { return nil }

func (b *bench) Settle(_ *Market, _ *Task, v *Result, _ params.Split) *verify.Shares {
	const cost = 4 * unit.CBY
	return &verify.Shares{Burned: cost / 10, Payments: []verify.Payment{{Runner: v.Agreed[0], Share: cost * 89 / 100}}}
}

func (b *bench) Reward(m *Market, t *Task, p *verify.Payment, _ bool) error {
	return m.Pay(t, p.Runner, p.Sum())
}
