package verifier

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// world is a market with runners, coins and a verifier. Its blocks are one view each, of epoch 1, and one second long.
type world struct {
	t testing.TB
	*market.Market
	v       *Verifier
	overlay *state.Overlay
	keys    map[account.Address]*sig.PrivateKey
	events  []string
	supply  unit.Amount
	sources int
}

// began is the height a world begins at, when its runners have been there for longer than a probation.
const began = 10_000

var submitter = account.Address{0: 0xee, 19: 1}

// stake is every runner's.
const stake = 20_000 * unit.CBY

func newWorld(t testing.TB, runners int) *world {
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	w := &world{t: t, overlay: overlay, keys: map[account.Address]*sig.PrivateKey{}}
	w.v = &Verifier{Recover: sig.Default(), CycleFee: 10_000, Emit: w.said}
	w.Market = &market.Market{State: overlay, Params: params.Genesis(), Verifier: w.v, Emit: func(string, []byte) {}}
	w.Registry = &runner.Registry{State: overlay, Params: w.Params, Emit: func(string, []byte) {}}
	w.at(1)
	for n := range runners {
		secret := digest.SHA256(fmt.Append(nil, "verifier runner ", n))
		key, err := sig.ParsePrivateKey(secret[:])
		w.must(err)
		w.keys[key.Address()] = key
		w.fund(runner.Home(), stake)
		w.must(w.Registry.Register(key.Address(), runner.Terms{
			Key: key.Compressed(), Stake: stake, Card: runner.RateCard{LLMOutputToken: unit.CBY / 100, MaxJobValue: 100 * unit.CBY},
			Capabilities: runner.Capabilities{
				JobTypes: []runner.Name{{Name: "http"}, {Name: "llm"}}, HTTPDomains: []runner.Name{{Name: "*"}}, MaxConcurrentJobs: 3,
			},
		}))
	}
	w.at(began)
	w.heard()
	w.fund(submitter, 100_000*unit.CBY)
	return w
}

func (w *world) said(topic string, data []byte) {
	w.events = append(w.events, fmt.Sprintf("%s %x", topic, data[digest.Size+account.AddressSize:]))
}

func (w *world) heard() {
	list, err := runner.List(w.overlay, nil, 0)
	w.must(err)
	for _, r := range list {
		if r.Status == runner.Active {
			w.must(w.Registry.Heartbeat(r.Address, true))
		}
	}
}

// at is a block at a height: its round, and the seed of the round before.
func (w *world) at(height unit.Height) {
	w.Height, w.Registry.Height, w.Time = height, height, 1_000_000+uint64(height)
	w.Round = sig.Round{Epoch: 1, View: uint64(height)}
	w.ParentView = uint64(height) - 1
	w.Beacon = sig.Seed{Round: sig.Round{Epoch: 1, View: uint64(height) - 1}, Signature: sig.BLSSignature{byte(height), byte(height >> 8)}}
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

func (w *world) refused(err, want error) {
	w.t.Helper()
	if !errors.Is(err, want) {
		w.t.Errorf("%v, want %v", err, want)
	}
}

// ask is a job of 10 CBY and a tip of 1, with an answer of 100 tokens, each of which costs a hundredth of a CBY.
func ask(mode job.Mode, edit ...func(*job.Spec)) *job.Spec {
	s := &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Why?", MaxTokens: 100},
		Bounds:   job.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30, MaxRetries: 3},
		Schema:   job.ResultSchema{MaxReturnBytes: job.MaxResultBytes},
		MaxPrice: 10 * unit.CBY, Tip: unit.CBY, TimeoutBlocks: 100, Verification: job.Verification{Mode: mode, DisputeBlocks: 75},
	}
	if mode == job.ModeDeterministic { // which pins a toolchain and a seed (WP §5.4)
		s.Verification.Checks = []job.Check{{Kind: job.CheckInference, Inference: job.Inference{Seed: 7, Toolchain: digest.Hash{1}}}}
	}
	for _, e := range edit {
		e(s)
	}
	return s
}

// once says that a job has no second attempt.
func once(s *job.Spec) { s.Bounds.MaxRetries = 0 }

// assigned submits a job and waits for its committee, which it gives in the order of addresses.
func (w *world) assigned(s *job.Spec) (digest.Hash, []account.Address) {
	w.t.Helper()
	w.sources++
	w.must(Supports(w.Params, s))
	t, err := w.Submit(digest.SHA256(fmt.Append(nil, w.sources)), s, submitter, nil, 0)
	w.must(err)
	for n := 0; w.job(t.ID).Status == market.AwaitingSeed && n < 10; n++ {
		w.end()
	}
	return t.ID, w.committee(t.ID)
}

func (w *world) committee(id digest.Hash) []account.Address {
	w.t.Helper()
	s := w.selection(id)
	return slices.SortedFunc(slices.Values(s.Selected), account.Address.Compare)
}

func (w *world) selection(id digest.Hash) *market.Selection {
	w.t.Helper()
	s, err := market.LoadSelection(w.overlay, id)
	if err != nil || s == nil {
		w.t.Fatalf("no selection: %v", err)
	}
	return s
}

func (w *world) job(id digest.Hash) *market.Job {
	w.t.Helper()
	j, err := market.Load(w.overlay, id)
	if err != nil || j == nil {
		w.t.Fatalf("no job: %v", err)
	}
	return j
}

func (w *world) is(id digest.Hash, status market.Status) *market.Job {
	w.t.Helper()
	j := w.job(id)
	if j.Status != status {
		w.t.Fatalf("block %d: the job is %v (%q), want %v", w.Height, j.Status, j.Reason, status)
	}
	return j
}

// gave is an output that used so many tokens.
func gave(data string, tokens uint32) *verify.Output {
	return &verify.Output{Data: []byte(data), Usage: verify.Usage{OutputTokens: tokens}}
}

func (w *world) reveal(id digest.Hash, who account.Address, o *verify.Output) *verify.Reveal {
	r := verify.Sign(w.keys[who], id, o.Append(nil))
	return &r
}

func (w *world) commits(id digest.Hash, who account.Address, o *verify.Output) {
	w.t.Helper()
	r := w.reveal(id, who, o)
	_, err := w.Commit(id, who, verify.Commitment(r.Output, r.Salt))
	w.must(err)
}

func (w *world) reveals(id digest.Hash, who account.Address, o *verify.Output) {
	w.t.Helper()
	w.must(w.v.Reveal(w.Market, id, w.reveal(id, who, o)))
}

// answers has runners commit themselves to outputs, all of them, and then reveal; a nil output is silent.
func (w *world) answers(id digest.Hash, who []account.Address, outputs ...*verify.Output) {
	w.t.Helper()
	for i, o := range outputs {
		if o != nil {
			w.commits(id, who[i], o)
		}
	}
	for w.job(id).Status == market.Executing {
		w.end()
	}
	for i, o := range outputs {
		if o != nil {
			w.reveals(id, who[i], o)
		}
	}
}

// end ends the block, and begins the next; runners are heard of.
func (w *world) end() {
	w.t.Helper()
	w.must(w.End())
	w.must(market.AddEscrow(w.overlay, w.Held))
	w.Held = 0
	w.check()
	w.at(w.Height + 1)
	if w.Height%50 == 0 {
		w.heard()
	}
}

// until ends blocks until one of a height begins.
func (w *world) until(height unit.Height) {
	w.t.Helper()
	for w.Height < height {
		w.end()
	}
}

// check adds up all coins: accounts, what is held for jobs, and what was burned.
func (w *world) check() {
	w.t.Helper()
	held, err := market.Escrow(w.overlay)
	w.must(err)
	var sum unit.Amount
	w.must(w.overlay.Scan(account.KindPrefix(account.KindAccount), nil, 0, func(_, value []byte) bool {
		a, err := account.Decode(value)
		w.must(err)
		sum += a.Balance
		return true
	}))
	if sum+held+w.Burned != w.supply {
		w.t.Fatalf("block %d: accounts %d, held %d, burned %d, all coins %d", w.Height, sum, held, w.Burned, w.supply)
	}
}

func (w *world) balance(of account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.overlay, of)
	w.must(err)
	return a.Balance
}

func (w *world) runner(of account.Address) *runner.Runner {
	w.t.Helper()
	r, ok, err := runner.Load(w.overlay, of)
	if err != nil || !ok {
		w.t.Fatalf("%v %v", ok, err)
	}
	return r
}
